import ArgumentParser
import FoundationEssentials
import Frames
import Host
import Offline
import Verdict

struct DownloadsCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "downloads", abstract: "List, check and remove what 'download' loaded.",
    discussion: """
        bench360 downloads offline
        bench360 downloads offline --verify

      A line for each: its name, how much of it there is, how long it plays, and the path to play, or that it is not whole. \
      --verify reads every byte and compares it with the loaded ones. --json gives a line of JSON for each.

      Exit codes: 0 fine, 1 failure, or --verify found something missing or damaged, 64 usage, 130 interrupted.
      """)

  @Argument(help: "The library: a folder of downloads.", completion: .directory)
  var folder: String

  @Argument(help: "Only these downloads, by name.")
  var names: [String] = []

  @Flag(help: "Compare every byte with the loaded ones.")
  var verify = false

  @Flag(help: "Remove the named downloads.")
  var remove = false

  @Flag(help: "A line of JSON for each.")
  var json = false

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  mutating func validate() throws {
    if remove, names.isEmpty { throw ValidationError("--remove takes the names of downloads.") }
    if remove, verify { throw ValidationError("--remove and --verify exclude each other.") }
  }

  func run() throws {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder else {
      throw Failure(
        .input, "cannot list '\(folder)'", cause: "there is no folder of that name",
        remedy: "name the folder that 'download --output' made")
    }
    let library = Downloads(folder)
    let found = names.isEmpty ? try library.list() : try names.map { name in try library.download(name) }
    var isDamaged = false
    for download in found {
      if remove {
        try library.remove(download)
        Console.note("removed \(download.name): \(byteText(download.bytes))")
        continue
      }
      let flaws = verify ? try self.flaws(of: download, in: library) : nil
      isDamaged = isDamaged || flaws.map { !$0.isEmpty } ?? false
      Console.print(json ? try Self.line(download, flaws) : Self.text(download, flaws))
      for flaw in flaws ?? [] where !json { Console.error("\(download.name): \(flaw.text)") }
    }
    if found.isEmpty, !json { Console.note("'\(folder)' has no downloads") }
    if isDamaged { throw ExitStatus.failure }
  }

  private func flaws(of download: KeptDownload, in library: Downloads) throws -> [DownloadFlaw] {
    let bar = ProgressBar()
    defer { Console.clearProgress() }
    return try library.verify(download) { looked, all in
      bar.show("checking \(download.name)", Double(looked) / Double(max(all, 1)))
      return !Interrupt.isRequested
    }
  }

  /// `tour  12.3 MB  1 min 40 s  offline/tour/index.m3u8`
  private static func text(_ download: KeptDownload, _ flaws: [DownloadFlaw]?) -> String {
    var parts = [download.name, byteText(download.bytes)]
    if let seconds = download.record.seconds { parts.append(duration(seconds)) }
    parts.append(download.path ?? "not whole: 'download' goes on with \(download.record.url)")
    if let flaws { parts.append(flaws.isEmpty ? "verified" : "damaged") }
    return parts.joined(separator: "  ")
  }

  private static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
  }

  private struct Line: Encodable {
    var name: String
    var url: String
    var kind: DownloadRecord.Kind
    var isWhole: Bool
    var bytes: Int64
    var seconds: Double?
    var path: String?
    var isVerified: Bool?
    var missing: [String]?
    var damaged: [String]?
  }

  private static func line(_ download: KeptDownload, _ flaws: [DownloadFlaw]?) throws -> String {
    var line = Line(
      name: download.name, url: download.record.url, kind: download.record.kind, isWhole: download.isWhole,
      bytes: download.bytes, seconds: download.record.seconds, path: download.path)
    if let flaws {
      line.isVerified = flaws.isEmpty
      line.missing = flaws.compactMap { if case .missing(let name) = $0 { name } else { nil } }
      line.damaged = flaws.compactMap { if case .damaged(let name) = $0 { name } else { nil } }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(line), as: UTF8.self)
  }
}

extension DownloadFlaw {
  fileprivate var text: String {
    switch self {
    case .missing(let name): "'\(name)' is missing: remove the download and load it again"
    case .damaged(let name): "'\(name)' is damaged: remove the download and load it again"
    }
  }
}
