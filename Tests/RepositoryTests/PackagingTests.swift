import Foundation
import Support
import Testing

/// `Scripts/install` with a stand-in for what `Scripts/stage` lays out.
@Suite(.tier(.test)) struct InstallTests {
  private static let files = [
    "bin/bench360", "share/man/man1/bench360.1.gz", "share/man/man1/bench360-run.1.gz",
    "share/bash-completion/completions/bench360", "share/zsh/site-functions/_bench360",
    "share/fish/vendor_completions.d/bench360.fish", "share/applications/bench360.desktop",
    "share/icons/hicolor/scalable/apps/bench360.svg", "share/doc/bench360/LICENSE",
    "share/doc/bench360/results/README.md",
  ]

  /// A clone that holds the script and, if it is `staged`, something to install.
  private static func withClone(staged: Bool = true, _ body: (_ folder: String) throws -> Void) throws {
    try TestFolders.withTemporary { folder in
      try write("", to: folder + "/Scripts/none")
      try TestFiles.copyProgram(TestFolders.repository + "/Scripts/install", to: folder + "/Scripts/install")
      for file in files where staged { try write(file, to: folder + "/.build/stage/" + file) }
      if staged {
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o755], ofItemAtPath: folder + "/.build/stage/bin/bench360")
      }
      try body(folder)
    }
  }

  private static func write(_ text: String, to path: String) throws {
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  private static func files(below folder: String) throws -> Set<String> {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return Set(names.filter { ((try? FileManager.default.contentsOfDirectory(atPath: folder + "/" + $0)) == nil) })
  }

  @Test func installsBelowItsPrefixAndTakesAllOfItAway() throws {
    try Self.withClone { folder in
      let place = folder + "/a place/opt/x"
      try Self.write("another's", to: place + "/share/man/man1/other.1.gz")
      let options = ["--prefix", "/opt/x", "--destdir", folder + "/a place"]
      let result = try CommandOutput.of(folder + "/Scripts/install", options)
      #expect(result.status == 0, "\(result.errors)")
      #expect(try Self.files(below: place) == Set(Self.files + ["share/man/man1/other.1.gz"]))
      #expect(FileManager.default.isExecutableFile(atPath: place + "/bin/bench360"))
      #expect(try CommandOutput.of(folder + "/Scripts/install", options + ["--remove"]).status == 0)
      #expect(try Self.files(below: place) == ["share/man/man1/other.1.gz"])
    }
  }

  @Test func withoutAStageItSaysWhatToDo() throws {
    try Self.withClone(staged: false) { folder in
      let result = try CommandOutput.of(folder + "/Scripts/install", ["--destdir", folder + "/place"])
      #expect(result.status == 1 && result.errors.split(separator: "\n").count == 1)
      #expect(result.errors.contains("make build"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/place"))
    }
  }

  /// Nothing is written then; root may write everywhere, so that another user is asked.
  @Test(arguments: [[], ["--remove"]]) func withoutPermissionItSaysWhatToDo(options: [String]) throws {
    try Self.withClone { folder in
      let manager = FileManager.default
      let place = folder + "/place"
      try Self.write("", to: place + "/bin/bench360")
      try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: place + "/bin")
      defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place + "/bin") }
      let isRoot = geteuid() == 0
      if isRoot { try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
      let command = [folder + "/Scripts/install", "--prefix", place] + options
      let result = try CommandOutput.of(
        isRoot ? "setpriv" : "env",
        (isRoot ? ["--reuid", "65534", "--regid", "65534", "--clear-groups"] : []) + command)
      let target = options.isEmpty ? "install" : "uninstall"
      #expect(result.status == 1 && result.errors.split(separator: "\n").count == 1, "\(result.errors)")
      #expect(
        result.errors.contains("'sudo make \(target)', or 'make \(target) PREFIX=$HOME/.local'"), "\(result.errors)")
      #expect(try Self.files(below: place) == ["bin/bench360"])
    }
  }

  @Test(arguments: [["--prefix"], ["--prefix", "relative"], ["--fast"]])
  func uselessArgumentsAreRefused(arguments: [String]) throws {
    try Self.withClone { folder in
      let result = try CommandOutput.of(folder + "/Scripts/install", arguments)
      #expect(result.status == 64 && result.output.isEmpty)
    }
  }
}

/// What the package and the image are made of, as far as it can be told without making them: `make test-deb` does.
@Suite(.tier(.test)) struct PackagingTests {
  /// `Key=value` and `Key: value` lines of a file.
  private static func fields(_ path: String, separator: String) throws -> [String: String] {
    let pairs = try Repository.lines(path).compactMap { line -> (String, String)? in
      guard let middle = line.firstRange(of: separator), line.first?.isLetter == true else { return nil }
      return (String(line[..<middle.lowerBound]), String(line[middle.upperBound...]))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  @Test func theDesktopEntryStartsTheViewer() throws {
    let entry = try Self.fields("Packaging/bench360.desktop", separator: "=")
    #expect(entry["Type"] == "Application" && entry["Terminal"] == "false")
    #expect(entry["Exec"] == "bench360 view %U")
    #expect(entry["Icon"] == "bench360")
    #expect(entry["MimeType"]?.contains("video/mp4;") == true && entry["MimeType"]?.hasSuffix(";") == true)
    // A desktop is told the same types by the running viewer.
    let told = try Repository.text("Sources/Player/Desktop/MPRIS/MPRISProperty.swift")
    for type in try #require(entry["MimeType"]).split(separator: ";") {
      #expect(told.contains("\"\(type)\""), "\(type)")
    }
  }

  @Test func theIconIsAnSVGPicture() throws {
    let script = "import sys, xml.etree.ElementTree as t; print(t.parse(sys.argv[1]).getroot().tag)"
    let result = try CommandOutput.of(
      "python3", ["-c", script, TestFolders.repository + "/Packaging/bench360.svg"])
    #expect(result.text == "{http://www.w3.org/2000/svg}svg\n", "\(result.errors)")
  }

  @Test func theControlFileNamesADriverAndLeavesLibrariesToTheirFinder() throws {
    let control = try Self.fields("Packaging/debian/control", separator: ": ")
    #expect(control["Package"] == "bench360" && control["Depends"] == "@DEPENDS@" && control["Version"] == "@VERSION@")
    #expect(control["Recommends"]?.hasPrefix("mesa-vulkan-drivers | vulkan-icd,") == true)
    // They are loaded by name, so that dpkg-shlibdeps does not find them.
    #expect(control["Recommends"]?.contains(", libopenal1, libdbus-1-3,") == true)
    let description = control["Description"] ?? ""
    #expect(!description.isEmpty && description.count < 80 && !description.hasPrefix("a "))
  }

  /// One place has the licence's text; the package's copyright is made of it.
  @Test func theLicenceIsThatOfTheRepository() throws {
    #expect(try Repository.text("LICENSE").hasPrefix("MIT License"))
    let copyright = try Repository.lines("Packaging/debian/copyright")
    #expect(copyright.contains("@EXPAT@") && copyright.contains("Files: *") && copyright.contains("License: Expat"))
  }

  @Test func theImageAsksForGraphicsAndVideoAndRunsAsAUser() throws {
    let lines = try Repository.lines("Packaging/Dockerfile")
    let capabilities = try #require(lines.first { $0.hasPrefix("ENV NVIDIA_DRIVER_CAPABILITIES=") })
    let given = Set(capabilities.split(separator: "=")[1].split(separator: ","))
    #expect(given == ["graphics", "video", "compute", "utility"])
    let runtime = lines.drop { $0 != "FROM debian:12-slim" }
    #expect(runtime.contains { $0.hasPrefix("USER ") && $0 != "USER root" })
    #expect(runtime.contains { $0.hasPrefix("COPY --from=build ") })
  }
}
