/// bench360's cache folder: below `$XDG_CACHE_HOME`, else in `~/.cache`; nil where neither variable
/// holds an absolute path.
public func cacheFolder(variable: (String) -> String?) -> String? {
  func absolute(_ name: String) -> String? { variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
  return absolute("XDG_CACHE_HOME").map { $0 + "/bench360" } ?? absolute("HOME").map { $0 + "/.cache/bench360" }
}
