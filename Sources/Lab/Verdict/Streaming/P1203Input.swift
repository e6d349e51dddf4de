import FoundationEssentials
import Frames

/// What a person saw of a stream, as the input of ITU-T P.1203 in mode 0: the JSON that the open `itu-p1203` tools read. The model itself
/// is not part of bench360: its licence forbids that.
///
/// Sound is not loaded: I11 has no segments. Times are media time in seconds from the first segment that was shown, rates kbit/s.
public struct P1203Input: Hashable, Sendable, Encodable {
  private let audio: Stream
  private let video: Stream
  private let stalling: Stalling
  private let display: Display

  private enum CodingKeys: String, CodingKey {
    case audio = "I11"
    case video = "I13"
    case stalling = "I23"
    case display = "IGen"
  }

  private struct Stream: Hashable, Sendable, Encodable {
    var streamId = P1203Input.number
    var segments: [Segment] = []
  }

  /// Of all streams: the tools want one, and have no use for it.
  private static let number = 1

  private struct Segment: Hashable, Sendable, Encodable {
    var codec: String
    var start: Double
    var duration: Double
    /// Of this segment's bytes.
    var bitrate: Double
    var resolution: String
    var fps: Double
    /// Segments of one rung are of one quality, whichever bit rates they have.
    var representation: Int
  }

  private struct Stalling: Hashable, Sendable, Encodable {
    var streamId = P1203Input.number
    /// `[place, seconds]`; the wait for the first picture is the first.
    var stalling: [[Double]]
  }

  private struct Display: Hashable, Sendable, Encodable {
    var device = "pc"
    var displaySize: String
    var viewingDistance = "150cm"
  }

  /// Of the first whole trial of a record that played a stream; of several clients the first.
  ///
  /// Throws `.input` where none did, where no picture was shown, and where the manifest does not tell codec, size or frame rate of a rung
  /// that was.
  public init(_ record: Record) throws(Failure) {
    let trials = record.scenarios.flatMap(\.trials).filter { !$0.sessions.isEmpty }
    guard let session = (trials.first(where: \.complete) ?? trials.first)?.sessions.first else {
      throw Self.refusal("the record is of no stream", "measure one with 'run --scenario stream'")
    }
    try self.init(session, display: record.settings.viewing.size)
  }

  /// - Parameter display: the size at which the pictures were shown; nil: 1920×1080.
  package init(_ session: StreamSession, display size: PictureSize?) throws(Failure) {
    let shown = session.shownSegments
    guard let first = session.firstFrame, !shown.isEmpty else {
      throw Self.refusal("no picture was shown", "measure again, with --verbose")
    }
    var (segments, start) = ([Segment](), 0.0)
    for request in shown {
      let segment = try Self.segment(request, of: session, from: start)
      segments.append(segment)
      start += request.mediaSeconds ?? 0
    }
    let playing = StateClock(session.stateSpans, of: .playing)
    let stalls = session.stalls.map { [Self.rounded(playing.seconds(until: $0.start)), Self.rounded($0.seconds)] }
    audio = Stream()
    video = Stream(segments: segments)
    stalling = Stalling(stalling: [[0, Self.rounded(first)]] + stalls)
    display = Display(displaySize: size.map { "\($0.width)x\($0.height)" } ?? "1920x1080")
  }

  /// With sorted keys, and a newline at its end.
  public func json() throws(Failure) -> String {
    guard let json = try? JSONText.encode(self, isIndented: true) else {
      throw Self.refusal("a number in it is not finite", "measure again")
    }
    return json + "\n"
  }

  private static func segment(
    _ request: StreamSession.Request, of session: StreamSession, from start: Double
  ) throws(Failure) -> Segment {
    guard let number = request.rung, session.rungs.indices.contains(number), let seconds = request.mediaSeconds,
      seconds > 0
    else { throw refusal("a segment of the record has no rung or no duration", "measure again") }
    let rung = session.rungs[number]
    guard let codec = rung.codec.flatMap(codecName), let width = rung.width, let height = rung.height,
      let rate = rung.frameRate
    else {
      throw refusal(
        "its manifest does not tell codec, size and frame rate of rung \(number)",
        "add CODECS, RESOLUTION and FRAME-RATE to it")
    }
    // A download that went on where it broke off has several requests.
    let parts = session.requests.filter { other in
      other.kind == .segment && other.segment == request.segment && other.rung == number
        && [.finished, .failed].contains(other.outcome)
    }
    let bytes = parts.reduce(0) { $0.addingSaturated($1.transfer.bytes) }
    return Segment(
      codec: codec, start: rounded(start), duration: rounded(seconds),
      bitrate: rounded(Double(bytes) * 8 / seconds / 1000), resolution: "\(width)x\(height)", fps: rounded(rate),
      representation: number)
  }

  /// As the tools call it; nil for a codec that they do not know.
  private static func codecName(_ codec: String) -> String? {
    let names = ["avc1": "h264", "avc3": "h264", "hvc1": "hevc", "hev1": "hevc", "vp09": "vp9", "av01": "av1"]
    return names[String(codec.prefix { $0 != "." })]
  }

  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  private static func refusal(_ cause: String, _ remedy: String) -> Failure {
    Failure(.input, "cannot write the input of P.1203", cause: cause, remedy: remedy)
  }
}

extension RecordFile {
  /// Writes the input of P.1203, with the guarantees of a record.
  public static func write(_ input: P1203Input, to path: String) throws(Failure) {
    let text = try input.json()
    try write(called: "input of P.1203", option: "--p1203", to: path) { put in try put(text) }
  }
}
