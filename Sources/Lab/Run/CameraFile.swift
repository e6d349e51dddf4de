import Decode
import FoundationEssentials
import Frames
import Media
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

  /// Reads and checks it; throws `.input` with one sentence that names the file and the error in it.
  public init(path file: String) throws(Failure) {
    name = file.lastPathComponent
    let data = try CheckedJSON.read(
      file, called: "camera path", limit: Self.byteLimit, remedy: "name a file of keyframes",
      refusal: { Self.refusal(of: file, $0) })
    guard let sha256 = Media.sha256(of: [UInt8](data)) else {
      throw Failure(.failed, "cannot use camera path '\(file)'", cause: "out of memory")
    }
    self.sha256 = sha256
    let decoded: CameraText
    do {
      decoded = try JSONDecoder().decode(CameraText.self, from: data)
    } catch {
      throw Self.refusal(of: file, CheckedJSON.cause(of: error))
    }
    guard let path = CameraPath(keyframes: decoded.keyframes.map(\.keyframe), loops: decoded.loop) else {
      throw Self.refusal(of: file, "its keyframes are not in order")
    }
    self.path = path
  }

  private static func refusal(of file: String, _ cause: String) -> Failure {
    Failure(.input, "cannot use camera path '\(file)'", cause: cause, remedy: "results/camera.schema.json describes it")
  }
}

/// The file as it is written, checked while it is read.
private struct CameraText: Decodable {
  let loop: Bool
  let keyframes: [Keyframe]

  private enum Key: String, CodingKey, CaseIterable { case schema, loop, keyframes }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let schema = try container.decode(String.self, forKey: .schema)
    guard schema == CameraFile.schema else {
      throw CheckedJSON.Refused(text: "its schema is '\(schema.prefix(40))', not '\(CameraFile.schema)'")
    }
    try decoder.requireOnly(Key.self)
    loop = try container.decodeIfPresent(Bool.self, forKey: .loop) ?? false
    var list = try container.nestedUnkeyedContainer(forKey: .keyframes)
    var keyframes: [Keyframe] = []
    while !list.isAtEnd {
      guard keyframes.count < CameraFile.keyframeLimit else {
        throw CheckedJSON.Refused(text: "it has more than \(CameraFile.keyframeLimit) keyframes")
      }
      var next = try list.decode(Keyframe.self)
      if let last = keyframes.last, next.keyframe.time <= last.keyframe.time {
        throw CheckedJSON.Refused(
          text: "keyframes[\(keyframes.count)].time is not later than that of the keyframe before it")
      }
      if let last = keyframes.last { next.keyframe.keep(last.keyframe) }
      keyframes.append(next)
    }
    guard !keyframes.isEmpty else { throw CheckedJSON.Refused(text: "it has no keyframes") }
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
        return try CheckedJSON.within(range, value, key, decoder)
      }
      let time = try CheckedJSON.within(0...1e6, container.decode(Double.self, forKey: .time), Key.time, decoder)
      let easing = try container.decodeIfPresent(String.self, forKey: .easing) ?? Easing.linear.rawValue
      guard let easing = Easing(rawValue: easing) else {
        let names = Easing.allCases.map(\.rawValue).joined(separator: ", ")
        throw CheckedJSON.Refused(text: "\(CheckedJSON.place(decoder.codingPath + [Key.easing])) is none of \(names)")
      }
      keyframe = CameraPath.Keyframe(
        time: MediaTime(seconds: time), pan: try angle(.pan, -36_000...36_000), tilt: try angle(.tilt, -90...90),
        roll: try angle(.roll, -36_000...36_000), fieldOfView: try angle(.fov, 1...179), easing: easing)
    }
  }
}

extension CameraPath.Keyframe {
  /// Absent values are as in the previous keyframe.
  fileprivate mutating func keep(_ previous: Self) {
    pan = pan ?? previous.pan
    tilt = tilt ?? previous.tilt
    roll = roll ?? previous.roll
    fieldOfView = fieldOfView ?? previous.fieldOfView
  }
}
