import Session
import Testing

@Suite struct UserFoldersTests {
  private static func folders(_ environment: [String: String]) -> UserFolders { UserFolders { environment[$0] } }

  private static func paths(_ environment: [String: String]) -> [String?] {
    let folders = folders(environment)
    return [folders.cache, folders.config, folders.data, folders.state]
  }

  @Test func variablesOfXDGPrecedeTheHome() {
    #expect(
      Self.paths(["HOME": "/h"])
        == ["/h/.cache/bench360", "/h/.config/bench360", "/h/.local/share/bench360", "/h/.local/state/bench360"])
    #expect(
      Self.paths([
        "HOME": "/h", "XDG_CACHE_HOME": "/c", "XDG_CONFIG_HOME": "/f", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s",
      ]) == ["/c/bench360", "/f/bench360", "/d/bench360", "/s/bench360"])
  }

  @Test func relativePathsAreIgnored() {
    #expect(Self.paths(["HOME": "/h", "XDG_CACHE_HOME": "c", "XDG_STATE_HOME": ""]) == Self.paths(["HOME": "/h"]))
    #expect(Self.folders(["HOME": "h"]).home == nil)
  }

  /// The password database has a home for the user of this process; it is not taken.
  @Test func withoutAHomeThereAreNoFolders() {
    #expect(Self.paths([:]) == [nil, nil, nil, nil])
    #expect(Self.folders([:]).home == nil)
    #expect(Self.folders([:]).expandingTilde("~/a") == "~/a")
  }

  @Test(arguments: [
    ("~", "/h"), ("~/a", "/h/a"), ("~b/a", "~b/a"), ("/a/~", "/a/~"), ("a", "a"),
  ])
  func aLeadingTildeIsTheHome(_ path: String, _ expanded: String) {
    #expect(Self.folders(["HOME": "/h"]).expandingTilde(path) == expanded)
  }
}
