internal import CFFmpeg
import Frames

/// Which of a program's streams of video is read at a time: where a transport stream's program changes its video to another
/// packet identifier, libavformat makes a stream of its own of it, and the one before gives no packet any more.
///
/// Limits of libavformat 5.1: it keeps an identifier's first type for life, so that a change from H.264 to MPEG-2 under one identifier
/// yields damaged H.264; and it holds an identifier's last two packets until the file's end, so that the earlier stream lacks them.
///
/// A stream that comes while the one before goes on, such as another view, is left out. One thread at a time.
struct StreamSuccession {
  /// The stream that is read.
  private(set) var current: Int
  /// Which streams were found to follow on each other, and from when on: in the order of time. The first begins the clip.
  private var stretches: [(start: MediaTime, stream: Int)]
  /// The stream that may follow, and its packets from a sync sample on.
  private var next: (stream: Int, begins: MediaTime?, packets: PacketQueue)?
  /// Packets of the current stream held before its succession was known.
  private var arrived: PacketQueue?
  /// When the stream that is read was last seen, and the one that may follow, in decoding time.
  private var (lastSeen, newest): (MediaTime?, MediaTime?)

  /// The stream before has ended when it gave nothing while so much of the next one came.
  private static let patience = MediaTime(nanoseconds: 1_000_000_000)
  private static let byteLimit = 16 << 20

  init(_ first: Int) {
    current = first
    stretches = [(MediaTime(nanoseconds: .min), first)]
  }

  /// The stream that begins the clip.
  var first: Int { stretches[0].stream }

  /// The stream that is to be read around a time, as far as that is known.
  func stream(at time: MediaTime) -> Int { stretches.last { $0.start <= time }?.stream ?? first }

  /// The demuxer moved; this stream is read from now on.
  mutating func jumped(to stream: Int) {
    current = stream
    (next, arrived, lastSeen) = (nil, nil, nil)
  }

  /// The next packet of the stream that is read, where it came before that was known; the caller's.
  mutating func takeArrived() -> ReadPacket? { arrived?.takeFirst() }

  /// A packet of the stream that is read came. libavformat keeps the last two of a stream back until the file's end: where
  /// they belong before the held packets, the next stream still follows.
  mutating func saw(_ decodingTime: MediaTime?) {
    if let first = next?.begins, let decodingTime, decodingTime < first {} else { next = nil }
    lastSeen = decodingTime ?? lastSeen
  }

  /// Takes over a packet of a stream that may follow; false where it is not kept: it is no sync sample, and none came, or it
  /// belongs before the stream that is read.
  mutating func hold(_ read: ReadPacket, of stream: Int, _ decodingTime: MediaTime?) -> Bool {
    if let next, next.stream != stream { return false }
    if next == nil {
      guard read.packet.pointee.isSyncSample, lastSeen.map({ seen in decodingTime.map { $0 >= seen } ?? true }) ?? true
      else { return false }
      next = (stream, decodingTime, PacketQueue(byteLimit: Self.byteLimit))
    }
    (lastSeen, newest) = (lastSeen ?? decodingTime, decodingTime ?? newest)
    guard let next else { return false }
    next.packets.append(read)
    return true
  }

  /// Whether the stream that is read has ended, so that the next one follows.
  var isOver: Bool {
    guard let next else { return false }
    if next.packets.isFull { return true }
    guard let lastSeen, let newest else { return false }
    return newest - lastSeen > Self.patience
  }

  /// The first packet of the stream that may follow; nil where there is none.
  var firstHeld: UnsafeMutablePointer<AVPacket>? { next.map { $0.packets[0] } }

  /// Switches to the next stream; false where there is none.
  ///
  /// - Parameter start: when `firstHeld` is shown.
  mutating func follow(from start: MediaTime?) -> Bool {
    guard let found = next else { return false }
    (current, arrived, next, lastSeen) = (found.stream, found.packets, nil, newest ?? lastSeen)
    if let time = start, !stretches.contains(where: { $0.stream == found.stream }) {
      let place = stretches.firstIndex { $0.start > time } ?? stretches.count
      stretches.insert((time, found.stream), at: max(1, place))
    }
    return true
  }
}
