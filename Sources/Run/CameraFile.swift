import Decode
import Foundation
import Frames
import Render

/// A file of keyframes for `--camera`, as `results/camera.schema.json` describes it.
public struct CameraFile: Sendable {
  /// Without its folder.
  public let name: String
  /// Of the file's bytes, in lower-case hexadecimal.
  public let sha256: String
  public let path: CameraPath

  static let schema = "bench360-camera/1"
  static let byteLimit = 4 << 20
  static let keyframeLimit = 10_000

  /// Reads and checks it; throws `.input` with one sentence that names the file and what is wrong in it.
  public init(path file: String) throws(Failure) {
    name = (file as NSString).lastPathComponent
    let data = try Self.read(file)
    guard let sha256 = Decode.sha256(of: [UInt8](data)) else {
      throw Failure(.failed, "cannot use camera path '\(file)'", cause: "out of memory")
    }
    self.sha256 = sha256
    let decoded: CameraText
    do {
      decoded = try JSONDecoder().decode(CameraText.self, from: data)
    } catch {
      throw Self.refusal(of: file, Self.cause(of: error))
    }
    guard let path = CameraPath(keyframes: decoded.keyframes.map(\.keyframe), loops: decoded.loop) else {
      throw Self.refusal(of: file, "its keyframes are not in order")
    }
    self.path = path
  }

  private static func read(_ file: String) throws(Failure) -> Data {
    guard let handle = FileHandle(forReadingAtPath: file) else {
      let cause = FileManager.default.fileExists(atPath: file) ? "permission denied" : "no such file or directory"
      throw Failure(.input, "cannot read camera path '\(file)'", cause: cause, remedy: "check the name")
    }
    // One byte more than may be there tells that there is too much.
    guard let data = try? handle.read(upToCount: byteLimit + 1) ?? Data() else {
      throw Failure(
        .input, "cannot read camera path '\(file)'", cause: "reading it failed", remedy: "name a file of keyframes")
    }
    guard data.count <= byteLimit else { throw refusal(of: file, "it is larger than 4 MiB") }
    return data
  }

  private static func refusal(of file: String, _ cause: String) -> Failure {
    Failure(.input, "cannot use camera path '\(file)'", cause: cause, remedy: "results/camera.schema.json describes it")
  }

  private static func cause(of error: any Error) -> String {
    switch error {
    case let refused as CameraText.Refused: refused.text
    case DecodingError.keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing"
    case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
      "\(place(context.codingPath)) is no \(word(for: type))"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      "\(place(context.codingPath)) is not a value it can have"
    default: "it is not JSON, or a number in it is too large"
    }
  }

  private static func word(for type: Any.Type) -> String {
    switch type {
    case is Double.Type: "number"
    case is Bool.Type: "true or false"
    case is String.Type: "text"
    case is [Any].Type, is [CameraText.Keyframe].Type: "list"
    default: "object"
    }
  }

  /// `keyframes[3].pan`; the file itself is `its content`.
  fileprivate static func place(_ keys: [any CodingKey]) -> String {
    let text = keys.reduce("") { text, key in
      if let index = key.intValue { return text + "[\(index)]" }
      return text + (text.isEmpty ? "" : ".") + key.stringValue
    }
    return text.isEmpty ? "its content" : text
  }
}

/// The file as it is written, checked while it is read.
private struct CameraText: Decodable {
  /// What is wrong, naming the place.
  struct Refused: Error {
    let text: String
  }

  let loop: Bool
  let keyframes: [Keyframe]

  private enum Key: String, CodingKey, CaseIterable { case schema, loop, keyframes }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let schema = try container.decode(String.self, forKey: .schema)
    guard schema == CameraFile.schema else {
      throw Refused(text: "its schema is '\(schema.prefix(40))', not '\(CameraFile.schema)'")
    }
    try decoder.requireOnly(Key.self)
    loop = try container.decodeIfPresent(Bool.self, forKey: .loop) ?? false
    var list = try container.nestedUnkeyedContainer(forKey: .keyframes)
    var keyframes: [Keyframe] = []
    while !list.isAtEnd {
      guard keyframes.count < CameraFile.keyframeLimit else {
        throw Refused(text: "it has more than \(CameraFile.keyframeLimit) keyframes")
      }
      var next = try list.decode(Keyframe.self)
      if let last = keyframes.last, next.keyframe.time <= last.keyframe.time {
        throw Refused(text: "keyframes[\(keyframes.count)].time is not later than that of the keyframe before it")
      }
      if let last = keyframes.last { next.keyframe.keep(last.keyframe) }
      keyframes.append(next)
    }
    guard !keyframes.isEmpty else { throw Refused(text: "it has no keyframes") }
    self.keyframes = keyframes
  }

  struct Keyframe: Decodable {
    var keyframe: CameraPath.Keyframe

    private enum Key: String, CodingKey, CaseIterable { case time, pan, tilt, roll, fov, easing }

    init(from decoder: any Decoder) throws {
      try decoder.requireOnly(Key.self)
      let container = try decoder.container(keyedBy: Key.self)
      func angle(_ key: Key, _ range: ClosedRange<Double>) throws -> Double? {
        guard let value = try container.decodeIfPresent(Double.self, forKey: key) else { return nil }
        return try within(range, value, key, decoder)
      }
      let time = try within(0...1e6, container.decode(Double.self, forKey: .time), Key.time, decoder)
      let easing = try container.decodeIfPresent(String.self, forKey: .easing) ?? Easing.linear.rawValue
      guard let easing = Easing(rawValue: easing) else {
        let names = Easing.allCases.map(\.rawValue).joined(separator: ", ")
        throw Refused(text: "\(CameraFile.place(decoder.codingPath + [Key.easing])) is none of \(names)")
      }
      keyframe = CameraPath.Keyframe(
        time: MediaTime(seconds: time), pan: try angle(.pan, -36_000...36_000), tilt: try angle(.tilt, -90...90),
        roll: try angle(.roll, -36_000...36_000), fieldOfView: try angle(.fov, 1...179), easing: easing)
    }
  }
}

extension CameraPath.Keyframe {
  /// What is not said here is as it was.
  fileprivate mutating func keep(_ previous: Self) {
    pan = pan ?? previous.pan
    tilt = tilt ?? previous.tilt
    roll = roll ?? previous.roll
    fieldOfView = fieldOfView ?? previous.fieldOfView
  }
}

/// Refuses a number outside `range`, naming its place.
private func within(
  _ range: ClosedRange<Double>, _ value: Double, _ key: some CodingKey, _ decoder: any Decoder
) throws -> Double {
  guard range.contains(value) else {
    let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
    let place = CameraFile.place(decoder.codingPath + [key])
    throw CameraText.Refused(text: "\(place) is not between \(low) and \(high)")
  }
  return value
}

extension Decoder {
  /// Refuses keys of an object that mean nothing: a misspelt one would be passed over in silence.
  fileprivate func requireOnly<Key: CodingKey & CaseIterable & RawRepresentable>(_ keys: Key.Type) throws
  where Key.RawValue == String {
    let known = Set(Key.allCases.map(\.rawValue))
    let found = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    guard let stranger = found.filter({ !known.contains($0) }).min() else { return }
    throw CameraText.Refused(text: "\(CameraFile.place(codingPath)) has an unknown key '\(stranger.prefix(40))'")
  }
}

private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}
