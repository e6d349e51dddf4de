import Decode
import FoundationEssentials
import Frames
import Media
import Verdict

extension Matrix {
  /// One input with one choice of settings.
  public struct Cell: Sendable, Hashable {
    /// From 0, over the whole matrix.
    public let number: Int
    /// As `run` takes it; nil: the built-in clip, or the built-in ladder where it plays a stream.
    public let input: String?
    /// Whether its scenario plays a stream.
    public let playsStream: Bool
    /// The input's name in the record.
    public let inputName: String
    /// The arguments of `run` beside the input.
    public let arguments: [String]
    /// By their names, as the matrix has them.
    package let settings: [String: String]
    /// For the record.
    public let identity: Record.Cell

    public var id: String { identity.id }
    /// Of its record, without `.json`: different for different cells, the same on every machine, safe in any file system.
    public var name: String { identity.name }

    /// - Parameters:
    ///   - input: as the matrix has it.
    ///   - told: settings that are part of its name, because they vary.
    init(
      number: Int, input: String?, settings: [String: String], told: [String], folder: String
    ) throws(MatrixError) {
      self.number = number
      self.input = input.map { Matrix.path($0, folder: folder) }
      playsStream = Matrix.playStreams(settings)
      inputName = input.map(Record.Input.name) ?? (playsStream ? "built-in ladder" : "built-in clip")
      self.settings = settings
      arguments = settings.sorted { $0.key < $1.key }.compactMap { name, value in
        Setting.named(name)?.argument(value, folder: folder)
      }
      // Each length precedes its text, so that different cells always encode differently.
      let parts = [input.map { "file " + $0 } ?? "built-in"] + settings.sorted { $0.key < $1.key }.flatMap { [$0, $1] }
      let text = "bench360-cell/1\n" + parts.map { "\($0.utf8.count) \($0)\n" }.joined()
      guard let id = sha256(of: Array(text.utf8)) else { throw MatrixError(cause: "out of memory") }
      identity = Record.Cell(
        id: id, name: Self.name(input, settings, told, id: id, builtIn: inputName.replacing(" ", with: "-")))
    }

    /// As much of the input and the settings as fits, for people, then a hash that makes the name unique.
    private static func name(
      _ input: String?, _ settings: [String: String], _ told: [String], id: String, builtIn: String
    ) -> String {
      let file = input.map { RecordFile.lastPart(Record.Input.name(of: $0)).stem }
      let words = told.map { "\($0)-\(settings[$0] ?? "")" }
      let text = ([file ?? builtIn] + words).joined(separator: "_")
      // The whole name must stay within the length that `fileNameSafe` leaves unchanged.
      let readable = String(text.map { $0.isASCII ? $0 : "-" }.prefix(62))
      return "\(RecordFile.fileNameSafe(readable))-\(id.prefix(16))"
    }
  }
}

extension Matrix.Cell {
  /// Beside the cell itself, what a record must agree with to count as this cell's.
  public struct Facts: Sendable {
    public var inputSHA256: String?
    public var cameraSHA256: String?
    public var inputEventsSHA256: String?
    public var label: String?
    public var build: Record.Build

    public init(
      inputSHA256: String?, cameraSHA256: String?, inputEventsSHA256: String?, label: String?,
      build: Record.Build = BuildInfo.record
    ) {
      self.inputSHA256 = inputSHA256
      self.cameraSHA256 = cameraSHA256
      self.inputEventsSHA256 = inputEventsSHA256
      self.label = label
      self.build = build
    }
  }

  /// Why a record does not answer for this cell, so that the cell must be measured; nil where the record does.
  public func objection(to record: Record, _ facts: Facts) -> String? {
    if record.cell?.id != id { return "its record is another cell's" }
    if !record.complete { return "its record is incomplete" }
    if record.build != facts.build { return "its record is of another build of bench360" }
    if record.label != facts.label { return "its record has another label" }
    if record.input.sha256 != facts.inputSHA256 { return "its input has changed" }
    if record.settings.viewing.cameraSha256 != facts.cameraSHA256, record.settings.viewing.camera != nil {
      return "its camera path has changed"
    }
    let events = record.settings.viewing.inputEventsSha256
    if events != nil, events != facts.inputEventsSHA256 { return "its input events have changed" }
    return nil
  }
}
