/// Files one after the other, and which of them is shown. Pure.
public struct Playlist: Sendable, Hashable {
  public private(set) var files: [String]
  public private(set) var position = 0
  /// Files that could not be shown: they are passed over from then on.
  public private(set) var refused: Set<String> = []

  public init(_ files: [String]) { self.files = files }

  public var current: String? { files.indices.contains(position) ? files[position] : nil }
  public var isCurrentRefused: Bool { current.map(refused.contains) ?? false }
  public var hasNext: Bool { neighbour(1) != nil }
  public var hasPrevious: Bool { neighbour(-1) != nil }

  /// Goes on or back to the next file that can be shown; false, and no move, where there is none.
  public mutating func move(_ way: Int) -> Bool {
    guard let place = neighbour(way) else { return false }
    position = place
    return true
  }

  /// The file that is shown fails.
  public mutating func refuseCurrent() {
    if let current { refused.insert(current) }
  }

  /// Other files instead, from the first; none leaves all as it is.
  public mutating func replace(with files: [String]) {
    guard !files.isEmpty else { return }
    self = Playlist(files)
  }

  /// The file that comes after this one.
  public var following: String? { neighbour(1).map { files[$0] } }

  public mutating func clear() { self = Playlist([]) }

  private func neighbour(_ way: Int) -> Int? {
    guard way != 0 else { return nil }
    var place = position + way.signum()
    while files.indices.contains(place), refused.contains(files[place]) { place += way.signum() }
    return files.indices.contains(place) ? place : nil
  }
}
