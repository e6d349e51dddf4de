internal import CFFmpeg

/// The packets that a decoder was given since the sync sample before the last: from there another decoder can take over.
///
/// The data is shared with what the decoder holds. One thread at a time.
final class PacketHistory {
  /// Groups of pictures, the older one first.
  private var groups: [[ReadPacket]] = []
  private var byteCount = 0
  /// It begins with a sync sample, and nothing is missing.
  private(set) var isWhole = true

  static let byteLimit = 128 << 20

  deinit { removeAll() }

  func append(_ read: ReadPacket) {
    guard let packet = av_packet_clone(read.packet) else {
      isWhole = false
      return
    }
    if packet.pointee.flags & AV_PKT_FLAG_KEY != 0 || groups.isEmpty {
      // Frames of the group before may still be in the decoder, those before it are not.
      if groups.count > 1 { dropFirst() }
      groups.append([])
    }
    var copy = read
    copy.packet = packet
    groups[groups.count - 1].append(copy)
    byteCount += Int(packet.pointee.size)
    while byteCount > Self.byteLimit, groups.count > 1 { dropFirst() }
    if byteCount > Self.byteLimit { isWhole = false }
  }

  /// All of them, oldest first; they are the caller's from now on.
  func takeAll() -> [ReadPacket] {
    defer { forget() }
    return groups.flatMap { $0 }
  }

  func removeAll() {
    for read in groups.joined() { free(read.packet) }
    forget()
    isWhole = true
  }

  private func dropFirst() {
    for read in groups.removeFirst() {
      byteCount -= Int(read.packet.pointee.size)
      free(read.packet)
    }
  }

  private func forget() {
    groups.removeAll()
    byteCount = 0
  }
}
