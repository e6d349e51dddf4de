import Glibc

/// bench360's folders in the user's home, as the XDG base directory specification places them: below a variable that holds an absolute
/// path, else below `HOME`. The password database is not read: without `HOME` the user has none of them.
public struct UserFolders {
  private let variable: (String) -> String?

  /// - Parameter variable: the value of an environment variable.
  public init(variable: @escaping (String) -> String? = { name in getenv(name).map { String(cString: $0) } }) {
    self.variable = variable
  }

  /// The home folder; nil where `HOME` holds no absolute path.
  public var home: String? { absolute("HOME") }
  /// The built-in clip, and compiled shaders: `$XDG_CACHE_HOME/bench360` or `~/.cache/bench360`.
  public var cache: String? { folder("XDG_CACHE_HOME", ".cache") }
  /// Settings and keys: `$XDG_CONFIG_HOME/bench360` or `~/.config/bench360`.
  public var config: String? { folder("XDG_CONFIG_HOME", ".config") }
  /// Records: `$XDG_DATA_HOME/bench360` or `~/.local/share/bench360`.
  public var data: String? { folder("XDG_DATA_HOME", ".local/share") }
  /// Recent clips: `$XDG_STATE_HOME/bench360` or `~/.local/state/bench360`.
  public var state: String? { folder("XDG_STATE_HOME", ".local/state") }

  /// The path with the home folder in the place of a leading `~`; unchanged where there is no home.
  public func expandingTilde(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home else { return path }
    return home + path.dropFirst()
  }

  private func folder(_ name: String, _ usual: String) -> String? {
    (absolute(name) ?? home.map { "\($0)/\(usual)" }).map { $0 + "/bench360" }
  }

  private func absolute(_ name: String) -> String? { variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
}
