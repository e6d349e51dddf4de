import Frames
import Glibc

/// Some of the machine's processors, written as the kernel writes them: `0-3,6`.
public struct CPUSet: Hashable, Sendable, CustomStringConvertible {
  /// Ascending, each once, never empty.
  public let cpus: [Int]

  /// Nil for no or impossible processors.
  public init?(_ cpus: some Sequence<Int>) {
    self.cpus = Set(cpus).sorted()
    guard let first = self.cpus.first, let last = self.cpus.last, first >= 0, last < Self.limit else { return nil }
  }

  /// Numbers and ranges, separated by commas; nil for anything else.
  public init?(_ text: String) {
    var cpus: Set<Int> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
      guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first <= last else { return nil }
      cpus.formUnion(ClosedRange(from: first, through: last))
    }
    self.init(cpus)
  }

  /// Digits only: `Int` would take a sign.
  private static func number(_ text: Substring) -> Int? {
    guard text.allSatisfy(\.isWholeNumber), text.count <= 5, let number = Int(text), number < limit else { return nil }
    return number
  }

  /// As many as `cpu_set_t` holds.
  private static let limit = 1024

  public var description: String {
    var ranges: [ClosedRange<Int>] = []
    for cpu in cpus {
      if let last = ranges.last, last.upperBound == cpu - 1 {
        ranges[ranges.count - 1] = ClosedRange(from: last.lowerBound, through: cpu)
      } else {
        ranges.append(cpu...cpu)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }

  /// The processors that the calling thread may use; nil when the kernel does not say.
  public static var allowed: CPUSet? {
    var words = [UInt](repeating: 0, count: limit / UInt.bitWidth)
    let status = words.withUnsafeMutableBytes { affinityCall("sched_getaffinity", $0.baseAddress, $0.count) }
    guard status == 0 else { return nil }
    return CPUSet((0..<limit).filter { words[$0 / UInt.bitWidth] >> UInt($0 % UInt.bitWidth) & 1 == 1 })
  }

  /// Throws `.usage` where one of them does not exist, or is not given to this process.
  public func check(against allowed: CPUSet? = .allowed) throws(Failure) {
    guard let allowed, let missing = cpus.first(where: { !allowed.cpus.contains($0) }) else { return }
    throw Failure(
      .usage, "cannot pin to CPU \(missing)", cause: "this process has none of that number",
      remedy: "there \(allowed.cpus.count == 1 ? "is" : "are") \(allowed)")
  }

  /// Keeps the calling thread, and every process it starts from now on, on these processors.
  ///
  /// Throws `.usage` as `check` does, and `.failed` where the kernel refuses.
  public func pin() throws(Failure) {
    try check()
    var words = [UInt](repeating: 0, count: Self.limit / UInt.bitWidth)
    for cpu in cpus { words[cpu / UInt.bitWidth] |= 1 << UInt(cpu % UInt.bitWidth) }
    let status = words.withUnsafeMutableBytes { affinityCall("sched_setaffinity", $0.baseAddress, $0.count) }
    guard status == 0 else {
      throw Failure(.failed, "cannot pin to CPUs \(self)", cause: String(cString: strerror(errno)))
    }
  }
}

/// Calls a function that glibc declares for `_GNU_SOURCE` only, which Swift's module of it leaves out; it concerns the
/// calling thread. 0 is success.
private func affinityCall(_ name: String, _ mask: UnsafeMutableRawPointer?, _ bytes: Int) -> Int32 {
  guard let symbol = dlsym(nil, name), let mask else { return -1 }
  typealias Function = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32
  return unsafeBitCast(symbol, to: Function.self)(0, bytes, mask)
}

extension CPUSet: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let set = CPUSet(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is no list of CPUs"))
    }
    self = set
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
