internal import CFFmpeg
import Frames
import Media

/// The packets of one track of sound: of a file, or of a stream's segments. One thread at a time.
protocol SoundPackets: AnyObject {
  /// Of the last packet; nil where none was read and nothing told of it.
  var stream: UnsafeMutablePointer<AVStream>? { get }
  /// In which the packets' stamps count.
  var timeBase: AVRational { get }
  /// From a stamp to the clip's own timeline.
  func time(of stamp: Int64) -> MediaTime
  /// The next packet, into an empty one.
  func read(into packet: UnsafeMutablePointer<AVPacket>) throws(Failure) -> SoundSegments.Reading
  /// Goes on with packets that a decoder needs for the sample at `target`, or earlier ones.
  func seek(to target: MediaTime) throws(Failure)
  /// Whether another piece of media begins at a time or before it, such as behind an advertisement; once for each.
  func takeSeam(at time: MediaTime) -> Bool
  /// Whether a decoder can go on with the last packet.
  func fits(_ decoder: AudioDecoder) -> Bool
  func readiness(at time: MediaTime) -> SoundReadiness
}

extension SoundPackets {
  func takeSeam(at time: MediaTime) -> Bool { false }

  /// When a packet is to be heard; nil where it does not say.
  func time(of packet: UnsafeMutablePointer<AVPacket>) -> MediaTime? {
    optionalStamp(bench_packet_stamp(packet)).map { time(of: $0) }
  }

  func end(of packet: UnsafeMutablePointer<AVPacket>) -> MediaTime? {
    time(of: packet).map {
      $0 + MediaTime(ticks: max(0, packet.pointee.duration), timeBase: Ratio(timeBase))
    }
  }
}

/// The packets of a stream's segments, which are read from memory.
final class SegmentedSound: SoundPackets {
  private let segments: SoundSegments

  init(_ segments: SoundSegments) { self.segments = segments }

  var stream: UnsafeMutablePointer<AVStream>? { segments.stream }
  var timeBase: AVRational { SoundSegments.timeBase }

  func time(of stamp: Int64) -> MediaTime { MediaTime(nanoseconds: stamp) }

  func read(into packet: UnsafeMutablePointer<AVPacket>) throws(Failure) -> SoundSegments.Reading {
    try segments.read(into: packet)
  }

  func seek(to target: MediaTime) { segments.seek(to: target, preroll: AudioPackets.preroll) }

  func takeSeam(at time: MediaTime) -> Bool { segments.takeSeam(at: time) }

  /// Segments of one coding have their parameters in common, and those of other rungs may.
  func fits(_ decoder: AudioDecoder) -> Bool {
    stream.map { decoder.fits($0.pointee.codecpar.pointee) } ?? true
  }

  func readiness(at time: MediaTime) -> SoundReadiness { segments.readiness(at: time) }
}
