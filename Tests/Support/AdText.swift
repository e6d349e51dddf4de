/// Schedules of ads for tests.
public enum AdText {
  /// VMAP of breaks, each with the ads of one pod.
  public static func vmap(_ breaks: [(place: String, ads: [String])]) -> String {
    let rows = breaks.map { row in
      """
      <AdBreak timeOffset="\(row.place)"><AdSource><VASTAdData><VAST version="4.2">\(row.ads.joined())</VAST></VASTAdData>
      </AdSource></AdBreak>
      """
    }
    return "<VMAP version=\"1.0\">\(rows.joined())</VMAP>"
  }

  /// An ad of a pod, which plays a file.
  ///
  /// - Parameters:
  ///   - number: in its pod, from 1; its title is `Ad` with it.
  ///   - skips: from there on it may be left: `00:00:01`; nil: never.
  ///   - told: told its events, behind a `/`; nil: no server is.
  public static func ad(_ file: String, number: Int = 1, skips: String? = nil, told: String? = nil) -> String {
    let tracked = ["start", "midpoint", "complete", "skip", "pause", "resume", "mute"].map { event in
      told.map { "<Tracking event=\"\(event)\">\($0)/\(event)</Tracking>" } ?? ""
    }
    let skips = skips.map { " skipoffset=\"\($0)\"" } ?? ""
    let error = told.map { "<Error>\($0)/error?c=[ERRORCODE]</Error>" } ?? ""
    return """
      <Ad id="\(number)" sequence="\(number)"><InLine><AdTitle>Ad \(number)</AdTitle>\(error)<Creatives><Creative>
      <Linear\(skips)><TrackingEvents>\(tracked.joined())</TrackingEvents><MediaFiles>
      <MediaFile type="video/mp4" width="640" height="320" bitrate="500">\(file)</MediaFile></MediaFiles></Linear>
      </Creative></Creatives></InLine></Ad>
      """
  }
}
