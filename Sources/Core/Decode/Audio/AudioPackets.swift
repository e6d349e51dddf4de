internal import CFFmpeg
import Frames
import Media

/// The packets of one stream of sound of a file, read through a demuxer of its own. One thread at a time; reading blocks.
final class AudioPackets: SoundPackets {
  private let clip: ProbedClip
  private let interruption: Interruption
  private let number: Int
  private let attempt: String
  private var file: Demuxer
  private var own: UnsafeMutablePointer<AVStream>
  /// Read while a place was looked for; empty where its data is nil.
  private let held: UnsafeMutablePointer<AVPacket>
  private var isHolding = false
  /// Packets that end before it are passed over.
  private var first: MediaTime?

  /// How far before that place a container is asked for, where it gave a later one.
  private static let backSteps = [0.0, 0.5, 2, 8, 30]

  init(_ clip: ProbedClip, stream number: Int, attempt: String, _ interruption: Interruption) throws(Failure) {
    guard let held = av_packet_alloc() else { throw Failure(.failed, attempt, cause: "out of memory") }
    (self.clip, self.interruption, self.number, self.attempt) = (clip, interruption, number, attempt)
    self.held = held
    do {
      (file, own) = try Self.open(clip, number, attempt, interruption)
    } catch {
      var freed: UnsafeMutablePointer<AVPacket>? = held
      av_packet_free(&freed)
      throw error
    }
  }

  deinit {
    var freed: UnsafeMutablePointer<AVPacket>? = held
    av_packet_free(&freed)
  }

  private static func open(
    _ clip: ProbedClip, _ number: Int, _ attempt: String, _ interruption: Interruption
  ) throws(Failure) -> (Demuxer, UnsafeMutablePointer<AVStream>) {
    let file = try Demuxer(clip, interruption: interruption, stream: number)
    guard let stream = file.stream(number), stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO else {
      throw Failure(.media, attempt, cause: "the file has no such stream any more", remedy: "open it again")
    }
    file.leaveOut(allBut: [number])
    return (file, stream)
  }

  /// From a stamp to the clip's own timeline.
  func time(of stamp: Int64) -> MediaTime {
    MediaTime(ticks: stamp, timeBase: Ratio(timeBase)) - clip.videoStart
  }

  var stream: UnsafeMutablePointer<AVStream>? { own }
  var timeBase: AVRational { own.pointee.time_base }
  /// Reading waits for the file's bytes.
  func readiness(at time: MediaTime) -> SoundReadiness { .ready }
  var path: String { clip.info.path }
  var changesParameters: Bool { false }
  func takeSeam(at time: MediaTime) -> Bool { false }

  /// Where the stream begins.
  private var start: MediaTime { optionalStamp(own.pointee.start_time).map { time(of: $0) } ?? .zero }

  func read(into packet: UnsafeMutablePointer<AVPacket>) throws(Failure) -> SoundReading {
    while true {
      if isHolding {
        av_packet_move_ref(packet, held)
        isHolding = false
      } else if try !readOwn(into: packet) {
        return .ended
      }
      guard let first, let end = end(of: packet) else { return .packet }
      if end >= first {
        self.first = nil
        return .packet
      }
      av_packet_unref(packet)
    }
  }

  private func readOwn(into packet: UnsafeMutablePointer<AVPacket>) throws(Failure) -> Bool {
    while true {
      guard !interruption.shouldStop else {
        throw Failure(.cancelled, attempt, cause: "reading was stopped or took too long")
      }
      guard try file.read(into: packet) else { return false }
      if packet.pointee.stream_index == Int32(clamping: number) { return true }
      av_packet_unref(packet)
    }
  }

  func seek(to target: MediaTime) throws(Failure) {
    av_packet_unref(held)
    isHolding = false
    let end = file.duration(of: own).map { start + $0 }
    let wanted = min(target, end ?? target) - Self.preroll
    first = wanted
    for seconds in Self.backSteps {
      let place = wanted - MediaTime(seconds: seconds)
      // MP4's first packet may lie before the start, for it holds an encoder's delay alone.
      guard place > start || handlesDelay, jump(to: place) else { break }
      guard try readOwn(into: held) else { continue }
      if let time = time(of: held), time <= max(wanted, start) + SampleClock.tolerance {
        isHolding = true
        return
      }
      av_packet_unref(held)
    }
    // As it was opened: there libavformat knows of an encoder's delay, too.
    if !file.isAtStart { (file, own) = try Self.open(clip, number, attempt, interruption) }
  }

  /// After a seek to the start, libavformat marks the samples of an encoder's delay again.
  private var handlesDelay: Bool { clip.info.container.hasPrefix("mov,") }

  private func jump(to place: MediaTime) -> Bool {
    // Matroska's index is one of the video.
    let index = clip.info.container.hasPrefix("matroska") ? clip.info.video.streamIndex : number
    guard let guide = file.stream(index) else { return false }
    let ticks = av_rescale_q(
      (place + clip.videoStart).nanoseconds, AVRational(num: 1, den: 1_000_000_000), guide.pointee.time_base)
    return file.seek(stream: index, to: ticks)
  }
}
