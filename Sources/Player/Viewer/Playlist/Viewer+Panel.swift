import Bench360Player
import Frames
import Overlay
import Playlists
import Window

// The panel of the playlist in the window.
extension Viewer {
  /// Passes an event to the panel first; returns whether the panel consumed it.
  func offerPanel(_ event: WindowEvent) -> Bool {
    guard let effects = files.panel.handle(event, files.queue) else { return false }
    isStale = true
    for effect in effects {
      switch effect {
      case .play(let id): leave(.entry(id))
      case .remove(let id): remove(id)
      case .move(let id, let index): files.queue.move(id, to: index)
      case .paste:
        let text = (window.clipboard ?? "").split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        if !text.isEmpty { insert([text]) }
      }
    }
    return true
  }

  /// The current clip goes on while it is no longer in the list: the one behind it comes next.
  private func remove(_ id: Int) {
    guard id == files.queue.current?.id else { return files.queue.remove(id) }
    guard files.queue.entries.count > 1 else { return say(.theOnlyClipStays) }
    files.queue.remove(id)
    next = .file
  }

  /// Draws the panel, and makes the pictures of its rows, one after the other.
  func drawPanel(on canvas: inout Canvas, _ size: PictureSize?, measure: @escaping TextMeasure) {
    guard files.panel.isShown, let size else { return }
    let style = ControlStyle(
      size: size, scale: window.contentScale, textSize: options.settings.textSize,
      isHighContrast: options.settings.isHighContrast)
    // Not read by the closure: the panel, a part of the same files, is changed meanwhile.
    let thumbnails = files.thumbnails
    files.panel.draw(
      files.queue, on: &canvas, style, size: size, bottom: controls.height, title: files.title, words: words,
      measure: measure
    ) { item in
      PlaylistPanel.Details(
        picture: thumbnails?.picture(for: item.picturePath), duration: thumbnails?.duration(of: item.source)
      )
    }
  }

  /// At each refresh.
  func advancePanel() {
    guard files.panel.isShown else { return files.thumbnails = nil }
    let thumbnails =
      files.thumbnails
      ?? BrowserThumbnails(check: options.checkInput, network: options.session.decoder.network)
    files.thumbnails = thumbnails
    let rows = files.panel.visible(files.queue).map { files.queue.entries[$0].item }
    if thumbnails.advance(rows.flatMap { [$0.picturePath, $0.source] }.filter { !$0.isStream }) { isStale = true }
  }
}

extension PlaylistItem {
  /// What the picture of a row is made of.
  fileprivate var picturePath: String { poster ?? source }
}

extension String {
  /// Its pictures would load segments of their own.
  fileprivate var isStream: Bool { ClipNames.isPlaylist(self) || contains("://") }
}
