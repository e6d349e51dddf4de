import FoundationEssentials
import Frames

extension RecordFile {
  /// The default name and folder of a record without `--output`.
  ///
  /// `results/<machine>/<time>-<commit>-<input>.json` below the current folder if that has a `results/`, else below
  /// the data folder. Depends on its arguments only; touches no file.
  ///
  /// - Parameters:
  ///   - currentFolder: an absolute path.
  ///   - hasResults: whether `results/` exists in it.
  ///   - dataFolder: bench360's own, an absolute path; nil: `bench360` in the current folder.
  public static func defaultPath(
    for record: Record, currentFolder: String, hasResults: Bool, dataFolder: String?
  ) -> String {
    let time = record.created.filter { $0.isASCII && ($0.isNumber || $0.isLetter) }
    let file = [time, String(record.build.commit.prefix(12)), lastPart(Record.Input.name(of: record.input.name)).stem]
      .map(
        fileNameSafe
      )
      .joined(separator: "-")
    let folder = hasResults ? currentFolder : dataFolder ?? currentFolder + "/bench360"
    let machine = fileNameSafe(record.environment.machine.className.lowercased())
    return "\(folder)/results/\(machine)/\(file).json"
  }

  /// The path, or, if it exists, the next free one like it: `record-2.json`.
  public static func unused(_ path: String, suffix: String = "json") -> String {
    let end = path.hasSuffix(".\(suffix)") ? ".\(suffix)" : ""
    let stem = path.dropLast(end.count)
    var candidate = path
    var number = 2
    while FileManager.default.fileExists(atPath: candidate) {
      candidate = "\(stem)-\(number)\(end)"
      number += 1
    }
    return candidate
  }

  /// A text as a part of a file name: letters, digits and `._+`, anything else a hyphen; never empty, never hidden,
  /// at most 80 bytes.
  public static func fileNameSafe(_ text: String) -> String {
    var safe = ""
    for character in text {
      if character.isLetter || character.isNumber || "._+".contains(character) {
        safe.append(character)
      } else if safe.last != "-" {
        safe.append("-")
      }
    }
    safe = String(safe.drop { ".-".contains($0) })
    while safe.utf8.count > 80 || safe.last == "-" || safe.last == "." { safe.removeLast() }
    return safe.isEmpty ? "unknown" : safe
  }

  /// The last component of a path, and its stem without the extension.
  ///
  /// Foundation's own function traps if a combining character follows a slash.
  package static func lastPart(_ path: String) -> (name: String, stem: String) {
    let scalars = path.unicodeScalars.split(separator: "/").last ?? path.unicodeScalars[...]
    let name = String(String.UnicodeScalarView(scalars))
    guard let dot = scalars.lastIndex(of: "."), dot != scalars.startIndex else { return (name, name) }
    return (name, String(String.UnicodeScalarView(scalars[..<dot])))
  }
}

extension Record.Input {
  /// A record's name for a clip: a file without its folder, and a URL without its user and its query,
  /// which may hold credentials.
  public static func name(of input: String) -> String {
    guard input.contains("://") else { return RecordFile.lastPart(input).name }
    // Records are compared by their names: the removed part leaves no trace.
    let name = redactingSecrets(ofArgument: input).replacing("://…@", with: "://")
    return name.hasSuffix("?…") ? String(name.dropLast(2)) : name
  }
}
