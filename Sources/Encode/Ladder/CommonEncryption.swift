internal import CFFmpeg
import FFmpegLog
import Frames

/// `cenc` of ISO/IEC 23001-7: AES-128 in counter mode, with an initialization vector of 8 bytes for each sample. Of
/// pictures the headers of each unit stay clear; of sound everything is encrypted.
struct CommonEncryption {
  let key: [UInt8]
  let keyIdentifier: [UInt8]
  /// Makes the vectors of all tracks differ.
  let track: Int

  /// Bytes of each unit that stay clear at least: what a decoder may have to read before decryption.
  private static let clearBytes = 96

  /// The initialization segment for encrypted samples: another sample entry with the key's identifier, and a `pssh` box
  /// of the system that stands for licences by key identifier (W3C, "cenc" Initialization Data Format).
  func protecting(header: [UInt8]) -> [UInt8] {
    let entries = Boxes.replacing(["moov", "trak", "mdia", "minf", "stbl", "stsd"], in: header) { description in
      let (head, entry) = (description.prefix(8), Array(description.dropFirst(8)))
      let original = Array(entry[4..<8])
      let scheme = Boxes.fullBox("schm", Array("cenc".utf8) + Boxes.bytes(UInt32(0x0001_0000)))
      // Two reserved bytes, protected, vectors of 8 bytes.
      let defaults = Boxes.fullBox("tenc", [0, 0, 1, 8] + keyIdentifier)
      let information = Boxes.box("sinf", Boxes.box("frma", original) + scheme + Boxes.box("schi", defaults))
      let type = original == Array("mp4a".utf8) ? "enca" : "encv"
      return head + Boxes.box(type, Array(entry.dropFirst(8)) + information)
    }
    let system: [UInt8] = [
      0x10, 0x77, 0xEF, 0xEC, 0xC0, 0xB2, 0x4D, 0x02, 0xAC, 0xE3, 0x3C, 0x1E, 0x52, 0xE2, 0xFB, 0x4B,
    ]
    let list = system + Boxes.bytes(UInt32(1)) + keyIdentifier + Boxes.bytes(UInt32(0))
    return Boxes.replacing(["moov"], in: entries) { $0 + Boxes.fullBox("pssh", version: 1, list) }
  }

  /// Encrypts samples in place; the first one is the track's sample `number`.
  ///
  /// - Returns: the samples' part of a `senc` box.
  func protect(_ samples: inout [[UInt8]], isVideo: Bool, from number: Int) -> [UInt8] {
    var table: [UInt8] = []
    let cipher = av_aes_ctr_alloc()
    defer { av_aes_ctr_free(cipher) }
    guard av_aes_ctr_init(cipher, key) >= 0 else { preconditionFailure("a key has 16 bytes") }
    for index in samples.indices {
      let vector = Boxes.bytes(UInt64(track) << 32 | UInt64(number + index))
      table += vector
      av_aes_ctr_set_full_iv(cipher, vector + [UInt8](repeating: 0, count: 8))
      let parts = isVideo ? Self.parts(of: samples[index]) : [(clear: 0, protected: samples[index].count)]
      if isVideo { table += Boxes.bytes(UInt16(parts.count)) }
      var place = 0
      for part in parts {
        if isVideo { table += Boxes.bytes(UInt16(part.clear)) + Boxes.bytes(UInt32(part.protected)) }
        place += part.clear
        // The counter goes on from part to part.
        samples[index].withUnsafeMutableBufferPointer { buffer in
          guard let base = buffer.baseAddress, part.protected > 0 else { return }
          av_aes_ctr_crypt(cipher, base + place, base + place, Int32(part.protected))
        }
        place += part.protected
      }
    }
    return table
  }

  /// The boxes that say how the samples of a fragment are encrypted.
  ///
  /// - Parameters:
  ///   - table: from `protect`.
  ///   - offset: from the fragment's first byte to these boxes.
  func boxes(_ table: [UInt8], count: Int, isVideo: Bool, offset: Int) -> [UInt8] {
    let samples = Boxes.fullBox("senc", flags: isVideo ? 2 : 0, Boxes.bytes(UInt32(count)) + table)
    var sizes: [UInt8] = []
    var place = 0
    while isVideo && place + 10 <= table.count {
      let size = 10 + 6 * (Int(table[place + 8]) << 8 | Int(table[place + 9]))
      sizes.append(UInt8(clamping: size))
      place += size
    }
    let lengths = Boxes.fullBox("saiz", [isVideo ? 0 : 8] + Boxes.bytes(UInt32(count)) + sizes)
    // To the first vector: behind header, flags and count.
    let place0 = Boxes.fullBox("saio", Boxes.bytes(UInt32(1)) + Boxes.bytes(UInt32(offset + 16)))
    return samples + lengths + place0
  }

  /// Clear and encrypted bytes of a sample's units. Encrypted parts are whole blocks.
  private static func parts(of sample: [UInt8]) -> [(clear: Int, protected: Int)] {
    var parts: [(clear: Int, protected: Int)] = []
    var pending = 0
    var place = 0
    while place + 4 <= sample.count {
      let length = sample[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let isSlice = place + 4 < sample.count && (1...5).contains(sample[place + 4] & 31)
      let protected = isSlice ? max(0, length - clearBytes) / 16 * 16 : 0
      pending += 4 + length - protected
      place += 4 + length
      guard protected > 0 else { continue }
      append(clear: pending, protected, to: &parts)
      pending = 0
    }
    if pending > 0 { append(clear: pending, 0, to: &parts) }
    return parts
  }

  /// The clear part of an entry has 16 bits.
  private static func append(clear: Int, _ protected: Int, to parts: inout [(clear: Int, protected: Int)]) {
    var rest = clear
    while rest > 0xFFFF {
      parts.append((0xFFFF, 0))
      rest -= 0xFFFF
    }
    parts.append((rest, protected))
  }
}
