package import CFFmpeg
import Frames

/// The packets of one track of sound: of a container, or of the segments of a stream. One thread at a time.
package protocol SoundPackets: AnyObject {
  /// As the user named the clip.
  var path: String { get }
  /// Of the last packet; nil where none was read and nothing told of it. Valid until the next call.
  var stream: UnsafeMutablePointer<AVStream>? { get }
  /// In which the packets' stamps count.
  var timeBase: AVRational { get }
  /// A later packet may be coded with other parameters in the same codec: a segment of another rung.
  var changesParameters: Bool { get }
  /// From a stamp to the clip's own timeline.
  func time(of stamp: Int64) -> MediaTime
  /// Reads the next packet into an empty one.
  func read(into packet: UnsafeMutablePointer<AVPacket>) throws(Failure) -> SoundReading
  /// Goes on with packets that a decoder needs for the sample at `target`, or earlier ones.
  func seek(to target: MediaTime) throws(Failure)
  /// Whether another piece of media begins at a time or before it, such as behind an advertisement; once for each.
  func takeSeam(at time: MediaTime) -> Bool
  func readiness(at time: MediaTime) -> SoundReadiness
}

/// The result of reading a packet of sound.
package enum SoundReading {
  case packet
  /// The next packet is not loaded yet.
  case notYet
  case ended
}

/// Whether sound from a place on can be read without waiting.
public enum SoundReadiness: Sendable, Hashable {
  case ready
  /// It is being loaded.
  case notYet
  /// It cannot be had.
  case failed(Failure)
}

extension SoundPackets {
  /// What decoders want to have seen before the sample that is wanted: MP3 fills its packets from up to nine before, Opus asks for 80 ms.
  package static var preroll: MediaTime { MediaTime(nanoseconds: 300_000_000) }

  /// When a packet is to be heard; nil where it does not say.
  package func time(of packet: UnsafeMutablePointer<AVPacket>) -> MediaTime? {
    optionalStamp(bench_packet_stamp(packet)).map { time(of: $0) }
  }

  package func end(of packet: UnsafeMutablePointer<AVPacket>) -> MediaTime? {
    time(of: packet).map {
      $0 + MediaTime(ticks: max(0, packet.pointee.duration), timeBase: Ratio(timeBase))
    }
  }
}
