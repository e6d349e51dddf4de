/// A list of files, and the current one. Pure.
public struct Playlist: Sendable, Hashable {
  public private(set) var files: [String]
  public private(set) var position = 0
  /// Files that failed: skipped from then on.
  public private(set) var refused: Set<String> = []

  public init(_ files: [String]) { self.files = files }

  public var current: String? { files.indices.contains(position) ? files[position] : nil }
  public var isCurrentRefused: Bool { current.map(refused.contains) ?? false }
  public var hasNext: Bool { neighbour(1) != nil }
  public var hasPrevious: Bool { neighbour(-1) != nil }

  /// Moves to the next or previous file that can be shown; returns false, and does not move, if there is none.
  public mutating func move(_ way: Int) -> Bool {
    guard let place = neighbour(way) else { return false }
    position = place
    return true
  }

  /// Marks a file as failed.
  public mutating func refuse(_ file: String) { refused.insert(file) }

  /// Replaces the files and moves to the first; an empty list changes nothing.
  public mutating func replace(with files: [String]) {
    guard !files.isEmpty else { return }
    self = Playlist(files)
  }

  /// The next or previous file that can be shown; nil: there is none.
  public func file(_ way: Int) -> String? { neighbour(way).map { files[$0] } }

  public mutating func clear() { self = Playlist([]) }

  private func neighbour(_ way: Int) -> Int? {
    guard way != 0 else { return nil }
    var place = position + way.signum()
    while files.indices.contains(place), refused.contains(files[place]) { place += way.signum() }
    return files.indices.contains(place) ? place : nil
  }
}
