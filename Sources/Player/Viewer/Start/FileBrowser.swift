import Playlists
import Window

/// The file browser: the clips and folders of one folder. Pure: events in, choices out; the caller lists folders.
package struct FileBrowser: Sendable {
  /// The order of files; folders come first.
  package enum Order: Sendable, Hashable, CaseIterable {
    case name, size, date

    var title: Word {
      switch self {
      case .name: .name
      case .size: .size
      case .date: .date
      }
    }
  }

  /// The user's choice.
  package enum Choice: Sendable, Hashable {
    case open(String)
    /// List another folder.
    case list(String)
    /// To the first screen.
    case back
  }

  /// A part that the pointer can click.
  package enum Part: Sendable, Hashable {
    case back
    case order(Order)
    /// The number of a row; 0 is the parent folder where there is one.
    case row(Int)
  }

  package let folder: String
  package private(set) var rows: [FolderEntry] = []
  package private(set) var order = Order.name
  package private(set) var isDescending = false
  package private(set) var selected = 0
  /// The first visible row.
  package private(set) var top = 0
  /// Why the folder cannot be listed; nil: it can.
  package var complaint: String?
  /// The folder is being listed.
  package private(set) var isLoading = true
  /// Rows that fit into the window.
  var visibleCount = 1

  static let parent = ".."

  /// - Parameter order: of another folder's browser; nil: by name.
  package init(_ folder: String, like other: FileBrowser? = nil) {
    self.folder = folder
    if let other { (order, isDescending) = (other.order, other.isDescending) }
  }

  /// Takes the folder's entries in any order.
  ///
  /// - Parameter name: the entry to select first, as that of the folder that the user came from.
  package mutating func show(_ entries: [FolderEntry], selecting name: String? = nil) {
    isLoading = false
    rows = entries.filter(\.isListed)
    sort(selecting: name)
  }

  package mutating func fail(_ complaint: String) {
    (isLoading, self.complaint) = (false, complaint)
    sort(selecting: nil)
  }

  /// Sorts by another order; by the same one, the other way round.
  package mutating func sort(by order: Order) {
    isDescending = order == self.order ? !isDescending : order != .name
    self.order = order
    sort(selecting: rows.indices.contains(selected) ? rows[selected].name : nil)
  }

  /// A key was pressed or repeats.
  package mutating func press(_ key: Key, _ modifiers: Modifiers) -> Choice? {
    switch key {
    case .up: select(selected - 1)
    case .down: select(selected + 1)
    case .pageUp: select(selected - visibleCount)
    case .pageDown: select(selected + visibleCount)
    case .home: select(0)
    case .end: select(rows.count - 1)
    case .tab: sort(by: next(modifiers.contains(.shift) ? Order.allCases.count - 1 : 1))
    case .enter, .keypadEnter: return choose(selected)
    case .backspace, .left: return up
    case .escape: return .back
    default: break
    }
    return nil
  }

  /// Selects the next entry whose name begins with a typed letter.
  package mutating func type(_ scalar: Unicode.Scalar) {
    let letter = String(scalar).lowercased()
    let after = Array(rows.indices.dropFirst(selected + 1)) + Array(rows.indices.prefix(selected + 1))
    if let row = after.first(where: { rows[$0].name.lowercased().hasPrefix(letter) }) { select(row) }
  }

  package mutating func click(_ part: Part) -> Choice? {
    switch part {
    case .back: return .back
    case .order(let order): sort(by: order)
    case .row(let row):
      select(row)
      return choose(row)
    }
    return nil
  }

  /// The pointer is over a row.
  package mutating func point(at row: Int) { if rows.indices.contains(row) { selected = row } }

  package mutating func scroll(_ count: Int) {
    top = min(max(top + count, 0), max(0, rows.count - visibleCount))
    selected = min(max(selected, top), max(0, min(top + visibleCount, rows.count) - 1))
  }

  /// Files in the visible rows.
  package var visibleFiles: [String] {
    rows.indices.filter { $0 >= top && $0 < top + visibleCount && !rows[$0].isFolder && !rows[$0].isPlaylist }
      .map { path(of: rows[$0].name) }
  }

  package func path(of name: String) -> String { folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)" }

  /// The last component of the folder's path, which its parent selects.
  package var name: String { folder.split(separator: "/").last.map(String.init) ?? "" }

  package mutating func fit(_ count: Int) {
    visibleCount = max(1, count)
    reveal()
  }

  private var up: Choice? { folder == "/" ? nil : .list(parentFolder) }

  private var parentFolder: String {
    let parts = folder.split(separator: "/").dropLast()
    return "/" + parts.joined(separator: "/")
  }

  private func choose(_ row: Int) -> Choice? {
    guard rows.indices.contains(row) else { return nil }
    let entry = rows[row]
    if entry.name == Self.parent { return up }
    return entry.isFolder ? .list(path(of: entry.name)) : .open(path(of: entry.name))
  }

  private func next(_ way: Int) -> Order {
    let place = Order.allCases.firstIndex(of: order) ?? 0
    return Order.allCases[(place + way) % Order.allCases.count]
  }

  private mutating func select(_ row: Int) {
    selected = min(max(row, 0), max(0, rows.count - 1))
    reveal()
  }

  private mutating func reveal() {
    top = min(max(top, selected - visibleCount + 1), selected)
    top = min(top, max(0, rows.count - visibleCount))
  }

  private mutating func sort(selecting name: String?) {
    let files = rows.filter { $0.name != Self.parent }.sorted { a, b in
      if a.isFolder != b.isFolder { return a.isFolder }
      let isBefore: Bool? =
        switch order {
        case .name: nil
        case .size: a.bytes == b.bytes ? nil : a.bytes < b.bytes
        case .date: a.modified == b.modified ? nil : a.modified < b.modified
        }
      if let isBefore { return isBefore != isDescending }
      return order == .name && isDescending ? namesInOrder(b.name, a.name) : namesInOrder(a.name, b.name)
    }
    rows = (folder == "/" ? [] : [FolderEntry(name: Self.parent, isFolder: true)]) + files
    select(name.flatMap { name in rows.firstIndex { $0.name == name } } ?? 0)
  }
}
