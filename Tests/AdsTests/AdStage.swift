import Ads
import Frames
import HTTP

/// Servers of a test: what lies at which place.
final class AdStage {
  var files: [String: String] = [:]
  private(set) var asked: [String] = []
  private(set) var policies: [AddressPolicy] = []

  func load(_ place: String, _ policy: AddressPolicy = .named) throws(Failure) -> AdDocument {
    asked.append(place)
    policies.append(policy)
    guard let text = files[place] else {
      throw Failure(.input, "cannot load the ads '\(place)'", cause: "the server answered 404", remedy: nil)
    }
    return AdDocument(bytes: Array(text.utf8), base: AdBase(place, policy: .referred(from: .global)))
  }

  func pod(_ tag: String, wishes: AdWishes = AdWishes(), _ change: (inout AdBreak) -> Void = { _ in }) -> AdPod {
    var pause = AdBreak(.start, .tag(tag))
    change(&pause)
    return AdResolver(wishes) { (place, policy) throws(Failure) in try self.load(place, policy) }
      .pod(of: pause, from: AdBase("", policy: .named))
  }

  /// An ad that plays a file, with some requests.
  static func ad(_ id: String, attributes: String = "", _ files: String? = nil, _ more: String = "") -> String {
    let files = files ?? file("http://cdn/\(id).mp4")
    return """
      <Ad id="\(id)" \(attributes)><InLine><AdTitle>\(id)</AdTitle><Impression><![CDATA[http://\(id)/i]]></Impression>
      <Error>http://\(id)/e?c=[ERRORCODE]</Error><Creatives><Creative><CompanionAds/></Creative><Creative>
      <Linear skipoffset="00:00:05"><Duration>00:00:20.500</Duration><TrackingEvents>
      <Tracking event="start">http://\(id)/start</Tracking><Tracking event="midpoint"> http://\(id)/mid </Tracking>
      <Tracking event="progress" offset="00:00:02">http://\(id)/2s</Tracking>
      <Tracking event="progress" offset="10%">http://\(id)/10p</Tracking>
      <Tracking event="complete">http://\(id)/end</Tracking><Tracking event="unheardOf">http://\(id)/x</Tracking>
      </TrackingEvents><MediaFiles>\(files)</MediaFiles></Linear></Creative></Creatives>\(more)</InLine></Ad>
      """
  }

  static func file(
    _ url: String, type: String = "video/mp4", size: String = "640x360", bitrate: Int = 800, _ more: String = ""
  ) -> String {
    let size = size.split(separator: "x")
    return #"<MediaFile delivery="progressive" type="\#(type)" width="\#(size[0])" height="\#(size[1])" "#
      + #"bitrate="\#(bitrate)" \#(more)>\#(url)</MediaFile>"#
  }

  static func wrapper(_ id: String, _ tag: String, attributes: String = "") -> String {
    """
    <Ad id="\(id)"><Wrapper \(attributes)><VASTAdTagURI><![CDATA[ \(tag) ]]></VASTAdTagURI>
    <Impression>http://\(id)/i</Impression><Error>http://\(id)/e</Error><Creatives><Creative><Linear><TrackingEvents>
    <Tracking event="start">http://\(id)/start</Tracking></TrackingEvents></Linear></Creative></Creatives></Wrapper></Ad>
    """
  }

  static func vast(_ ads: String..., version: String = "3.0", _ more: String = "") -> String {
    #"<?xml version="1.0"?><!-- x --><VAST version="\#(version)">\#(ads.joined())\#(more)</VAST>"#
  }
}
