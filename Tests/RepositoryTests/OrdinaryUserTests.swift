import Foundation
import Support
import Testing

/// `.ci/run` and what it passes on to an ordinary user, with stand-ins for the commands.
@Suite(.tier(.test)) struct OrdinaryUserTests {
  private static var path: String { ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin" }

  /// Runs `.ci/run` in a clone of its own as the user `id`, where `make` ends with 3.
  private static func runCI(in folder: String, id: Int) throws -> CommandOutput {
    for place in ["/.ci", "/Scripts/testing", "/tools"] {
      try FileManager.default.createDirectory(atPath: folder + place, withIntermediateDirectories: true)
    }
    try TestFiles.copyProgram(TestFolders.repository + "/.ci/run", to: folder + "/.ci/run")
    try StandIn.write("echo \(id)", to: folder + "/tools/id")
    // The servers of other tests are not installed by this one.
    try StandIn.write("exit 1", to: folder + "/tools/apt-get")
    try StandIn.write("echo \"made $*; input $(wc -c)\"; exit 3", to: folder + "/tools/make")
    try StandIn.write("echo as ordinary user; exec \"$@\"", to: folder + "/Scripts/testing/as-ordinary-user")
    return try CommandOutput.of(
      folder + "/.ci/run", [], environment: ["PATH": folder + "/tools:" + path, "BENCH360_MEDIA": "clips"])
  }

  @Test(arguments: [0, 1000])
  func testsRunAsAnOrdinaryUser(id: Int) throws {
    try TestFolders.withTemporary { folder in
      let result = try Self.runCI(in: folder, id: id)
      #expect(result.status == 3 && result.text.contains("made test; input 0\n"), "\(result.text)\(result.errors)")
      #expect(result.text.contains("as ordinary user\n") == (id == 0))
      #expect(result.text.hasSuffix("ci: ended with status 3\n") && result.text.contains("clips"))
    }
  }

  /// Packages come from where they came from for the caller; secrets and names in the caller's settings stay there.
  @Test func onlyAddressesAreTakenFromGitsSettings() throws {
    try TestFolders.withTemporary { folder in
      try Data(
        """
        [user]
          name = Caller
        [http]
          extraheader = "Authorization: secret"
        [http "https://example.org/"]
          proxy = http://proxy:3128
        [url "\(folder)/"]
          insteadOf = https://github.com/
          insteadOf = git@github.com:
        """.utf8
      ).write(to: URL(filePath: folder + "/settings"))
      let script =
        ". \(TestFolders.repository)/Scripts/packaging/git-redirects; write_redirects written; redirect_folders"
      let result = try CommandOutput.of(
        "bash", ["-euo", "pipefail", "-c", script],
        environment: [
          "GIT_CONFIG_GLOBAL": folder + "/settings", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_CONFIG_COUNT": "0",
        ],
        folder: folder)
      let place = URL(filePath: folder).resolvingSymlinksInPath().path
      #expect(result.status == 0 && result.text == place + "\n", "\(result.text)\(result.errors)")
      let written = try CommandOutput.of("git", ["config", "--file", folder + "/written", "--list"])
      let wanted = """
        http.https://example.org/.proxy=http://proxy:3128
        url.\(folder)/.insteadof=https://github.com/
        url.\(folder)/.insteadof=git@github.com:
        safe.directory=*

        """
      #expect(written.text == wanted, "\(written.errors)")
    }
  }
}
