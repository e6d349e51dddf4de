package import CFFmpeg
import Frames

/// Packets of one track that were read and not yet taken, oldest first. Owns their memory. One thread at a time.
package final class PacketQueue {
  private let byteLimit: Int
  private var entries: [ReadPacket] = []
  private var byteCount = 0
  /// Packets that `appendNewest` dropped since the queue was made.
  package private(set) var dropped = 0
  /// New headers among the released packets: the packets that follow need them.
  private var headers: (bytes: [UInt8], format: PacketFormat)?

  /// - Parameter byteLimit: from here on the queue is full. Its reader looks no further ahead; the queue takes what it is given.
  package init(byteLimit: Int) { self.byteLimit = byteLimit }

  deinit { removeAll() }

  package var count: Int { entries.count }
  package var isFull: Bool { byteCount >= byteLimit }

  package subscript(position: Int) -> UnsafeMutablePointer<AVPacket> { entries[position].packet }

  package func showsPicture(_ position: Int) -> Bool { entries[position].showsPicture }

  package func append(_ read: ReadPacket) {
    entries.append(read)
    byteCount += Int(read.packet.pointee.size)
  }

  /// Appends a packet whose consumer may be behind: where the queue is full, the oldest ones go.
  package func appendNewest(_ read: ReadPacket) {
    append(read)
    while byteCount > byteLimit, count > 1 {
      leaveOut(1)
      dropped += 1
    }
  }

  /// The format of the oldest packet; nil where the queue is empty.
  package var format: PacketFormat? { entries.first?.format }

  /// Removes the oldest packet; the caller owns it.
  package func takeFirst() -> ReadPacket? {
    guard let first = entries.first else { return nil }
    entries.removeFirst()
    byteCount -= Int(first.packet.pointee.size)
    return first
  }

  /// Puts a taken packet back as the oldest.
  package func putBack(_ read: ReadPacket) {
    entries.insert(read, at: 0)
    byteCount += Int(read.packet.pointee.size)
  }

  /// Lets go of the first `number` and tells how many frames they hold; decoding goes on at the one after them.
  @discardableResult
  package func leaveOut(_ number: Int) -> Int {
    let left = entries.prefix(number)
    entries.removeFirst(number)
    for entry in left {
      keepHeaders(entry)
      byteCount -= Int(entry.packet.pointee.size)
      free(entry.packet)
    }
    if let first = entries.first { giveHeaders(first) }
    return left.count(where: \.showsPicture)
  }

  package func removeAll() {
    leaveOut(entries.count)
    headers = nil
  }

  private func keepHeaders(_ read: ReadPacket) {
    var size = 0
    guard let data = av_packet_get_side_data(read.packet, AV_PKT_DATA_NEW_EXTRADATA, &size) else { return }
    headers = (Array(UnsafeBufferPointer(start: data, count: size)), read.format)
  }

  private func giveHeaders(_ read: ReadPacket) {
    guard let headers else { return }
    self.headers = nil
    // Another format begins with headers of its own.
    guard headers.format === read.format,
      av_packet_get_side_data(read.packet, AV_PKT_DATA_NEW_EXTRADATA, nil) == nil,
      let data = av_packet_new_side_data(read.packet, AV_PKT_DATA_NEW_EXTRADATA, headers.bytes.count)
    else { return }
    data.update(from: headers.bytes, count: headers.bytes.count)
  }
}

/// Frees a packet and what it holds.
package func free(_ packet: UnsafeMutablePointer<AVPacket>) {
  var freed: UnsafeMutablePointer<AVPacket>? = packet
  av_packet_free(&freed)
}
