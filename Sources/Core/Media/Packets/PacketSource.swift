package import CFFmpeg
import Frames

/// The packets of one clip, in the order in which they lie there: of a container, or of the segments of a stream. One thread at a
/// time.
package protocol PacketSource: AnyObject {
  /// As the user named the clip.
  var path: String { get }
  /// It is fetched over a network: to read a place again costs a request.
  var isRemote: Bool { get }
  /// In which the time stamps of the video's packets count, and the stamp of its start.
  var timeBase: AVRational { get }
  var startStamp: Int64 { get }
  /// The longest that the video or the clip says of itself; nil where neither does.
  var duration: MediaTime? { get }
  /// The format of the video's next packet, as far as it is known.
  var format: PacketFormat { get }
  /// The sync samples that the clip tells of now.
  var index: SyncSampleIndex { get }
  /// What it tells is a guess, or made of the packets read so far.
  var hasNoIndex: Bool { get }
  /// Why reading ended before the clip's end; nil while it has not.
  var damage: String? { get }
  /// Bytes of the video that the clip lacks, as far as that can be told.
  var missingBytes: Int64 { get }

  /// Reads the next packet of the video, or of another track that is wanted, into an empty one; nil at the end.
  func read(into packet: UnsafeMutablePointer<AVPacket>) throws(Failure) -> PacketTrack?
  /// Other tracks than the video whose packets are read from here on, and of no others. Tracks that it does not have, and its
  /// video, are left out of the result.
  func want(_ tracks: Set<Int>) -> Set<Int>
  /// Moves to the clip's first packet.
  func goToStart() throws(Failure)
  /// Moves to a sync sample at or before `time`; false where it cannot, and nothing has moved.
  func seek(toSyncSampleAt time: MediaTime) -> Bool
}

/// The track of a packet, and what its packets are coded in from here on.
package enum PacketTrack {
  case video(PacketFormat)
  case other(number: Int, PacketFormat)
}
