/// Driver behaviour that tests inject, since no driver shows it on demand. A device outside tests has none.
package struct DeviceSeams: Sendable {
  /// Submits copies separately even where the device has no queue for copies, so that tests cover that path.
  package var copiesApart: Bool
  package var imageViews: (any ImageViewFaults)?
  package var labels: (any DebugLabelListener)?

  package init(
    copiesApart: Bool = false, imageViews: (any ImageViewFaults)? = nil, labels: (any DebugLabelListener)? = nil
  ) {
    self.copiesApart = copiesApart
    self.imageViews = imageViews
    self.labels = labels
  }
}

/// When a view of an image cannot be made. Any thread.
package protocol ImageViewFaults: Sendable {
  /// Asked before each; true: it fails as if the device had no memory left.
  func failsNext() -> Bool
}

/// Told of each label that the driver is given. Any thread that records commands.
package protocol DebugLabelListener: Sendable {
  func began(_ label: String)
  func ended()
}
