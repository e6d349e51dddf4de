import Foundation
import Support
import Testing

extension CommandTests {
  /// What shells offer after a tab.
  @Suite struct CompletionTests {
    /// Calls the function that bash would call, with what bash would set.
    private static let bash = """
      . "$1"
      shift
      COMP_LINE="$*"
      COMP_POINT=${#COMP_LINE}
      COMP_WORDS=("$@")
      COMP_CWORD=$(($# - 1))
      _bench360 bench360 "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      [ ${#COMPREPLY[@]} = 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
      """

    private static func script(of shell: String) throws -> String {
      try SharedClips.file("completion.\(shell)") { path in
        let result = try Program.run(["--generate-completion-script", shell], in: NSTemporaryDirectory())
        try #require(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        try result.output.write(to: URL(filePath: path))
      }
    }

    /// A folder with a clip, a camera path, subtitles and a folder.
    private static func withFiles<Result>(_ body: (String) throws -> Result) throws -> Result {
      try TestFolders.withTemporary { folder in
        for name in ["clip.mp4", "path.json", "text.srt", "records/one.json"] {
          let path = folder + "/files/" + name
          try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
          try Data().write(to: URL(filePath: path))
        }
        return try body(folder)
      }
    }

    /// The words that bash offers to stand in the place of the last one.
    private static func offered(_ words: [String]) throws -> [String] {
      try withFiles { folder in
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let result = try CommandOutput.of(
          "bash", ["-c", bash, "bash", script(of: "bash"), "bench360"] + words,
          environment: ["PATH": "\(TestFolders.products):\(path)"], folder: folder + "/files")
        #expect(result.errors.isEmpty, "\(result.errors)")
        return result.lines.map(String.init)
      }
    }

    private static let offers: [(words: [String], expected: [String])] = [
      (["ru"], ["run"]),
      (["run", "--sc"], ["--scenario"]),
      (["run", "--upload", "d"], ["direct"]),
      (["run", "--suite", ""], ["smoke", "standard", "full"]),
      (["run", "--projection", "cube"], ["cubemap-3x2", "cubemap-6x1"]),
      (["run", "--scenario", "de"], ["decode", "density"]),
      (["run", "--scenario", "decode,pi"], ["decode,pipeline"]),
      (
        ["run", "--scenario", "decode,upload/"],
        ["decode,upload/direct", "decode,upload/staged", "decode,upload/copy", "decode,upload/shared"]
      ),
      (["run", "--camera", ""], ["still", "pan", "orbit", "path.json", "records/"]),
      (["run", "--camera", "records/"], ["records/one.json"]),
      (["run", "cl"], ["clip.mp4"]),
      (["run", "--format", "m"], ["markdown"]),
      (["run", "-o", "p"], ["path.json"]),
      (["view", "--subtitles", "t"], ["text.srt"]),
      (["compare", "--vary", "device,upl"], ["device,upload"]),
      (["abr", "--controller", "bola,dy"], ["bola,dynamic"]),
      (["abr", "--ladder", "b"], ["builtin"]),
      (["compare", "--gate", "decode_f"], ["decode_fps"]),
      (["history", "--metric", "decode_f"], ["decode_fps"]),
      (["history", "--scenario", "startup/w"], ["startup/warm"]),
      (["ab", "cl"], ["clip.mp4"]),
      (["compare", "--fail-on", "i"], ["improvement"]),
      (["compare", "rec"], ["records"]),
      (["generate", "--codec", "he"], ["hevc"]),
      (["generate", "--chroma", ""], ["420", "422", "444"]),
      (["generate", "--encrypt", "a"], ["aes-128"]),
      (["generate", "--ladder", "r"], ["records"]),
      (["ab", "--keep", ""], ["records"]),
      (["probe", "x"], []),
    ]

    @Test(arguments: offers)
    func bashOffers(words: [String], expected: [String]) throws {
      #expect(try Set(Self.offered(words)) == Set(expected), "\(words)")
    }

    @Test func verbsAreThoseOfTheHelp() throws {
      let offered = try Self.offered([""])
      #expect(offered.contains("thumbnails") && !offered.contains("trial"))
    }

    @Test(.enabled(if: TestDevice.isAvailable, "no Vulkan device"))
    func devicesAreOffered() throws {
      let offered = try Self.offered(["run", "--device", ""])
      #expect(offered.starts(with: ["auto", "0"]), "\(offered)")
    }

    @Test(arguments: ["zsh", "fish"])
    func otherShellsReadTheirScripts(shell: String) throws {
      guard try CommandOutput.of("sh", ["-c", "command -v \(shell)"]).status == 0 else { return }
      try Self.withFiles { folder in
        let result = try CommandOutput.of(shell, ["-n", Self.script(of: shell)])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
      }
    }
  }
}
