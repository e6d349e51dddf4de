import Frames

/// WebVTT whose every cue says when it is shown: one a second, with the number of the frame that begins it.
struct LadderSubtitles {
  let specification: LadderSpecification
  let language: String

  /// The whole track.
  var track: String { "WEBVTT\n\n" + cues(0, specification.duration) }

  /// A segment for HLS: cues that are shown in it, with the times of the whole presentation.
  ///
  /// - Parameter origin: seconds on the media's clock at the presentation's start.
  func segment(_ frames: Range<Int>, origin: Int64) -> String {
    "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:\(origin * 90_000),LOCAL:00:00:00.000\n\n"
      + cues(specification.seconds(frames.lowerBound), specification.seconds(frames.upperBound))
  }

  private func cues(_ start: Double, _ end: Double) -> String {
    var text = ""
    var second = Int(start.rounded(.down))
    while Double(second) < end {
      let frame = Int((Double(second) * (specification.clip.rate.value ?? 1)).rounded(.up))
      let until = min(Double(second + 1), specification.duration)
      text += "\(Self.clock(Double(second))) --> \(Self.clock(until))\n"
      text += "\(language) \(Self.clock(Double(second))) frame \(frame)\n\n"
      second += 1
    }
    return text
  }

  /// `00:01:05.250`
  static func clock(_ seconds: Double) -> String {
    let milliseconds = Int((seconds * 1000).rounded())
    func digits(_ value: Int, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
    return "\(digits(hours, 2)):\(digits(minutes, 2)):\(digits(milliseconds / 1000 % 60, 2))"
      + ".\(digits(milliseconds % 1000, 3))"
  }
}
