/// The last clips shown, newest first, each a path or URL. Pure.
package struct RecentFiles: Sendable, Hashable {
  package private(set) var paths: [String] = []
  /// The limit of entries.
  static let limit = 20

  package init(_ paths: [String] = []) { self.paths = Array(paths.prefix(Self.limit)) }

  /// Adds a clip at the front. Names with a line break, and URLs with a password, are not stored.
  package mutating func add(_ path: String) {
    guard Self.mayStore(path) else { return }
    paths = Array(([path] + paths.filter { $0 != path }).prefix(Self.limit))
  }

  /// One path or URL a line.
  package init(text: String) { self.init(text.split(whereSeparator: \.isNewline).map(String.init)) }
  package var text: String { paths.map { $0 + "\n" }.joined() }

  package mutating func remove(_ path: String) { paths.removeAll { $0 == path } }

  /// Whether a list in a file may hold it.
  static func mayStore(_ path: String) -> Bool { !path.contains(where: \.isNewline) && !holdsPassword(path) }

  private static func holdsPassword(_ path: String) -> Bool {
    guard let scheme = path.firstRange(of: "://") else { return false }
    return path[scheme.upperBound...].prefix { $0 != "/" }.contains("@")
  }
}
