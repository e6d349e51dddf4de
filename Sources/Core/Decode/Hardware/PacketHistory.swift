internal import CFFmpeg
import Media

/// The latest packets sent to a decoder, from which another decoder can take over.
///
/// The data is shared with what the decoder holds. One thread at a time.
final class PacketHistory {
  /// Oldest first.
  private var packets: [ReadPacket] = []
  private var ledger = PacketLedger()
  /// It begins with a sync sample, and nothing is missing.
  var isWhole: Bool { ledger.isWhole }

  deinit { removeAll() }

  func append(_ read: ReadPacket) {
    guard let packet = av_packet_clone(read.packet) else { return dropFirst(ledger.lose()) }
    var copy = read
    copy.packet = packet
    packets.append(copy)
    dropFirst(
      ledger.add(byteCount: Int(packet.pointee.size), isSyncSample: packet.pointee.flags & AV_PKT_FLAG_KEY != 0))
  }

  /// Removes all packets, oldest first; the caller owns them.
  func takeAll() -> [ReadPacket] {
    defer { forget() }
    return packets
  }

  func removeAll() {
    dropFirst(packets.count)
    forget()
  }

  private func dropFirst(_ count: Int) {
    for read in packets.prefix(count) { free(read.packet) }
    packets.removeFirst(count)
  }

  private func forget() {
    packets.removeAll()
    ledger = PacketLedger()
  }
}
