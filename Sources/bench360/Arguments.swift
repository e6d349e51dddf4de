import ArgumentParser
import Frames
import GPU
import Render
import Run

// How the engine's types are written on the command line.

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

  init(camera: Camera) {
    self.camera = camera
  }

  init?(argument: String) {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard (2...4).contains(numbers.count), numbers.allSatisfy({ $0?.isFinite == true }) else { return nil }
    let values = numbers.compactMap { $0 }
    camera = Camera(
      pan: values[0], tilt: values[1], roll: values.count > 3 ? values[3] : 0,
      fieldOfView: values.count > 2 ? values[2] : 85)
    guard (1...179).contains(camera.fieldOfView), abs(camera.tilt) <= 90, abs(camera.pan) <= 360,
      abs(camera.roll) <= 360
    else { return nil }
  }

  var defaultValueDescription: String { "0,0,85,0" }
}

/// A choice that `auto` leaves to the program.
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
  var defaultValueDescription: String { value?.rawValue ?? "auto" }
}

extension CPUSet: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}

extension CameraMotion: ExpressibleByArgument {}
extension PictureGeometry.Eye: ExpressibleByArgument {}
extension SphereShape: ExpressibleByArgument {}
extension StereoLayout: ExpressibleByArgument {}
