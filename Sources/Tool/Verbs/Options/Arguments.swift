import ArgumentParser
import Frames
import GPU
import Host
import Render
import Run
import Verdict

// The engine's types as command-line arguments.

extension PictureSize: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension Ratio: ExpressibleByArgument {
  /// `30`, `29.97` (taken for 30000/1001) or `30000/1001`.
  public init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2, let numerator = Int32(parts[0]), let denominator = Int32(parts[1]) {
      self.init(numerator, denominator)
    } else if let whole = Int32(argument) {
      self.init(whole, 1)
    } else if let value = Double(argument), value > 0, value < 1e5 {
      let broadcast = (value * 1.001).rounded()
      let isBroadcast = abs(broadcast / 1.001 - value) < 0.005 && value != value.rounded()
      self = isBroadcast ? Ratio(Int32(broadcast) * 1000, 1001) : Ratio(Int32((value * 1000).rounded()), 1000)
    } else {
      return nil
    }
    guard let rate = value, rate <= 1000 else { return nil }
  }

  public var defaultValueDescription: String { denominator == 1 ? "\(numerator)" : description }
}

/// `PAN,TILT[,FOV[,ROLL]]` in degrees.
struct ViewArgument: ExpressibleByArgument {
  var camera: Camera

  init?(argument: String) {
    guard let values = numbers(argument, count: 2...4) else { return nil }
    camera = Camera(
      pan: values[0], tilt: values[1], roll: values.count > 3 ? values[3] : 0,
      fieldOfView: values.count > 2 ? values[2] : 85)
    guard (1...179).contains(camera.fieldOfView), abs(camera.tilt) <= 90, abs(camera.pan) <= 360,
      abs(camera.roll) <= 360
    else { return nil }
  }
}

/// Numbers separated by commas; nil if the count differs or one is invalid.
private func numbers(_ text: String, count: ClosedRange<Int>) -> [Double]? {
  let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
  guard count.contains(numbers.count), numbers.allSatisfy({ $0?.isFinite == true }) else { return nil }
  return numbers.compactMap { $0 }
}

extension SphereBounds: ExpressibleByArgument {
  /// `LEFT,TOP,WIDTH,HEIGHT` in fractions.
  public init?(argument: String) {
    guard let values = numbers(argument, count: 4...4) else { return nil }
    self.init(left: values[0], top: values[1], width: values[2], height: values[3])
  }
}

extension Pose: ExpressibleByArgument {
  /// `YAW,PITCH,ROLL` in degrees.
  public init?(argument: String) {
    guard let values = numbers(argument, count: 3...3), values.allSatisfy({ abs($0) <= 360 }) else { return nil }
    self.init(yaw: values[0], pitch: values[1], roll: values[2])
  }
}

/// `--camera`: a motion by name, or a path file, which is read when the run begins.
enum CameraArgument: ExpressibleByArgument {
  case motion(CameraMotion)
  case file(String)

  init?(argument: String) {
    if let motion = CameraMotion.named.first(where: { $0.key == argument })?.value {
      self = .motion(motion)
    } else if argument.lowercased().hasSuffix(".json") {
      self = .file(argument)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] { CameraMotion.named.map(\.key) + ["FILE.json"] }
  static var defaultCompletionKind: CompletionKind {
    Completion.words(CameraMotion.named.map(\.key), orFiles: ["json"])
  }
  var defaultValueDescription: String { "still" }
}

extension Stress.Kind: ExpressibleByArgument {}
extension PresentMode: ExpressibleByArgument {}
extension FrameColumns: ExpressibleByArgument {}

/// A choice that defaults to `auto`.
struct Automatic<Value: RawRepresentable & CaseIterable & Sendable>: ExpressibleByArgument, Sendable
where Value.RawValue == String {
  /// Nil is `auto`.
  var value: Value?

  init(_ value: Value?) {
    self.value = value
  }

  init?(argument: String) {
    if argument == "auto" { return }
    guard let value = Value(rawValue: argument) else { return nil }
    self.value = value
  }

  static var allValueStrings: [String] { ["auto"] + Value.allCases.map(\.rawValue) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  var defaultValueDescription: String { value?.rawValue ?? "auto" }
}

extension CPUSet: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension PictureGeometry.Eye: ExpressibleByArgument {}
extension SphereShape: ExpressibleByArgument {}
extension StereoLayout: ExpressibleByArgument {}

/// One of the report formats, by name.
struct FormatArgument: ExpressibleByArgument {
  let format: ReportFormat

  init?(argument: String) {
    guard let format = ReportFormat.named(argument) else { return nil }
    self.format = format
  }

  static var allValueStrings: [String] { ReportFormat.all.map(\.name) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

struct SuiteArgument: ExpressibleByArgument {
  var suite: Suite

  init(_ suite: Suite) {
    self.suite = suite
  }

  init?(argument: String) {
    guard let suite = Suite(rawValue: argument) else { return nil }
    self.suite = suite
  }

  static var allValueStrings: [String] { Suite.allCases.map(\.rawValue) }
  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
  var defaultValueDescription: String { suite.rawValue }
}
