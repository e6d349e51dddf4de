public import Frames

/// Where sound goes, as `--audio` names it.
///
/// `off`; `default` or `auto`, the system's device; the name of a device; `null`, a device made of a clock, with options such as
/// `null:latency=40ms,drift=100ppm,offset=20ms,underrun=50ms@30s`; `file:PATH`, a WAV file. Numbers without a unit are milliseconds, parts
/// per million, and seconds behind the `@`.
public enum AudioOutputChoice: Sendable, Hashable, CustomStringConvertible {
  /// No sound is decoded.
  case off
  case null(NullOutput.Options)
  /// Nil: the default one.
  case device(name: String?)
  case file(path: String)

  /// Throws `.usage` for an empty name, an empty path, and options that the null device does not have.
  public init(_ text: String) throws(Failure) {
    switch text {
    case "": throw Self.refusal(text, "it is empty")
    case "off": self = .off
    case "default", "auto": self = .device(name: nil)
    case "null": self = .null(NullOutput.Options())
    case "file:": throw Self.refusal(text, "the file has no name")
    case _ where text.hasPrefix("file:"): self = .file(path: String(text.dropFirst(5)))
    case _ where text.hasPrefix("null:"):
      var options = NullOutput.Options()
      for option in text.dropFirst(5).split(separator: ",", omittingEmptySubsequences: false) {
        guard options.read(option) else { throw Self.refusal(text, "'\(option)' is no option of the null device") }
      }
      self = .null(options)
    default: self = .device(name: text)
    }
  }

  private static func refusal(_ text: String, _ cause: String) -> Failure {
    Failure(
      .usage, "cannot use '\(text)' as a sound output", cause: cause,
      remedy: "outputs are off, default, the name of a device, file:PATH, and null with options such as "
        + "null:period=10ms,latency=40ms,capacity=200ms,clock=50ppm,drift=100ppm,offset=20ms,underrun=50ms@30s")
  }

  /// A device that can be heard, and unplugged.
  public var isDevice: Bool { if case .device = self { true } else { false } }

  /// As `init` reads it.
  public var description: String {
    switch self {
    case .off: "off"
    case .null(let options):
      options.texts.isEmpty ? "null" : "null:" + options.texts.joined(separator: ",")
    case .device(let name): name ?? "default"
    case .file(let path): "file:\(path)"
    }
  }

  /// Opens the output; it stands until `play`. Nil for `off`.
  ///
  /// Throws `.device` where the device cannot be opened or OpenAL is missing, `.output` where the file cannot be written.
  ///
  /// - Parameter usesHeadphones: devices turn what surrounds the listener into two ears by HRTF; nil: as `OpenALOutput` has it.
  public func open(format: SoundFormat, usesHeadphones: Bool? = nil) throws(Failure) -> (any AudioOutput)? {
    switch self {
    case .off: nil
    case .null(let options): NullOutput(format: format, options: options)
    case .file(let path): try FileOutput(path: path, format: format)
    case .device(let name): try OpenALOutput(name: name, format: format, usesHeadphones: usesHeadphones)
    }
  }
}

extension NullOutput.Options {
  /// `latency=40ms`; false where it is none.
  fileprivate mutating func read(_ option: Substring) -> Bool {
    let sides = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2 else { return false }
    switch sides[0] {
    case "period": return Self.read(sides[1], in: 0.001...1, into: &period)
    case "latency": return Self.read(sides[1], in: 0...10, into: &latency)
    case "capacity": return Self.read(sides[1], in: 0.001...60, into: &capacity)
    case "offset": return Self.read(sides[1], in: -10...10, into: &offset)
    case "drift": return Self.read(sides[1], into: &drift)
    case "clock": return Self.read(sides[1], into: &clockDrift)
    case "underrun":
      let parts = sides[1].split(separator: "@", omittingEmptySubsequences: false)
      var underrun = NullOutput.PlantedUnderrun(at: .zero, duration: .zero)
      guard parts.count == 2, Self.read(parts[0], in: 0...3600, into: &underrun.duration),
        Self.read(parts[1], in: 0...1e6, bare: 1, into: &underrun.at)
      else { return false }
      underruns.append(underrun)
      return true
    default: return false
    }
  }

  /// - Parameter bare: seconds that a number without a unit counts.
  private static func read(
    _ text: Substring, in range: ClosedRange<Double>, bare: Double = 1e-3, into time: inout MediaTime
  ) -> Bool {
    let (digits, factor) =
      text.hasSuffix("ms") ? (text.dropLast(2), 1e-3) : text.hasSuffix("s") ? (text.dropLast(), 1) : (text, bare)
    guard let value = number(digits), range.contains(value * factor) else { return false }
    time = MediaTime(seconds: value * factor)
    return true
  }

  private static func read(_ text: Substring, into drift: inout Double) -> Bool {
    guard let value = number(text.hasSuffix("ppm") ? text.dropLast(3) : text), abs(value) <= 100_000 else {
      return false
    }
    drift = value
    return true
  }

  /// Digits with a point and a sign, nothing else that Swift reads as a number.
  private static func number(_ text: Substring) -> Double? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.".utf8.contains($0) } ? Double(text) : nil
  }

  /// What differs from the usual.
  fileprivate var texts: [String] {
    let usual = Self()
    func text(_ name: String, _ time: MediaTime, _ other: MediaTime) -> [String] {
      time == other ? [] : ["\(name)=\(Self.text(time))"]
    }
    return text("period", period, usual.period) + text("latency", latency, usual.latency)
      + text("capacity", capacity, usual.capacity) + text("offset", offset, usual.offset)
      + (drift == 0 ? [] : ["drift=\(Self.text(drift))ppm"])
      + (clockDrift == 0 ? [] : ["clock=\(Self.text(clockDrift))ppm"])
      + underruns.map { "underrun=\(Self.text($0.duration))@\(Self.text($0.at))" }
  }

  private static func text(_ time: MediaTime) -> String { text(time.milliseconds) + "ms" }

  private static func text(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }
}
