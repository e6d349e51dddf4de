import Foundation
import Support
import Testing

/// The scripts around the bundle, without making one: `make test-bundle` tries the bundle itself.
@Suite(.tier(.test)) struct BundleTests {
  /// The words of an array in Scripts/bundle.
  private static func list(_ name: String) throws -> [String] {
    let lines = try Repository.lines("Scripts/bundle").map(String.init)
    let start = try #require(lines.firstIndex(of: "\(name)=("), "Scripts/bundle has no list '\(name)'")
    return lines[(start + 1)...].prefix { $0 != ")" }.map { $0.trimmingCharacters(in: [" ", "\""]) }
  }

  @Test(arguments: ["left_out", "shared_with_drivers", "opened_by_name"])
  func listsAreSorted(name: String) throws {
    let words = try Self.list(name)
    #expect(words.count > 5)
    #expect(words == Set(words).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  /// A library that never comes along cannot be one that comes along for hosts without it.
  @Test func noLibraryIsOnBothLists() throws {
    #expect(try Set(Self.list("left_out")).isDisjoint(with: Self.list("shared_with_drivers")))
  }

  /// What it opens by name is X11's, which NVIDIA's driver loads as well.
  @Test func whatGLFWOpensIsSharedWithDrivers() throws {
    let shared = try Self.list("shared_with_drivers")
    for name in try Self.list("opened_by_name") {
      #expect(shared.contains(String(name.prefix { $0 != "." })), "\(name)")
    }
  }

  /// ICU reads the header of its data by these offsets.
  @Test(.enabled("clang is missing") { (try? CommandOutput.of("clang", ["--version"]).status) == 0 })
  func icuDataWithoutDataHasItsHeader() throws {
    try TestFolders.withTemporary { folder in
      let program = folder + "/print"
      let source = TestFolders.repository + "/Scripts/bundling/no-icu-data.c"
      let main = """
        #include "\(source)"
        #include <stdio.h>
        int main(void) { return fwrite(&data, 1, sizeof data, stdout) != sizeof data; }
        """
      let result = try CommandOutput.of(
        "clang", ["-DNAME=data", "-Wall", "-Werror", "-x", "c", "-", "-o", program], input: Data(main.utf8))
      try #require(result.status == 0, "\(result.errors)")
      let bytes = try [UInt8](CommandOutput.of(program, []).output)
      // headerSize, magic, info.size, reserved, isBigEndian, charsetFamily, sizeofUChar, reserved, "CmnD", version 1; no items.
      let header: [UInt8] = [32, 0, 0xDA, 0x27, 20, 0, 0, 0, 0, 0, 2, 0] + Array("CmnD".utf8) + [1, 0, 0, 0]
      #expect(bytes == header + [UInt8](repeating: 0, count: 40 - header.count))
    }
  }
}

/// `Scripts/gpu-run` with a stand-in for bench360.
@Suite(.tier(.test)) struct GPURunTests {
  private static let script = TestFolders.repository + "/Scripts/gpu-run"

  /// Makes clips and records of a line, tables of two scenarios, and fails where `failure`, a pattern of `case`, says.
  private static func program(in folder: String, failure: String) throws -> String {
    let path = folder + "/bench360"
    try StandIn.write(
      """
      case "$*" in \(failure)) echo "bench360: it is broken" >&2; exit 1 ;; esac
      case "$1" in
        --version) echo "bench360 1.2.3 (abc)" ;;
        devices)
          echo "   cuda      frames are shared: h264"
          echo "   vaapi     no: there is no node"
          ;;
        snapshot)
          while [ "$1" != -o ]; do shift; done
          case "$([ -e "$0.differs" ] && echo "$*")" in *vp9*cuda*) echo other >"$2" ;; *) echo same >"$2" ;; esac
          ;;
        doctor) echo "info  validation  the Vulkan validation layer is not installed" ;;
        generate) echo clip >"$3" ;;
        run)
          while [ "$1" != --output ]; do shift; done
          printf '{\\n  "reasons" : {\\n    "upload" : "so it is"\\n  },\\n  "decoder" : "cuda",\\n  "upload" : "direct"\\n}\\n' >"$2"
          printf '%s\\r\\n' "device,scenario,variant,metric,p50,p95,total" \\
            '"name, with commas",pipeline,,pipeline_fps,60.5,60.5,' \\
            '"name, with commas",pipeline,,wrong_frame,,,7' \\
            '"name, with commas",scrub,random,render_gpu_ms,1.5,2.5,'
          ;;
      esac
      """, to: path)
    return path
  }

  private static func measure(_ folder: String, failure: String, _ options: String...) throws -> CommandOutput {
    try CommandOutput.of(
      script, ["--program", program(in: folder, failure: failure)] + options + [folder + "/a place"], folder: folder)
  }

  private static func table(_ folder: String, _ name: String) throws -> [[String]] {
    try String(contentsOfFile: folder + "/a place/" + name, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test func everyScenarioAndVariantHasItsRow() throws {
    try TestFolders.withTemporary { folder in
      let result = try Self.measure(folder, failure: "never")
      #expect(result.status == 0, "\(result.errors)")
      let rows = try Self.table(folder, "summary.tsv")
      let names = try #require(rows.first)
      let row = try #require(rows.first { $0.starts(with: ["pipeline-1920", "pipeline"]) })
      let values = Dictionary(uniqueKeysWithValues: zip(names, row))
      #expect(
        values["decoder"] == "cuda" && values["upload"] == "direct" && values["fps"] == "60.5"
          && values["wrong_frame"] == "7")
      let other = try #require(rows.first { $0.starts(with: ["pipeline-1920", "scrub/random"]) })
      #expect(other.count == names.count && other.contains("1.5") && other.contains("2.5"))
      let steps = try Self.table(folder, "steps.tsv")
      #expect(steps.count > 30)
      #expect(steps.first { $0[0] == "validation" }?[2] == "left out: no validation layer")
    }
  }

  @Test func hardwareIsHeldAgainstSoftwareWhereThereIsSome() throws {
    try TestFolders.withTemporary { folder in
      try "".write(toFile: folder + "/bench360.differs", atomically: true, encoding: .utf8)
      let result = try Self.measure(folder, failure: "never")
      #expect(result.status == 1, "a picture differs")
      let steps = try Self.table(folder, "steps.tsv")
      func outcome(_ step: String) -> String? { steps.first { $0[0] == step }?[2] }
      #expect(outcome("decode-cuda-hevc-1920") == "ok" && outcome("pipeline-cuda-h264-1920-back") == "ok")
      #expect(outcome("same-picture-h264-1920-0.5-cuda-auto") == "ok")
      #expect(outcome("same-picture-vp9-1920-0-cuda-staged")?.hasPrefix("differs from software's") == true)
      #expect(outcome("decoder-vaapi") == "left out: there is no node" && outcome("decode-vaapi-h264-1920") == nil)
      let pictures = folder + "/a place/pictures/picture-vp9-1920-0"
      for name in ["software", "cuda-auto", "cuda-staged"] {
        #expect(FileManager.default.fileExists(atPath: "\(pictures)-\(name).png"))
      }
    }
  }

  @Test func stepsThatFailAreNamedAndTheOthersMade() throws {
    try TestFolders.withTemporary { folder in
      let result = try Self.measure(folder, failure: "*hevc-7680.mp4*|generate*av1-3840.part*")
      #expect(result.status == 1)
      let steps = try Self.table(folder, "steps.tsv")
      func outcome(_ step: String) -> String? { steps.first { $0[0] == step }?[2] }
      #expect(outcome("decode-hevc-7680") == "failed (1): bench360: it is broken")
      #expect(outcome("decode-av1-3840") == "left out: no clip")
      #expect(outcome("startup-3840") == "ok")
      #expect(steps.filter { $0[0] == "generate-av1-3840" }.count == 1, "a clip that fails is not tried twice")
      let summary = try String(contentsOfFile: folder + "/a place/summary.md", encoding: .utf8)
      #expect(
        summary.contains("bench360 1.2.3") && summary.contains(#/\| decode-hevc-7680 \| [0-9]+ \| failed \(1\): /#))
    }
  }

  @Test(arguments: [["--minutes", "0", "x"], ["--minutes", "x", "x"], ["--fast", "x"], [], ["x", "y"]])
  func whatMakesNoSenseIsRefused(arguments: [String]) throws {
    try TestFolders.withTemporary { folder in
      let result = try CommandOutput.of(
        Self.script, ["--program", Self.program(in: folder, failure: "never")] + arguments, folder: folder)
      #expect(result.status == 64 && result.errors.contains("usage: gpu-run"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/x"))
    }
  }
}
