package import CFFmpeg
import Frames

/// Whether a frame is to come of a packet: VP8 and VP9 have some that only later frames refer to, and edit lists hide
/// some of every codec.
///
/// AV1 has exactly one frame in what a container calls a sample, all others one picture in a packet.
package func showsPicture(_ packet: UnsafeMutablePointer<AVPacket>, codec: AVCodecID) -> Bool {
  let size = Int(packet.pointee.size)
  guard packet.pointee.flags & AV_PKT_FLAG_DISCARD == 0, size > 0, let data = packet.pointee.data else { return false }
  let bytes = UnsafeBufferPointer(start: data, count: size)
  switch codec {
  case AV_CODEC_ID_VP8: return bytes[0] & 0x10 != 0
  case AV_CODEC_ID_VP9: return vp9Frames(bytes).contains { vp9IsShown(bytes[$0]) }
  default: return true
  }
}

/// Where the frames of a packet begin: the index of a superframe, VP9's annex B.
private func vp9Frames(_ bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
  guard let marker = bytes.last, marker & 0xE0 == 0xC0 else { return [0] }
  let (count, width) = (Int(marker & 7) + 1, Int(marker >> 3 & 3) + 1)
  let index = bytes.count - 2 - count * width
  guard index > 0, bytes[index] == marker else { return [0] }
  var start = 0
  return (0..<count).compactMap { number in
    let size = (0..<width).reduce(0) { $0 | Int(bytes[index + 1 + number * width + $1]) << (8 * $1) }
    defer { start += size }
    return size > 0 && start < index ? start : nil
  }
}

/// `show_existing_frame` or `show_frame` of VP9's uncompressed header, 7.2; profile 3 has a reserved bit before them.
private func vp9IsShown(_ header: UInt8) -> Bool {
  let bits = header & 0x30 == 0x30 ? header << 1 : header
  return bits & 0x08 != 0 || bits & 0x02 != 0
}

/// Whether no frame from this packet on refers to one before it or is shown before one before it: an IDR picture of a raw
/// stream of H.264 or HEVC. Of other codecs that is not told here.
package func isRefresh(_ packet: UnsafeMutablePointer<AVPacket>, codec: AVCodecID) -> Bool {
  guard codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC, packet.pointee.flags & AV_PKT_FLAG_KEY != 0,
    let data = packet.pointee.data
  else { return false }
  let bytes = UnsafeBufferPointer(start: data, count: Int(packet.pointee.size))
  // The first unit of a slice tells: `nal_unit_type` 1 to 5 in H.264 (table 7-1), below 32 in HEVC (table 7-1).
  var position = 0
  while position + 3 < bytes.count {
    defer { position += 1 }
    guard bytes[position] == 0, bytes[position + 1] == 0, bytes[position + 2] == 1 else { continue }
    let type = codec == AV_CODEC_ID_H264 ? bytes[position + 3] & 0x1F : bytes[position + 3] >> 1 & 0x3F
    if codec == AV_CODEC_ID_H264, (1...5).contains(type) { return type == 5 }
    if codec == AV_CODEC_ID_HEVC, type < 32 { return type == 19 || type == 20 }
  }
  return false
}
