import ArgumentParser
import Frames
import HTTP
import Host
import Media
import Offline
import Streaming

struct DownloadCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "download", abstract: "Load a file, or a stream of HLS or DASH, to play it without a network.",
    discussion: """
        bench360 download https://example.org/tour/index.m3u8 -o offline
        bench360 view offline/tour/index.m3u8

      Each download is a folder of the library that --output names. Until all of it is there and was checked the folder's name \
      ends in '.part'. After an interruption, a crash or a power cut the same command goes on: of a stream at most one segment is loaded twice, \
      of a file nothing where its server tells its version and has ranges. Of a stream one rung is taken, with playlists or a manifest \
      that name only what is there; any player can play it. Keys of HLS are kept beside the segments they open, ClearKey licences where they \
      say that they may be. Live streams are refused.

      On standard output is the path to play. 'bench360 downloads' lists, checks and removes.

      Exit codes: 0 fine, 1 failure, 64 usage, 130 interrupted; all loaded files are kept for each.
      """)

  @Argument(help: "The URL of a file, a playlist or a manifest; http or https.")
  var url: String

  @Option(
    name: [.short, .long], help: ArgumentHelp("The library: a folder of downloads.", valueName: "folder"),
    completion: .directory)
  var output: String

  @Option(help: ArgumentHelp("The download's name. (default: from the URL)", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Of a stream: highest, lowest, a number counted from 0, the lowest, or lines such as 720p: the highest that has no more.",
      valueName: "rung"))
  var rung = RungWish(value: .highest)

  @Option(
    help: ArgumentHelp(
      "Tracks of sound: usual (the one that players choose), all, none, or languages such as en,de.",
      valueName: "tracks"))
  var audio = TrackWish(value: .usual)

  @Option(help: ArgumentHelp("Subtitles: usual (all), all, none, or languages such as en,de.", valueName: "tracks"))
  var subtitles = TrackWish(value: .usual)

  @Option(
    help: ArgumentHelp(
      "All downloads of the library together take no more than this, such as 500M or 20G. (default: no limit)",
      valueName: "bytes"))
  var quota: ByteCount?

  @Option(help: ArgumentHelp("Requests that fail are made again so many times without progress.", valueName: "n"))
  var retries = RetryPolicy().retryLimit

  @Option(help: ArgumentHelp("And for no longer than this.", valueName: "seconds"))
  var retryLimit = RetryPolicy().limitSeconds

  @OptionGroup
  var network: NetworkArguments

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  mutating func validate() throws {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    guard ["http", "https"].contains(scheme), url.contains("://") else {
      throw ValidationError("'\(url)' is not a URL of http or https; files of this machine need no download.")
    }
    guard !output.isEmpty, output != "-" else { throw ValidationError("--output must be a folder.") }
    if let name {
      guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), !name.hasSuffix(partSuffix),
        name.utf8.count <= 200
      else { throw ValidationError("--name must be the name of a folder, without '/', and not begin with '.'.") }
    }
    guard (0...1000).contains(retries) else { throw ValidationError("--retries must be between 0 and 1000.") }
    guard (0...3600).contains(retryLimit) else {
      throw ValidationError("--retry-limit must be between 0 and 3600 seconds.")
    }
  }

  func run() throws {
    var options = DownloadOptions()
    (options.wish.rung, options.wish.audio, options.wish.subtitles) = (rung.value, audio.value, subtitles.value)
    (options.quota, options.name) = (quota?.bytes, name)
    (options.retries.retryLimit, options.retries.limitSeconds) = (retries, retryLimit)
    options.network = try network.options()
    var isNew = false
    defer { Console.clearProgress() }
    let download = try Download(url, into: output, options).run { progress in
      isNew = true
      Console.progress(Self.text(progress), progress.fraction)
    }
    Console.clearProgress()
    for note in download.record.notes { Console.note("bench360: \(note)") }
    Console.note("\(download.name): \(byteText(download.bytes))" + (isNew ? "" : ", was there already"))
    Console.print(download.path ?? download.folder)
  }

  /// `12.3 MB of about 40 MB, 2.1 MB/s, 13 s left`
  private static func text(_ progress: DownloadProgress) -> String {
    var text = byteText(progress.bytes)
    if let total = progress.total { text += " of \(byteText(total))" }
    if let rate = progress.rate { text += ", \(byteText(Int64(saturating: rate)))/s" }
    if let left = progress.secondsLeft { text += ", \(Self.duration(left)) left" }
    return text
  }

  /// `13 s`, `4 min`, `2.5 h`
  private static func duration(_ seconds: Double) -> String {
    switch seconds {
    case ..<100: "\(Int(seconds.rounded(.up))) s"
    case ..<6000: "\(Int((seconds / 60).rounded(.up))) min"
    default: "\((seconds / 360).rounded() / 10) h"
    }
  }
}

/// `highest`, `lowest`, `2`, `720p`
struct RungWish: ExpressibleByArgument {
  var value: OfflineWish.Rung

  init(value: OfflineWish.Rung) { self.value = value }

  init?(argument: String) {
    switch argument {
    case "highest": value = .highest
    case "lowest": value = .lowest
    default:
      let digits = argument.hasSuffix("p") ? argument.dropLast() : argument[...]
      guard let number = Int(digits), (0...65_536).contains(number) else { return nil }
      value = argument.hasSuffix("p") ? .lines(number) : .number(number)
    }
  }

  var defaultValueDescription: String { "highest" }
}

/// `usual`, `all`, `none`, `en,de`
struct TrackWish: ExpressibleByArgument {
  var value: OfflineWish.Tracks

  init(value: OfflineWish.Tracks) { self.value = value }

  init?(argument: String) {
    switch argument {
    case "usual": value = .usual
    case "all": value = .all
    case "none": value = .none
    default:
      let words = argument.split(separator: ",", omittingEmptySubsequences: false)
      let languages = words.compactMap { Language(String($0)) }
      guard !languages.isEmpty, languages.count == words.count else { return nil }
      value = .languages(languages)
    }
  }

  var defaultValueDescription: String { "usual" }
}

/// `800k`, `500M`, `20G`, `2T`: powers of 1000; without a letter bytes.
struct ByteCount: ExpressibleByArgument {
  var bytes: Int64

  init?(argument: String) {
    let units: [Character: Double] = ["k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12]
    let unit = argument.last.flatMap { units[$0] }
    guard let value = Double(unit == nil ? argument[...] : argument.dropLast()), value > 0, value.isFinite else {
      return nil
    }
    let count = (value * (unit ?? 1)).rounded()
    guard count >= 1, count < 1e18 else { return nil }
    bytes = Int64(count)
  }
}
