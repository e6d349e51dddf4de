import FoundationEssentials
import Frames

/// A message about the splices of a stream (SCTE 35 2023 §9.6, `splice_info_section`), as far as breaks need it. A value.
///
/// Its check sum is not looked at: many encoders write a wrong one.
package struct SpliceSection: Sendable, Hashable {
  package enum Command: Sendable, Hashable {
    case insert(SpliceInsert)
    /// `SpliceSegmentation` tells what begins or ends.
    case timeSignal
    /// `splice_null`, `splice_schedule`, `bandwidth_reservation`, private ones.
    case other(UInt8)
  }

  package var command: Command
  package var segmentations: [SpliceSegmentation] = []

  package init(_ command: Command, _ segmentations: [SpliceSegmentation] = []) {
    (self.command, self.segmentations) = (command, segmentations)
  }

  /// The longest that its 12 bits of length allow, in bytes.
  private static let byteLimit = 4_098

  /// Nil for other bytes, for ones that are cut, and for an encrypted message.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.byteLimit else { return nil }
    var bits = SpliceBits(bytes)
    guard bits.take(8) == 0xFC, bits.skip(4), let length = bits.take(12), length + 3 <= bytes.count, bits.take(8) == 0,
      bits.take(1) == 0, bits.skip(6 + 33 + 8 + 12), let commandBytes = bits.take(12), let type = bits.take(8)
    else { return nil }
    let begin = bits.position
    switch type {
    case 0x05:
      guard let insert = SpliceInsert(&bits) else { return nil }
      command = .insert(insert)
    case 0x06:
      guard bits.skipTime() else { return nil }
      command = .timeSignal
    default: command = .other(UInt8(type))
    }
    // All ones: the length is not told.
    if commandBytes != 0xFFF, !bits.move(to: begin + 8 * commandBytes) { return nil }
    if case .other = command, commandBytes == 0xFFF { return }
    guard let loopBytes = bits.take(16) else { return nil }
    let end = bits.position + 8 * loopBytes
    guard end <= 8 * bytes.count else { return nil }
    while bits.position < end {
      guard let tag = bits.take(8), let count = bits.take(8), bits.position + 8 * count <= end else { return nil }
      let next = bits.position + 8 * count
      if tag == 0x02, bits.take(32) == Self.identifier, let found = SpliceSegmentation(&bits), bits.position <= next {
        segmentations.append(found)
      }
      guard bits.move(to: next) else { return nil }
    }
  }

  /// `CUEI`.
  private static let identifier = 0x4355_4549

  /// As playlists (`0x` and hexadecimal digits) and manifests (base64) have it; nil for other texts.
  package init?(text: some StringProtocol) {
    let text = MPDText.trimmed(String(text.prefix(4 * Self.byteLimit)))
    if text.hasPrefix("0x") || text.hasPrefix("0X") {
      let digits = Array(text.utf8.dropFirst(2))
      guard digits.count.isMultiple(of: 2) else { return nil }
      var bytes: [UInt8] = []
      for place in stride(from: 0, to: digits.count, by: 2) {
        guard let high = Self.digit(digits[place]), let low = Self.digit(digits[place + 1]) else { return nil }
        bytes.append(high << 4 | low)
      }
      self.init(bytes)
    } else {
      guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else { return nil }
      self.init([UInt8](data))
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    byte < 0x80 ? Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } : nil
  }
}

/// `splice_insert`: the network is left, or joined again. A value.
package struct SpliceInsert: Sendable, Hashable {
  package var event: UInt32
  /// The earlier message with this event is withdrawn.
  package var isCancelled = false
  /// Left, for a break.
  package var isOut = false
  package var duration: MediaTime?

  package init(event: UInt32, isCancelled: Bool = false, isOut: Bool = false, duration: MediaTime? = nil) {
    (self.event, self.isCancelled, self.isOut, self.duration) = (event, isCancelled, isOut, duration)
  }

  fileprivate init?(_ bits: inout SpliceBits) {
    guard let event = bits.take(32), let cancel = bits.take(1), bits.skip(7) else { return nil }
    self.init(event: UInt32(event), isCancelled: cancel == 1)
    guard !isCancelled else { return }
    guard let out = bits.take(1), let isOfProgram = bits.take(1), let hasDuration = bits.take(1),
      let isImmediate = bits.take(1), bits.skip(4)
    else { return nil }
    isOut = out == 1
    if isOfProgram == 1 {
      if isImmediate == 0, !bits.skipTime() { return nil }
    } else {
      guard let count = bits.take(8) else { return nil }
      for _ in 0..<count where !bits.skip(8) || isImmediate == 0 && !bits.skipTime() { return nil }
    }
    if hasDuration == 1 {
      guard bits.skip(7), let ticks = bits.take(33) else { return nil }
      duration = SpliceBits.time(ticks)
    }
    guard bits.skip(32) else { return nil }
  }
}

/// `segmentation_descriptor`: what begins or ends. A value.
package struct SpliceSegmentation: Sendable, Hashable {
  package var event: UInt32
  package var isCancelled = false
  package var duration: MediaTime?
  /// `segmentation_type_id`.
  package var type: UInt8 = 0

  package init(event: UInt32, isCancelled: Bool = false, duration: MediaTime? = nil, type: UInt8 = 0) {
    (self.event, self.isCancelled, self.duration, self.type) = (event, isCancelled, duration, type)
  }

  /// Begins behind the descriptor's identifier.
  fileprivate init?(_ bits: inout SpliceBits) {
    guard let event = bits.take(32), let cancel = bits.take(1), bits.skip(7) else { return nil }
    self.init(event: UInt32(event), isCancelled: cancel == 1)
    guard !isCancelled else { return }
    guard let isOfProgram = bits.take(1), let hasDuration = bits.take(1), bits.skip(6) else { return nil }
    if isOfProgram == 0 {
      guard let count = bits.take(8), bits.skip(48 * count) else { return nil }
    }
    if hasDuration == 1 {
      guard let ticks = bits.take(40) else { return nil }
      duration = SpliceBits.time(ticks)
    }
    guard bits.skip(8), let count = bits.take(8), bits.skip(8 * count), let type = bits.take(8), bits.skip(16) else {
      return nil
    }
    self.type = UInt8(type)
  }

  /// Types that begin a break and are ended by the next number: break; provider's and distributor's advertisements, placement
  /// opportunities, promotions and blocks. Not overlays: the picture goes on below them.
  private static let starts: Set<UInt8> = [0x22, 0x30, 0x32, 0x34, 0x36, 0x3C, 0x3E, 0x44, 0x46]

  package var beginsBreak: Bool { Self.starts.contains(type) }
  package var endsBreak: Bool { type > 0 && Self.starts.contains(type - 1) }
}

/// Reads numbers of so many bits; none behind the end.
private struct SpliceBits {
  private let bytes: [UInt8]
  /// In bits.
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// At most 48 bits.
  mutating func take(_ count: Int) -> Int? {
    guard position + count <= 8 * bytes.count else { return nil }
    var value = 0
    for bit in Range(from: position, to: position + count) {
      value = value << 1 | Int(bytes[bit >> 3] >> UInt8(7 - bit & 7) & 1)
    }
    position += count
    return value
  }

  mutating func skip(_ count: Int) -> Bool { move(to: position + count) }

  mutating func move(to place: Int) -> Bool {
    guard place <= 8 * bytes.count else { return false }
    position = place
    return true
  }

  /// `splice_time()`.
  mutating func skipTime() -> Bool {
    guard let isSpecified = take(1) else { return false }
    return skip(isSpecified == 1 ? 39 : 7)
  }

  /// Of the 90 kHz clock.
  static func time(_ ticks: Int) -> MediaTime { TickArithmetic.time(Int64(ticks), timescale: 90_000) }
}
