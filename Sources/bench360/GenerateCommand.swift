import ArgumentParser
import Encode
import Frames
import Glibc
import Host
import Run
import TestPicture

struct GenerateCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "Make a synthetic clip whose frames show their number.",
    discussion: """
        bench360 generate -o clip.mp4 --size 1920x960 --duration 2

      Without options it makes the built-in clip. The same options make the same frames.

      Exit codes: 0 fine, 1 failure, 64 usage, 130 interrupted.
      """)

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write; its extension chooses the container.", valueName: "file"),
    completion: Completion.clips)
  var output: String

  @OptionGroup
  var video: ClipVideoOptions

  @OptionGroup
  var scene: ClipSceneOptions

  @Flag(help: "Add a quiet tone.")
  var audio = false

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
    try writing.check(output, .syntheticClip)
    var clip = ClipSpecification.builtIn
    try video.apply(to: &clip)
    scene.apply(to: &clip)
    clip.hasAudio = audio
    clip.seed = seed
    // The built-in clip's bit rate fits its size only.
    if clip != .builtIn { clip.bitRate = nil }
    defer { Console.clearProgress() }
    let bar = ProgressBar()
    let once = `repeat` == 1 ? output : onceName
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

  mutating func validate() throws {
    guard (1...10_000).contains(`repeat`) else { throw ValidationError("--repeat must be between 1 and 10000.") }
    guard `repeat` == 1 || !audio else { throw ValidationError("--repeat keeps the video alone: omit --audio.") }
  }

  /// The clip before it is repeated: beside the output, of the same container.
  private var onceName: String {
    let dot = output.lastIndex(of: ".") ?? output.endIndex
    return "\(output[..<dot]).once-\(getpid())\(output[dot...])"
  }
}
