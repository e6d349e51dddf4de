import FoundationEssentials
import Frames
import Glibc

/// Samples of records to join, kept as raw text: parsing and printing millions of numbers would take ten
/// times as long as all other work. In the records each array holds one number, its index in this list.
struct LiftedSamples {
  private var texts: [[UInt8]] = []
  private var minima: [Double] = []

  /// Reads a record, less its samples.
  mutating func lift(_ path: String) throws(Failure) -> Record {
    let attempt = "cannot read record '\(path)'"
    let data = try RecordFile.json(path)
    let first = texts.count
    let json = try RecordCoding.replacingSamples(in: [UInt8](data)) { text throws(Failure) in
      let dense = text.filter { $0 > 0x20 }
      guard !dense.isEmpty else { return [] }
      guard let least = Self.minimum(dense) else {
        throw Failure(.input, attempt, cause: "samples in it are not numbers", remedy: "measure again, or leave it out")
      }
      texts.append(dense)
      minima.append(least)
      return Array("\(texts.count - 1)".utf8)
    }
    let record = try RecordCoding.decodeRecord(Data(json), name: path)
    // An escaped key is not found above: its numbers would be mistaken for indices.
    let places = record.scenarios.flatMap(\.trials).flatMap { trial in
      trial.metrics.values.map(\.samples) + trial.segments.flatMap { $0.metrics.values.map(\.samples) }
    }
    guard
      places.allSatisfy({
        $0.count <= 1 && $0.allSatisfy { Range(from: first, to: texts.count).contains(place($0) ?? -1) }
      })
    else {
      throw Failure(
        .input, attempt, cause: "its samples are not written as bench360 writes them",
        remedy: "measure again, or leave it out")
    }
    return record
  }

  /// Nil if it is no index.
  private func place(_ number: Double) -> Int? {
    Int(exactly: number).flatMap { texts.indices.contains($0) ? $0 : nil }
  }

  /// The smallest sample is the only statistic that a trial does not hold itself.
  func setMinima(of record: inout Record) {
    for index in record.scenarios.indices {
      let scenario = record.scenarios[index]
      let whole = scenario.trials.filter(\.complete)
      let pooled = whole.isEmpty ? scenario.trials : whole
      for name in scenario.summary.metrics.keys {
        let places = pooled.compactMap { $0.metrics[name]?.samples.first }
        record.scenarios[index].summary.metrics[name]?.min = places.compactMap(place).map { minima[$0] }.min()
      }
    }
  }

  /// An encoded record with its samples restored.
  func restored(_ json: Data) -> Data {
    let whole = RecordCoding.replacingSamples(in: [UInt8](json)) { text in
      Double(String(decoding: text, as: UTF8.self)).flatMap(place).map { texts[$0] } ?? []
    }
    return Data(whole)
  }

  /// Parses numbers separated by commas; nil if one is invalid.
  static func minimum(_ text: [UInt8]) -> Double? {
    var least = Double.infinity
    for number in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      guard let value = value(number) else { return nil }
      least = min(least, value)
    }
    return least
  }

  /// Up to fifteen digits need one exact division; all other numbers take the slow path.
  private static func value(_ number: ArraySlice<UInt8>) -> Double? {
    var (digits, places, count, isFraction) = (Int64(0), 0, 0, false)
    let isNegative = number.first == UInt8(ascii: "-")
    for byte in number.dropFirst(isNegative ? 1 : 0) {
      if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else if (48...57).contains(byte), count < 15 {
        digits = digits * 10 + Int64(byte - 48)
        count += 1
        if isFraction { places += 1 }
      } else {
        return Double(String(decoding: number, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
      }
    }
    guard count > 0 else { return nil }
    let value = Double(digits) / powers[places]
    return isNegative ? -value : value
  }

  private static let powers: [Double] = (0...15).map { pow(10, Double($0)) }
}
