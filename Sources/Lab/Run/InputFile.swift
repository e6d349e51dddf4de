import Decode
import FoundationEssentials
import Frames
import Media
import Playback
import Render
import Verdict

/// A file of a user's input in a window, as `results/input.schema.json` describes it: `view --record-input` writes it,
/// `run --input-events` reads it.
public struct InputFile: Sendable {
  /// Without its folder.
  public let name: String
  /// Of the file's bytes, in lower-case hexadecimal.
  public let sha256: String
  public let recording: LookRecording

  static let schema = "bench360-input/1"
  static let byteLimit = 16 << 20

  /// Reads and checks it; throws `.input` with one sentence that names the file and the error in it.
  public init(path file: String) throws(Failure) {
    name = file.lastPathComponent
    let data = try CheckedJSON.read(
      file, called: "input events", limit: Self.byteLimit, remedy: "name a file that 'view --record-input' wrote",
      refusal: { Self.refusal(of: file, $0) })
    guard let sha256 = Media.sha256(of: [UInt8](data)) else {
      throw Failure(.failed, "cannot use input events '\(file)'", cause: "out of memory")
    }
    self.sha256 = sha256
    do {
      recording = try JSONDecoder().decode(InputText.self, from: data).recording
    } catch {
      throw Self.refusal(of: file, CheckedJSON.cause(of: error))
    }
  }

  /// Writes the whole file or nothing.
  ///
  /// - Parameter option: the option that named the file, for the message.
  public static func write(_ recording: LookRecording, to path: String, option: String) throws(Failure) {
    try RecordFile.write(called: "input events", option: option, to: path) { put in
      let size = recording.size
      try put(#"{"schema": "\#(schema)", "width": \#(size.width), "height": \#(size.height), "events": ["#)
      for (index, moment) in recording.moments.enumerated() {
        try put((index == 0 ? "\n  " : ",\n  ") + InputText.line(moment))
      }
      try put("\n]}\n")
    }
  }

  private static func refusal(of file: String, _ cause: String) -> Failure {
    Failure(.input, "cannot use input events '\(file)'", cause: cause, remedy: "results/input.schema.json describes it")
  }
}

/// The file as it is written, checked while it is read.
private struct InputText: Decodable {
  let recording: LookRecording

  private enum Key: String, CodingKey, CaseIterable { case schema, width, height, events }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let schema = try container.decode(String.self, forKey: .schema)
    guard schema == InputFile.schema else {
      throw CheckedJSON.Refused(text: "its schema is '\(schema.prefix(40))', not '\(InputFile.schema)'")
    }
    try decoder.requireOnly(Key.self)
    func pixels(_ key: Key) throws -> Int {
      Int(try CheckedJSON.within(1...16384, Double(container.decode(Int.self, forKey: key)), key, decoder))
    }
    var recording = LookRecording(size: PictureSize(width: try pixels(.width), height: try pixels(.height)))
    var list = try container.nestedUnkeyedContainer(forKey: .events)
    while !list.isAtEnd {
      let count = recording.moments.count
      guard count < LookRecording.momentLimit else {
        throw CheckedJSON.Refused(text: "it has more than \(LookRecording.momentLimit) events")
      }
      let next = try list.decode(Event.self).moment
      if let last = recording.moments.last, next.seconds < last.seconds {
        throw CheckedJSON.Refused(text: "events[\(count)].time is earlier than that of the event before it")
      }
      recording.moments.append(next)
    }
    guard !recording.moments.isEmpty else { throw CheckedJSON.Refused(text: "it has no events") }
    self.recording = recording
  }

  private struct Event: Decodable {
    let moment: LookRecording.Moment

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Field.self)
      func number(_ field: Field, _ range: ClosedRange<Double>) throws -> Double {
        try CheckedJSON.within(range, container.decode(Double.self, forKey: field), field, decoder)
      }
      let name = try container.decode(String.self, forKey: .event)
      guard let kind = Kind(rawValue: name) else {
        let names = Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw CheckedJSON.Refused(text: "\(CheckedJSON.place(decoder.codingPath + [Field.event])) is none of \(names)")
      }
      try decoder.requireOnly((kind.fields + [.time, .event]).map(\.rawValue))
      let seconds = try number(.time, 0...LookRecording.secondLimit)
      func place(_ field: Field) throws -> Double { try number(field, -100_000...100_000) }
      func turn() throws -> LookAround.Turn {
        guard let turn = LookAround.Turn(rawValue: try container.decode(String.self, forKey: .turn)) else {
          let names = LookAround.Turn.allCases.map(\.rawValue).joined(separator: ", ")
          throw CheckedJSON.Refused(text: "\(CheckedJSON.place(decoder.codingPath + [Field.turn])) is none of \(names)")
        }
        return turn
      }
      let event: LookEvent =
        switch kind {
        case .grab: .grab(x: try place(.x), y: try place(.y))
        case .drag: .drag(x: try place(.x), y: try place(.y))
        case .letGo: .letGo
        case .zoom: .zoom(steps: try number(.steps, -1000...1000), x: try place(.x), y: try place(.y))
        case .recentre: .recentre(x: try place(.x), y: try place(.y))
        case .hold: .hold(try turn())
        case .release: .release(try turn())
        case .releaseAll: .releaseAll
        case .reset: .reset
        case .look:
          .look(
            Camera(
              pan: try number(.pan, -36_000...36_000), tilt: try number(.tilt, -90...90),
              roll: try number(.roll, -36_000...36_000), fieldOfView: try number(.fov, 1...179)))
        }
      moment = LookRecording.Moment(seconds, event)
    }
  }
}

/// The name of an event, and its other fields.
private enum Kind: String, CaseIterable {
  case grab, drag
  case letGo = "let-go"
  case zoom, recentre, hold, release
  case releaseAll = "release-all"
  case reset, look

  var fields: [Field] {
    switch self {
    case .grab, .drag, .recentre: [.x, .y]
    case .zoom: [.steps, .x, .y]
    case .hold, .release: [.turn]
    case .look: [.pan, .tilt, .roll, .fov]
    case .letGo, .releaseAll, .reset: []
    }
  }
}

private enum Field: String, CodingKey { case time, event, x, y, steps, turn, pan, tilt, roll, fov }

extension InputText {
  /// `{"time": 0.25, "event": "drag", "x": 10.0, "y": 20.0}`
  static func line(_ moment: LookRecording.Moment) -> String {
    let (kind, values) = words(moment.event)
    let fields = zip(kind.fields, values).map { ", \"\($0.rawValue)\": \($1)" }.joined()
    return "{\"time\": \(moment.seconds), \"event\": \"\(kind.rawValue)\"\(fields)}"
  }

  private static func words(_ event: LookEvent) -> (kind: Kind, values: [String]) {
    switch event {
    case .grab(let x, let y): (.grab, ["\(x)", "\(y)"])
    case .drag(let x, let y): (.drag, ["\(x)", "\(y)"])
    case .letGo: (.letGo, [])
    case .zoom(let steps, let x, let y): (.zoom, ["\(steps)", "\(x)", "\(y)"])
    case .recentre(let x, let y): (.recentre, ["\(x)", "\(y)"])
    case .hold(let turn): (.hold, ["\"\(turn.rawValue)\""])
    case .release(let turn): (.release, ["\"\(turn.rawValue)\""])
    case .releaseAll: (.releaseAll, [])
    case .reset: (.reset, [])
    case .look(let camera):
      (.look, ["\(camera.pan)", "\(camera.tilt)", "\(camera.roll)", "\(camera.fieldOfView)"])
    }
  }
}
