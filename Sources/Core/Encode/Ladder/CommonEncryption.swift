internal import CFFmpeg
import Frames
import Media

/// Common encryption of samples (ISO/IEC 23001-7). Of pictures the headers of each unit stay clear; of sound everything is
/// encrypted.
struct CommonEncryption {
  enum Scheme: String {
    /// AES-128 in counter mode, with an initialization vector of 8 bytes for each sample.
    case counter = "cenc"
    /// AES-128 in CBC mode, of pictures one block in ten; every part begins with the track's one initialization vector.
    case pattern = "cbcs"
  }

  let scheme: Scheme
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
      let isVideo = original != Array("mp4a".utf8)
      let name = Boxes.fullBox("schm", Array(scheme.rawValue.utf8) + Boxes.bytes(UInt32(0x0001_0000)))
      let information = Boxes.box(
        "sinf", Boxes.box("frma", original) + name + Boxes.box("schi", defaults(isVideo: isVideo)))
      return head + Boxes.box(isVideo ? "encv" : "enca", Array(entry.dropFirst(8)) + information)
    }
    let system: [UInt8] = [
      0x10, 0x77, 0xEF, 0xEC, 0xC0, 0xB2, 0x4D, 0x02, 0xAC, 0xE3, 0x3C, 0x1E, 0x52, 0xE2, 0xFB, 0x4B,
    ]
    let list = system + Boxes.bytes(UInt32(1)) + keyIdentifier + Boxes.bytes(UInt32(0))
    return Boxes.replacing(["moov"], in: entries) { $0 + Boxes.fullBox("pssh", version: 1, list) }
  }

  private func defaults(isVideo: Bool) -> [UInt8] {
    switch scheme {
    // Two reserved bytes, protected, vectors of 8 bytes.
    case .counter: Boxes.fullBox("tenc", [0, 0, 1, 8] + keyIdentifier)
    // A reserved byte, the pattern, protected, a vector of 16 bytes for all.
    case .pattern:
      Boxes.fullBox("tenc", version: 1, [0, isVideo ? 0x19 : 0, 1, 0] + keyIdentifier + [16] + constantVector)
    }
  }

  private var constantVector: [UInt8] { Boxes.bytes(UInt64(track)) + Boxes.bytes(UInt64(0x6362_6373)) }

  /// Encrypts samples in place; the first one is the track's sample `number`.
  ///
  /// - Returns: the samples' part of a `senc` box.
  func protect(_ samples: inout [[UInt8]], isVideo: Bool, from number: Int) -> [UInt8] {
    var table: [UInt8] = []
    let cipher = SampleCipher(scheme, key: key, usesPattern: isVideo)
    for index in samples.indices {
      let vector = scheme == .counter ? Boxes.bytes(UInt64(track) << 32 | UInt64(number + index)) : []
      let parts = isVideo ? Self.parts(of: samples[index]) : [(clear: 0, protected: samples[index].count)]
      table += vector
      if isVideo {
        table += Boxes.bytes(UInt16(parts.count))
        for part in parts { table += Boxes.bytes(UInt16(part.clear)) + Boxes.bytes(UInt32(part.protected)) }
      }
      let start = scheme == .counter ? vector + [UInt8](repeating: 0, count: 8) : constantVector
      cipher.encrypt(&samples[index], parts, from: start)
    }
    return table
  }

  /// The boxes that say how the samples of a fragment are encrypted.
  ///
  /// - Parameters:
  ///   - table: from `protect`.
  ///   - offset: from the fragment's first byte to these boxes.
  func boxes(_ table: [UInt8], count: Int, isVideo: Bool, offset: Int) -> [UInt8] {
    // Nothing is told of samples that are encrypted whole with the track's vector.
    guard !table.isEmpty else { return Boxes.fullBox("senc", Boxes.bytes(UInt32(0))) }
    let samples = Boxes.fullBox("senc", flags: isVideo ? 2 : 0, Boxes.bytes(UInt32(count)) + table)
    var sizes: [UInt8] = []
    var place = 0
    let head = scheme == .counter ? 8 : 0
    while isVideo && place + head + 2 <= table.count {
      let size = head + 2 + 6 * (Int(table[place + head]) << 8 | Int(table[place + head + 1]))
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
      let length = sample[Range(from: place, to: place + 4)].reduce(0) { $0 << 8 | Int($1) }
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

/// AES of one sample after another. The counter goes on from part to part; a chain of blocks begins anew with each.
private final class SampleCipher {
  private let counter: OpaquePointer?
  private let blocks: OpaquePointer?
  private let usesPattern: Bool

  init(_ scheme: CommonEncryption.Scheme, key: [UInt8], usesPattern: Bool) {
    counter = scheme == .counter ? av_aes_ctr_alloc() : nil
    blocks = scheme == .pattern ? av_aes_alloc() : nil
    self.usesPattern = usesPattern
    let code = counter.map { av_aes_ctr_init($0, key) } ?? av_aes_init(blocks, key, 128, 0)
    guard code >= 0 else { preconditionFailure("a key has 16 bytes") }
  }

  deinit {
    av_aes_ctr_free(counter)
    av_free(UnsafeMutableRawPointer(blocks))
  }

  func encrypt(_ sample: inout [UInt8], _ parts: [(clear: Int, protected: Int)], from vector: [UInt8]) {
    if let counter { av_aes_ctr_set_full_iv(counter, vector) }
    sample.withUnsafeMutableBufferPointer { buffer in
      guard var place = buffer.baseAddress else { return }
      for part in parts {
        place += part.clear
        if let counter, part.protected > 0 { av_aes_ctr_crypt(counter, place, place, Int32(part.protected)) }
        if blocks != nil { encryptBlocks(place, count: part.protected / 16, from: vector) }
        place += part.protected
      }
    }
  }

  /// With the pattern, one block in ten: the first.
  private func encryptBlocks(_ start: UnsafeMutablePointer<UInt8>, count: Int, from vector: [UInt8]) {
    var chain = vector
    let step = usesPattern ? 10 : max(1, count)
    for block in stride(from: 0, to: count, by: step) {
      let place = start + 16 * block
      av_aes_crypt(blocks, place, place, usesPattern ? 1 : Int32(count), &chain, 0)
    }
  }
}
