import Frames
import Streaming

extension VASTResponse {
  /// Throws for text that is no VAST of version 2 to 4.
  init(_ bytes: [UInt8]) throws(ManifestFlaw) { try self.init(AdReader.read(bytes)) }

  /// - Parameter root: the element `VAST`.
  init(_ root: AdElement) throws(ManifestFlaw) {
    guard root.name == "VAST" else {
      throw ManifestFlaw("its root is <\(root.name.prefix(40))>, not <VAST>", line: nil)
    }
    version = root["version"] ?? ""
    guard let major = version.split(separator: ".").first.flatMap({ Int($0) }), (2...4).contains(major) else {
      throw ManifestFlaw("its version '\(version.prefix(20))' is none of 2, 3 and 4")
    }
    errors = Array(root.texts("Error").prefix(AdLimits.addressCount))
    for element in root.all("Ad").prefix(AdLimits.adCount) {
      if let ad = VASTAd(element) { ads.append(ad) }
    }
  }
}

extension VASTAd {
  /// Nil for an element that holds neither an ad nor a wrapper.
  fileprivate init?(_ element: AdElement) {
    id = element["id"]
    sequence = element["sequence"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    guard let body = element.first("InLine") ?? element.first("Wrapper") else { return nil }
    title = body.first("AdTitle").flatMap { $0.text.isEmpty ? nil : String($0.text.prefix(200)) }
    impressions = Array(body.texts("Impression").prefix(AdLimits.addressCount))
    errors = Array(body.texts("Error").prefix(AdLimits.addressCount))
    if body.name == "Wrapper" {
      guard let tag = body.first("VASTAdTagURI")?.text, !tag.isEmpty else { return nil }
      wrapper = VASTWrapper(
        tag: tag, followsWrappers: body.isYes("followAdditionalWrappers", usual: true),
        allowsSeveral: body.isYes("allowMultipleAds", usual: false))
    }
    let creatives = body.first("Creatives")?.all("Creative") ?? []
    for creative in creatives {
      guard let element = creative.first("Linear") else { continue }
      // A wrapper tells of its ad in as many as it likes; of an ad the first one is played.
      guard var linear else {
        self.linear = VASTLinear(element)
        continue
      }
      guard wrapper != nil else { break }
      linear.requests += VASTLinear(element).requests
      linear.requests = Array(linear.requests.prefix(AdLimits.addressCount))
      self.linear = linear
    }
  }
}

extension VASTLinear {
  fileprivate init(_ element: AdElement) {
    duration = element.first("Duration").flatMap { AdPlace.clock($0.text) }
    skips = element["skipoffset"].flatMap { AdPlace($0) }
    for file in element.first("MediaFiles")?.all("MediaFile") ?? [] where !file.text.isEmpty {
      files.append(
        VASTFile(
          url: file.text, type: file["type"]?.lowercased() ?? "", width: file.size("width"),
          height: file.size("height"),
          bitrate: file.size("bitrate").map { $0 * 1000 } ?? file.size("maxBitrate").map { $0 * 1000 },
          program: file["apiFramework"], isSpherical: file["mediaType"] == "360"))
    }
    files = Array(files.prefix(AdLimits.addressCount))
    requests = element.requests
  }
}

extension AdElement {
  fileprivate func size(_ name: String) -> Int? {
    self[name].flatMap { Int($0) }.flatMap { (1...10_000_000).contains($0) ? $0 : nil }
  }

  /// Of `TrackingEvents`.
  var requests: [VASTRequest] {
    var requests: [VASTRequest] = []
    for tracking in first("TrackingEvents")?.all("Tracking") ?? [] where !tracking.text.isEmpty {
      guard requests.count < AdLimits.addressCount, let name = tracking["event"],
        let event = AdEvent(name, at: tracking["offset"].flatMap { AdPlace($0) })
      else { continue }
      requests.append(VASTRequest(event: event, url: tracking.text))
    }
    return requests
  }
}
