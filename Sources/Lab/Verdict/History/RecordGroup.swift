import Frames

/// Records that measured the same subject on the same machine: they may stand in one history.
///
/// Records may differ in commit and label, which are the subject of a history, and in which scenarios they ran. In
/// every other field that makes records incomparable, and in the clip, they agree.
public struct RecordGroup: Sendable {
  /// In the order in which they were made.
  public private(set) var records: [Record]
  /// The path of each, in the order of `records`.
  public let files: [String]
  /// Value of each field, by its name; nil for a field that no record depends on.
  let fields: [String: String]
  /// Fields in which this group differs from another of the same call that has the same clip, machine and device.
  public internal(set) var differences: [String] = []

  public var newest: Record { records[records.count - 1] }

  /// The same with its newest record complete, as `read` returns it; the others are digests.
  public func completed(_ read: (String) throws(Failure) -> Record) throws(Failure) -> RecordGroup {
    guard let file = files.last, !file.isEmpty else { return self }
    var result = self
    result.records[records.count - 1] = try read(file)
    return result
  }

  /// `tour.mp4 · epyc-7763-2-cores · llvmpipe (software)`, and its distinguishing fields.
  public var name: String {
    let parts =
      [
        ReportText.printable(newest.input.name),
        ReportText.printable(newest.environment.machine.className),
        ReportText.device(newest.environment.device, isWhole: true),
      ] + differences.map(ReportText.printable)
    return parts.joined(separator: " · ")
  }

  /// Sorts records into groups, in the order of each one's first record as given.
  ///
  /// A field that a record does not depend on agrees with any value, as a run of `decode` alone has no view: such a
  /// record joins the first group without a contradiction.
  public static func groups(_ records: [(record: Record, file: String)]) -> [RecordGroup] {
    var drafts: [(input: String, fields: [String: String], members: [(record: Record, file: String)])] = []
    for member in inOrderOfTime(records) {
      let input = member.record.input.identity
      let fields = Self.fields(member.record)
      let found = drafts.firstIndex { draft in
        draft.input == input && fields.allSatisfy { draft.fields[$0.key] == nil || draft.fields[$0.key] == $0.value }
      }
      if let found {
        drafts[found].members.append(member)
        drafts[found].fields.merge(fields) { first, _ in first }
      } else {
        drafts.append((input, fields, [member]))
      }
    }
    let groups = drafts.map { draft in
      RecordGroup(records: draft.members.map(\.record), files: draft.members.map(\.file), fields: draft.fields)
    }
    return groups.map { $0.told(apartFrom: groups) }
  }

  /// As `groups` does, for records without files.
  public static func groups(_ records: [Record]) -> [RecordGroup] {
    groups(records.map { (record: $0, file: "") })
  }

  /// Fields that depend on the scenarios that ran distinguish series, not groups.
  private static func fields(_ record: Record) -> [String: String] {
    var fields: [String: String] = [:]
    for field in ComparedField.all where field.kind != .scenarios {
      if let value = field.value(record) { fields[field.name] = value }
    }
    return fields
  }

  private func told(apartFrom all: [RecordGroup]) -> RecordGroup {
    let named: Set<String> = ["machine", "device"]
    let like = all.filter { $0.name == name }
    var result = self
    guard like.count > 1 else { return result }
    if Set(like.map(\.newest.input.identity)).count > 1 {
      result.differences.append("content \(newest.input.identity.prefix(8))")
    }
    for field in ComparedField.all where !named.contains(field.name) {
      guard Set(like.map { $0.fields[field.name] }).count > 1, let value = fields[field.name] else { continue }
      result.differences.append("\(field.name) \(ReportText.cut(value, to: 40))")
    }
    return result
  }

  /// Records without a valid time come first.
  private static func inOrderOfTime(_ records: [(record: Record, file: String)]) -> [(record: Record, file: String)] {
    let instants = records.map { RecordCoding.instant($0.record.created) ?? -.infinity }
    let order = records.indices.sorted {
      (instants[$0], records[$0].record.created, $0) < (instants[$1], records[$1].record.created, $1)
    }
    return order.map { records[$0] }
  }
}
