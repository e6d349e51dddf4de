import ArgumentParser
import Decode
import FoundationEssentials
import Frames
import Media
import Playback
import Render
import Session

struct ProbeCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "probe", abstract: "Print a clip's properties, and the values assumed where it has none.",
    discussion: """
        bench360 probe clip.mp4

      Exit codes: 0 fine, 1 failure, 64 usage, 130 interrupted.
      """)

  @Argument(help: "A video file or URL; '-' is standard input.", completion: Completion.clips)
  var input: String

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup
  var network: NetworkArguments

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  func run() throws {
    let spool = Spool()
    defer { spool.remove() }
    var info = try spool.naming {
      let path = try spool.source(input).path
      return try probe(path, acceptsSound: true, network: try network.options(for: path))
    }
    let guess = info.isSoundOnly ? nil : GeometryGuess.of(info)
    info.path = redactingSecrets(ofArgument: input)
    if input != "-" { info.subtitles = SideSubtitles.tracks(beside: input) + info.subtitles }
    if json { try printJSON(ProbedFile(info: info, guess: guess)) } else { printTable(info, guess) }
  }

  private func printTable(_ info: MediaInfo, _ guess: GeometryGuess?) {
    let video = info.video
    var rows: [(String, String)] = [
      ("file", info.path),
      ("container", info.container),
      ("duration", info.durationSeconds.map { formatted("%.3f s", $0) } ?? "unknown"),
      ("bit rate", info.bitRate.map { formatted("%.2f Mbit/s", Double($0) / 1e6) } ?? "unknown"),
    ]
    for stream in info.streams {
      let isShown = stream.index == video.streamIndex ? "  (shown)" : ""
      let language = stream.language.map { ", \($0)" } ?? ""
      rows.append(("stream \(stream.index)", "\(stream.kind) \(stream.codec)\(language)\(isShown)"))
    }
    for (number, track) in info.audio.enumerated() {
      rows.append((number == 0 ? "audio" : "", audioText(track)))
    }
    for (number, track) in info.subtitles.enumerated() {
      rows.append((number == 0 ? "subtitles" : "", subtitleText(track)))
    }
    if let last = info.chapters.last {
      rows.append(("chapters", "\(info.chapters.count), the last from \(formatted("%.3f s", last.startSeconds))"))
    }
    if info.isSoundOnly {
      rows.append(("video", "none: 'view' plays the sound, 'run' refuses it"))
    } else {
      rows += videoRows(info)
    }
    if let guess { rows.append(("guess", "\(guess.sentence): 'view' \(guess.isLikely ? "shows it so" : "offers it")")) }
    rows += video.spherical.map(sphereRows) ?? []
    if video.isMultiview { rows.append(("views", "both eyes as MV-HEVC: only the base view, one eye, is decoded")) }
    if let text = lockText(video) { rows.append(("encrypted", text)) }
    if let tag = info.synthetic { rows.append(("synthetic", "made by bench360, seed \(tag.seed)")) }
    for (name, value) in rows {
      Console.print(name.filled(to: 10) + "  " + printable(value))
    }
  }

  /// Nil for what is not encrypted.
  private func lockText(_ video: VideoInfo) -> String? {
    let key = video.keyIdentifier.map { " \($0)" } ?? ""
    if video.isEncrypted { return key.isEmpty ? "yes: it cannot be decoded" : "yes: it needs the key\(key)" }
    return key.isEmpty ? nil : "by the key\(key), which was given"
  }

  private func videoRows(_ info: MediaInfo) -> [(String, String)] {
    let video = info.video
    return [
      ("codec", video.codec + (video.profile.map { ", profile \($0)" } ?? "") + ", decoder \(video.decoder)"),
      ("pixels", pixelText(video)),
      ("aspect", "sample \(video.sampleAspect), rotated \(video.rotation)°\(video.isMirrored ? ", mirrored" : "")"),
      ("rate", rateText(info)),
      ("gop", video.groupOfPictures.map(gopText) ?? "unknown: the container has no index"),
      ("colour", colorText(video.color)),
      ("shown", shownText(video)),
      ("360°", geometryText(info)),
    ]
  }

  private func audioText(_ track: AudioTrack) -> String {
    let marks = [track.isDefault ? "default" : nil, track.isOriginal ? "original" : nil].compactMap {
      $0.map { ", \($0)" }
    }
    let mixed = track.layout == nil && track.refusal == nil ? ", played as stereo" : ""
    return "\(track.name), \(track.codec), \(track.sampleRate) Hz\(marks.joined())\(mixed)"
      + (track.refusal.map { "; cannot be played: \($0)" } ?? "")
  }

  private func subtitleText(_ track: SubtitleTrack) -> String {
    "\(track.name), \(track.codec)\(track.isDefault ? ", default" : "")"
      + (track.refusal.map { "; cannot be shown: \($0)" } ?? "")
  }

  private func pixelText(_ video: VideoInfo) -> String {
    "\(video.pixelFormat ?? "unknown"), \(video.size)" + (video.isInterlaced ? ", interlaced" : "")
      + (video.hasAlpha ? ", its alpha channel is not drawn" : "")
  }

  private func rateText(_ info: MediaInfo) -> String {
    let video = info.video
    if info.isStill { return "none: it is a still picture" }
    let count = video.frameCount.map { $0 == 1 ? "1 frame" : "\($0) frames" } ?? "frames not counted"
    let rate = formatted("%.3f", video.frameRate.value ?? 0)
    guard video.groupOfPictures?.hasVariableRate == true else { return "\(rate) fps (\(video.frameRate)), \(count)" }
    var average = ""
    if let frames = video.frameCount, let seconds = info.durationSeconds {
      average = formatted(", %.3f fps on average", Double(frames) / seconds)
    }
    return "variable\(average), signalled as \(rate) fps (\(video.frameRate)), \(count)"
  }

  private func gopText(_ gop: GroupOfPictures) -> String {
    let count = gop.syncSamples == 1 ? "1 sync sample" : "\(gop.syncSamples) sync samples"
    if gop.isCounted {
      return "\(count), \(shortest(gop.averageFrames)) frames apart on average, \(gop.longestFrames) at most"
    }
    // Without an index of all frames, the number of frames between is unknown.
    return "\(count), \(shortest(gop.averageSeconds)) s apart on average, \(shortest(gop.longestSeconds)) s at most"
  }

  private func shortest(_ value: Double) -> String {
    let text = formatted("%.2f", value)
    return String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed())
  }

  private func colorText(_ color: ColorDescription) -> String {
    func value(_ property: ColorDescription.Property, _ text: String) -> String {
      text + (color.guessed.contains(property) ? " (guessed)" : "")
    }
    let signalled = [
      value(.matrix, "matrix \(color.matrix.rawValue)"), value(.range, "range \(color.range.rawValue)"),
      value(.siting, "chroma \(color.siting.rawValue)"), value(.primaries, "primaries \(color.primaries)"),
      value(.transfer, "transfer \(color.transfer)"),
    ]
    let ignored = (color.ignored ?? []).map { "\($0) signalled but not known" }
    return (signalled + ignored).joined(separator: ", ")
  }

  /// How samples and colours are converted.
  private func shownText(_ video: VideoInfo) -> String {
    let format = video.shownFormat(allowsDeep: true).name
    // FFmpeg's deprecated names of full range denote the same format.
    let isConverted = video.pixelFormat.map { $0.replacing("yuvj", with: "yuv") != format } ?? false
    let layer = video.isDolbyVision ? ", of Dolby Vision the base layer alone" : ""
    return (isConverted ? "converted to \(format) by libswscale, " : "")
      + ColorConversion(video.color).description + layer
  }

  /// The projection to draw, and why.
  private func geometryText(_ info: MediaInfo) -> String {
    let (geometry, reasons) = GeometryChoice().resolve(info)
    return "\(geometry.projection.rawValue) (\(reasons[.projection] ?? "")), "
      + "\(geometry.stereo.rawValue) (\(reasons[.stereo] ?? ""))"
  }

  /// The file's metadata of the sphere, drawn or not.
  private func sphereRows(_ sphere: SphericalInfo) -> [(String, String)] {
    let source = sphere.source.map { "\($0.rawValue.uppercased()) metadata" } ?? "its metadata"
    let cube = [sphere.layout.map { "layout \($0)" }, sphere.padding.map { "\($0) pixels around each face" }]
    var rows = [("sphere", ([sphere.projection] + cube.compactMap { $0 } + ["from \(source)"]).joined(separator: ", "))]
    if let bounds = sphere.bounds {
      let degrees = formatted("%.1f° × %.1f°", bounds.width * 360, bounds.height * 180)
      let place = [bounds.left, bounds.top, bounds.width, bounds.height].map { formatted("%.6g", $0) }
      rows.append(("covers", "\(degrees): bounds \(place.joined(separator: ",")) (left, top, width, height)"))
    }
    rows.append(("pose", "yaw \(sphere.pose.yaw)°, pitch \(sphere.pose.pitch)°, roll \(sphere.pose.roll)°"))
    if let view = sphere.initialView {
      rows.append(("first view", "heading \(view.heading)°, pitch \(view.pitch)°, roll \(view.roll)°"))
    }
    return rows
  }
}

/// The answer in JSON: the file's facts, and beside them what an untagged picture probably is.
private struct ProbedFile: Encodable {
  var info: MediaInfo
  var guess: GeometryGuess?

  private enum CodingKeys: CodingKey { case guess, video }

  func encode(to encoder: Encoder) throws {
    try info.encode(to: encoder)
    var own = encoder.container(keyedBy: CodingKeys.self)
    try own.encodeIfPresent(guess.map(Guess.init), forKey: .guess)
    if info.isSoundOnly { try own.encodeNil(forKey: .video) }
  }

  private struct Guess: Encodable {
    var projection, stereo, certainty: String
    var reasons: [String]

    init(_ guess: GeometryGuess) {
      (projection, stereo) = (guess.projection.rawValue, guess.stereo.rawValue)
      (certainty, reasons) = (guess.certainty.rawValue, guess.reasons.map(\.text))
    }
  }
}
