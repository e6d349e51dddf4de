import Bench360Player

/// A head pose, as opentrack's output "UDP over network" sends it: a datagram of six little-endian doubles x, y, z,
/// yaw, pitch and roll. Pure.
///
/// Signs as in opentrack's outputs for flight simulators (yaw, pitch) and descriptions of this one: yaw +
/// to the right, pitch + up, roll + to the right shoulder, clockwise from the user's point of view: the signs
/// of `Camera`. X is + to the right, y + up, z + forward.
package struct HeadPose: Sendable, Hashable {
  /// Centimetres. A sphere is seen from its centre: positions are read, but ignored.
  package var (x, y, z) = (0.0, 0.0, 0.0)
  /// Degrees.
  package var (yaw, pitch, roll) = (0.0, 0.0, 0.0)

  /// Six times eight bytes.
  package static let byteCount = 48
  /// Limit of plausible angles; a datagram beyond it is no pose.
  static let (angleLimit, distanceLimit) = (3600.0, 1e6)

  package init() {}

  /// Nil for a datagram of another length, and for values that are not finite or not plausible for a head.
  package init?(_ packet: some Collection<UInt8>) {
    guard packet.count == Self.byteCount else { return nil }
    var values: [Double] = []
    var rest = packet[...]
    while !rest.isEmpty {
      let bits = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      values.append(Double(bitPattern: bits))
      rest = rest.dropFirst(8)
    }
    // NaN fails every comparison.
    guard values[..<3].allSatisfy({ abs($0) <= Self.distanceLimit }),
      values[3...].allSatisfy({ abs($0) <= Self.angleLimit })
    else { return nil }
    (x, y, z) = (values[0], values[1], values[2])
    (yaw, pitch, roll) = (values[3], values[4], values[5])
  }
}

/// Head tracking for the view: the camera turns from home as far as the head has turned from its rest pose. Pure.
package struct HeadHand: Sendable {
  /// The last pose; nil: none received yet.
  package private(set) var pose: HeadPose?
  private var rest = HeadPose()

  package init() {}

  /// Makes the current pose the rest pose.
  package mutating func recentre() {
    if let pose { rest = pose }
  }

  /// - Parameters:
  ///   - home: the camera at the rest pose.
  ///   - fieldOfView: the current one, as other input set it; a head does not change it.
  package mutating func move(_ pose: HeadPose, home: SphereView, fieldOfView: Double) -> SphereView {
    self.pose = pose
    return SphereView(
      pan: home.pan + pose.yaw - rest.yaw, tilt: min(max(home.tilt + pose.pitch - rest.pitch, -90), 90),
      roll: home.roll + pose.roll - rest.roll, fieldOfView: fieldOfView)
  }
}
