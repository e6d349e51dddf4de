/// A movie fragment cut into several, each with some of its samples, so that a segment can be sent while it is made
/// (ISO/IEC 14496-12). A value.
struct FragmentCutter {
  /// One sample in decoding order; times in ticks.
  struct Sample {
    var size: Int
    var duration: Int64
    var offset: Int64
    /// As the run has it.
    var entry: ArraySlice<UInt8>
  }

  let samples: [Sample]
  private let lead: ArraySlice<UInt8>
  private let header: ArraySlice<UInt8>
  private let decodeTime: Int64
  private let runFlags: UInt32
  private let runVersion: UInt8
  private let data: ArraySlice<UInt8>

  /// Nil unless the bytes are boxes before one fragment of one track with one run, and its data.
  init?(_ bytes: [UInt8]) {
    let top = LiveBoxes.children(of: bytes[...])
    guard let moof = top.first(where: { $0.type == "moof" }), top.last?.type == "mdat", let mdat = top.last,
      top.count(where: { $0.type == "moof" || $0.type == "mdat" }) == 2,
      let traf = LiveBoxes.children(of: moof.payload).first(where: { $0.type == "traf" })
    else { return nil }
    let inner = LiveBoxes.children(of: traf.payload)
    guard inner.map(\.type) == ["tfhd", "tfdt", "trun"] else { return nil }
    var times = LiveBoxes.Reader(inner[1].payload)
    guard let timeHead = times.word(), let time = timeHead >> 24 == 1 ? times.long() : times.word().map(Int64.init),
      let defaults = Self.defaultDuration(inner[0].payload),
      let run = Self.run(inner[2].payload, defaultDuration: defaults)
    else { return nil }
    guard run.samples.reduce(0, { $0 + $1.size }) == mdat.payload.count else { return nil }
    (samples, runFlags, runVersion, decodeTime) = (run.samples, run.flags, run.version, time)
    (lead, header, data) = (bytes[..<moof.whole.startIndex], inner[0].whole, mdat.payload)
  }

  /// 0 where there is none.
  private static func defaultDuration(_ payload: ArraySlice<UInt8>) -> Int64? {
    var reader = LiveBoxes.Reader(payload)
    guard let head = reader.word(), reader.word() != nil else { return nil }
    // Data that is counted from elsewhere than the fragment would be found no more.
    guard head & 0x1 == 0 else { return nil }
    if head & 0x2 != 0, reader.word() == nil { return nil }
    return head & 0x8 == 0 ? 0 : reader.word().map(Int64.init)
  }

  private static func run(
    _ payload: ArraySlice<UInt8>, defaultDuration: Int64
  ) -> (samples: [Sample], flags: UInt32, version: UInt8)? {
    var reader = LiveBoxes.Reader(payload)
    guard let head = reader.word(), let count = reader.word(), count > 0, count < 100_000 else { return nil }
    let flags = head & 0xFF_FFFF
    guard flags & 0x1 != 0, flags & 0x4 == 0, flags & 0x200 != 0, reader.word() != nil else { return nil }
    var samples: [Sample] = []
    for _ in 0..<count {
      let start = reader.rest.startIndex
      var duration = defaultDuration
      if flags & 0x100 != 0 {
        guard let own = reader.word() else { return nil }
        duration = Int64(own)
      }
      guard let size = reader.word() else { return nil }
      if flags & 0x400 != 0, reader.word() == nil { return nil }
      var offset: Int64 = 0
      if flags & 0x800 != 0 {
        guard let own = reader.word() else { return nil }
        offset = Int64(Int32(bitPattern: own))
      }
      samples.append(
        Sample(
          size: Int(size), duration: duration, offset: offset,
          entry: payload[Range(from: start, to: reader.rest.startIndex)]))
    }
    return (samples, flags, UInt8(head >> 24))
  }

  /// How many samples each part has: as many as last at most `share` of the whole, but for cuts that would part pictures from others
  /// that are shown before them.
  func counts(share: Double) -> [Int] {
    let total = samples.reduce(0) { $0 + $1.duration }
    let limit = max(1, Int64(Double(total) * share * 1.000_001))
    var presented: [Int64] = []
    var clock: Int64 = 0
    for sample in samples {
      presented.append(clock + sample.offset)
      clock += sample.duration
    }
    // Behind each sample, the earliest that is shown.
    var earliest = [Int64](repeating: .max, count: samples.count + 1)
    for index in samples.indices.reversed() { earliest[index] = min(earliest[index + 1], presented[index]) }
    var (counts, first, latest): ([Int], Int, Int64) = ([], 0, .min)
    var (length, best): (Int64, Int?) = (0, nil)
    for index in samples.indices {
      if length + samples[index].duration > limit, let cut = best {
        counts.append(cut - first)
        length -= samples[Range(from: first, to: cut)].reduce(0) { $0 + $1.duration }
        (first, best) = (cut, nil)
      }
      length += samples[index].duration
      latest = max(latest, presented[index])
      if latest < earliest[index + 1], length <= limit || best == nil { best = index + 1 }
    }
    return counts + [samples.count - first]
  }

  /// The parts, each a fragment of its own.
  ///
  /// - Parameters:
  ///   - counts: samples of each; together all.
  ///   - number: the first one's sequence number.
  func parts(_ counts: [Int], number: UInt32) -> [[UInt8]] {
    var (parts, first, place, time): ([[UInt8]], Int, Int, Int64) = ([], 0, data.startIndex, decodeTime)
    for (index, count) in counts.enumerated() {
      let own = samples[Range(from: first, to: first + count)]
      let bytes = own.reduce(0) { $0 + $1.size }
      let size = fragment(own, number &+ UInt32(truncatingIfNeeded: index), time, offset: 0).count
      let head = fragment(own, number &+ UInt32(truncatingIfNeeded: index), time, offset: UInt32(size + 8))
      parts.append(
        (index == 0 ? Array(lead) : []) + head
          + LiveBoxes.box("mdat", Array(data[Range(from: place, to: place + bytes)])))
      (first, place) = (first + count, place + bytes)
      time += own.reduce(0) { $0 + $1.duration }
    }
    return parts
  }

  private func fragment(_ own: ArraySlice<Sample>, _ number: UInt32, _ time: Int64, offset: UInt32) -> [UInt8] {
    let sequence = LiveBoxes.box("mfhd", LiveBoxes.bytes(UInt32(0)) + LiveBoxes.bytes(number))
    let start = LiveBoxes.box("tfdt", LiveBoxes.bytes(UInt32(1) << 24) + LiveBoxes.bytes(UInt64(bitPattern: time)))
    let run = LiveBoxes.box(
      "trun",
      LiveBoxes.bytes(UInt32(runVersion) << 24 | runFlags) + LiveBoxes.bytes(UInt32(own.count))
        + LiveBoxes.bytes(offset) + own.flatMap(\.entry))
    return LiveBoxes.box("moof", sequence + LiveBoxes.box("traf", Array(header) + start + run))
  }
}

/// Boxes of ISO/IEC 14496-12, as far as fragments have them.
enum LiveBoxes {
  struct Box {
    var type: String
    var whole: ArraySlice<UInt8>
    var payload: ArraySlice<UInt8> { whole.dropFirst(8) }
  }

  /// Up to one that is not whole.
  static func children(of bytes: ArraySlice<UInt8>) -> [Box] {
    var (found, rest): ([Box], ArraySlice<UInt8>) = ([], bytes)
    while rest.count >= 8 {
      let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, size <= rest.count else { break }
      found.append(
        Box(type: String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self), whole: rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return found
  }

  static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    bytes(UInt32(8 + payload.count)) + Array(type.utf8) + payload
  }

  /// Big-endian.
  static func bytes<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  struct Reader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func word() -> UInt32? {
      guard rest.count >= 4 else { return nil }
      defer { rest = rest.dropFirst(4) }
      return rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func long() -> Int64? {
      guard let high = word(), let low = word() else { return nil }
      return Int64(bitPattern: UInt64(high) << 32 | UInt64(low))
    }
  }
}
