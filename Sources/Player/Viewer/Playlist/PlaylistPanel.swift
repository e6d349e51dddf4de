import Overlay
import Playlists
import Window

/// The list of clips at the side of the window. Pure: events in, effects out.
package struct PlaylistPanel: Sendable, Hashable {
  /// What the user wants of the queue.
  package enum Effect: Sendable, Hashable {
    /// An entry's number.
    case play(Int)
    case remove(Int)
    /// To an index of the list.
    case move(Int, to: Int)
    /// Insert what the clipboard names.
    case paste
  }

  package private(set) var isShown = false
  /// An index of the list.
  package private(set) var selected = 0
  /// The first visible row.
  package private(set) var top = 0
  /// Rows that fit into the window.
  var visibleCount = 1
  /// Click areas of the last drawing.
  var layout = Layout()
  /// The row on which the button was pressed.
  private var pressed: Int?
  private var pointer: Canvas.Point?

  package init() {}

  /// Shows the panel with the current clip selected, or hides it.
  package mutating func toggle(_ queue: PlayQueue) {
    isShown.toggle()
    pressed = nil
    if isShown { select(queue.entries.firstIndex { $0.id == queue.current?.id } ?? 0, queue) }
  }

  /// Handles a window event; nil: it is not for the panel.
  package mutating func handle(_ event: WindowEvent, _ queue: PlayQueue) -> [Effect]? {
    if case .pointerMoved(let place) = event { pointer = Canvas.Point(place.x, place.y) }
    guard isShown else { return nil }
    switch event {
    case .key(let key, let action, let modifiers) where action != .released:
      return press(key, modifiers.intersection(.all), queue)
    case .scroll(_, let up):
      guard isOver else { return nil }
      top = min(max(top + (up > 0 ? -1 : 1), 0), max(0, queue.entries.count - visibleCount))
      return []
    case .button(.left, true, _):
      guard isOver else { return nil }
      pressed = row
      if let pressed { select(pressed, queue) }
      return []
    case .button(.left, false, _):
      guard let from = pressed else { return nil }
      pressed = nil
      guard let to = row, queue.entries.indices.contains(from) else { return [] }
      if from == to { return [.play(queue.entries[from].id)] }
      select(to, queue)
      return [.move(queue.entries[from].id, to: to)]
    default: return nil
    }
  }

  private mutating func press(_ key: Key, _ modifiers: Modifiers, _ queue: PlayQueue) -> [Effect]? {
    let entry = queue.entries.indices.contains(selected) ? queue.entries[selected] : nil
    switch (key, modifiers) {
    case (.up, []): select(selected - 1, queue)
    case (.down, []): select(selected + 1, queue)
    case (.pageUp, []): select(selected - visibleCount, queue)
    case (.pageDown, []): select(selected + visibleCount, queue)
    case (.home, []): select(0, queue)
    case (.end, []): select(queue.entries.count - 1, queue)
    case (.up, .alt): return move(-1, queue)
    case (.down, .alt): return move(1, queue)
    case (.enter, []), (.keypadEnter, []): return entry.map { [.play($0.id)] } ?? []
    case (.delete, []):
      // The row behind it takes its place; the last one's selection moves up.
      if selected == queue.entries.count - 1 { selected = max(0, selected - 1) }
      return entry.map { [.remove($0.id)] } ?? []
    case (.v, .control): return [.paste]
    case (.escape, []): isShown = false
    default: return nil
    }
    return []
  }

  private mutating func move(_ way: Int, _ queue: PlayQueue) -> [Effect] {
    let target = selected + way
    guard queue.entries.indices.contains(selected), queue.entries.indices.contains(target) else { return [] }
    let id = queue.entries[selected].id
    select(target, queue)
    return [.move(id, to: target)]
  }

  private mutating func select(_ row: Int, _ queue: PlayQueue) {
    selected = min(max(row, 0), max(0, queue.entries.count - 1))
    top = min(max(top, selected - visibleCount + 1), selected, max(0, queue.entries.count - visibleCount))
  }

  /// Fits as many rows.
  mutating func fit(_ count: Int, _ queue: PlayQueue) {
    guard count != visibleCount else { return }
    visibleCount = max(1, count)
    select(selected, queue)
  }

  /// The indices of the visible rows.
  func visible(_ queue: PlayQueue) -> Range<Int> {
    let first = min(max(0, top), max(0, queue.entries.count - 1))
    return Range(from: first, to: min(queue.entries.count, first + visibleCount))
  }

  private var isOver: Bool { pointer.map { layout.box?.contains($0) ?? false } ?? false }

  private var row: Int? { pointer.flatMap { pointer in layout.rows.first { $0.box.contains(pointer) }?.row } }
}
