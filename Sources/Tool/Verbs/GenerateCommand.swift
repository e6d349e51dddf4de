import ArgumentParser
import Encode
import Frames
import Glibc
import Host
import Run
import TestPicture
import Verdict

struct GenerateCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "Make a synthetic clip whose frames show their number.",
    discussion: """
        bench360 generate -o clip.mp4 --size 1920x960 --duration 2
        bench360 generate --ladder tour --duration 60

      With --output alone it makes the built-in clip. The same options make the same frames.

      Exit codes: 0 fine, 1 failure, 64 usage, 130 interrupted.
      """)

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write; its extension chooses the container.", valueName: "file"),
    completion: Completion.clips)
  var output: String?

  @OptionGroup
  var ladder: LadderOptions

  @OptionGroup
  var video: ClipVideoOptions

  @OptionGroup
  var scene: ClipSceneOptions

  /// The sound of a clip.
  enum Sound: String, ExpressibleByArgument, CaseIterable { case tone, ambisonic }

  @Option(
    defaultAsFlag: Sound.tone, parsing: .next,
    help: ArgumentHelp(
      "Add a quiet tone, a beep and a flash each second; 'ambisonic' adds a track that comes from a balloon, too.",
      valueName: "tone|ambisonic"))
  var audio: Sound? = nil

  @Option(
    help: ArgumentHelp(
      "Repeat the clip this many times by copying its packets; frames repeat their numbers.",
      valueName: "times"))
  var `repeat` = 1

  @Option(help: "Seed of scene and noise.")
  var seed = ClipSpecification.builtIn.seed

  @OptionGroup
  var writing: WritingOptions

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  func run() throws {
    var clip = ClipSpecification.builtIn
    try video.apply(to: &clip)
    scene.apply(to: &clip)
    clip.seed = seed
    defer { Console.clearProgress() }
    if let folder = ladder.ladder {
      try writeLadder(of: clip, to: folder)
    } else if let output {
      clip.hasAudio = audio != nil
      clip.isAmbisonic = audio == .ambisonic
      // The built-in clip's bit rate fits its size only.
      if clip != .builtIn { clip.bitRate = nil }
      try write(clip, to: output)
    }
  }

  private func write(_ clip: ClipSpecification, to output: String) throws {
    try writing.check(output, .syntheticClip)
    let bar = ProgressBar()
    let once = `repeat` == 1 ? output : onceName(output)
    defer { if `repeat` > 1 { unlink(once) } }
    try generateClip(clip, to: once) { done, total in
      bar.show("\(done) of \(total) frames", done, of: total)
      return !Interrupt.isRequested
    }
    if `repeat` > 1 {
      try repeatClip(once, times: `repeat`, to: output) { done, total in
        bar.show("\(done) of \(total) times", done, of: total)
        return !Interrupt.isRequested
      }
    }
    Console.note("\(output): \(clip.frames * `repeat`) frames of \(clip.size), \(clip.codec)")
  }

  private func writeLadder(of clip: ClipSpecification, to folder: String) throws {
    let specification = try ladder.specification(of: clip)
    let bar = ProgressBar()
    var presentations: [String] = []
    try generateLadder(specification, to: folder) { index in
      presentations = index.presentations.map(\.file)
      return [UInt8](try RecordCoding.encode(index))
    } progress: { progress in
      bar.show(
        "rung \(progress.rung + 1) of \(progress.rungs), \(progress.done) of \(progress.frames) frames",
        progress.fraction)
      return !Interrupt.isRequested
    }
    let rungs = specification.rungs.count == 1 ? "1 rung" : "\(specification.rungs.count) rungs"
    Console.note(
      "\(folder): \(rungs) of \(clip.frames) frames, \(presentations.joined(separator: ", "))"
    )
  }

  mutating func validate() throws {
    guard (1...10_000).contains(`repeat`) else { throw ValidationError("--repeat must be between 1 and 10000.") }
    guard `repeat` == 1 || audio == nil else { throw ValidationError("--repeat keeps the video alone: omit --audio.") }
    guard ladder.ladder != nil else {
      guard output != nil else { throw ValidationError("Name the clip with --output, or a folder with --ladder.") }
      return try ladder.requireNone()
    }
    let unused = [
      output.map { _ in "--output" }, `repeat` == 1 ? nil : "--repeat", audio.map { _ in "--audio" },
      video.size == ClipSpecification.builtIn.size ? nil : "--size",
      video.gop == ClipSpecification.builtIn.gop ? nil : "--gop",
    ].compactMap { $0 }
    guard unused.isEmpty else {
      throw ValidationError(
        "A ladder has rungs, segments and audio of its own: omit \(unused.joined(separator: ", ")).")
    }
  }

  /// The clip before it is repeated: beside the output, of the same container.
  private func onceName(_ output: String) -> String {
    let dot = output.lastIndex(of: ".") ?? output.endIndex
    return "\(output[..<dot]).once-\(getpid())\(output[dot...])"
  }
}
