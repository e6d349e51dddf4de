import Frames
import Playback
import Render
import Window

// What happens to the window, and what comes of it.
extension Viewer {
  func handle(_ event: WindowEvent, at now: MonotonicTime) {
    if offer(event, at: now) { return }
    switch event {
    case .key(let key, let action, let modifiers):
      switch options.keys.effect(of: key, action, modifiers) {
      case .once(let action): perform(action)
      case .hold(let turn, let isDown): look.hold(turn, isDown, at: now)
      case nil: break
      }
    case .pointerMoved(let place): move(hand.moved(to: place), at: now)
    case .button(.left, let isPressed, _): move(hand.button(isPressed, at: now), at: now)
    case .scroll(_, let up):
      change { look, eye in look.zoom(up, about: hand.place.x - eye.x, hand.place.y - eye.y, in: eye.size) }
    case .drop(let files):
      playlist.replace(with: files)
      next = .file
    case .resized(let width, let height): resize(width: width, height: height)
    case .focused(false): look.releaseAll()
    case .minimised(let isMinimised): minimised(isMinimised)
    case .closeRequested: next = .quit
    case .character, .pointerEntered, .pointerLeft, .button, .focused: break
    }
  }

  private func move(_ gesture: PointerHand.Gesture?, at now: MonotonicTime) {
    switch gesture {
    case .grab(let place): change { look, eye in look.grab(place.x - eye.x, place.y - eye.y, in: eye.size, at: now) }
    case .drag(let place):
      change { look, eye in look.drag(to: place.x - eye.x, place.y - eye.y, in: eye.size, at: now) }
    case .letGo: look.letGo(at: now)
    case .doubleClick(let place):
      change { look, eye in look.recentre(place.x - eye.x, place.y - eye.y, in: eye.size) }
    case nil: break
    }
  }

  /// One eye's part of the window: the one that the hand is over, where there are two.
  private struct Eye {
    var x: Double
    var y: Double
    var size: PictureSize
  }

  private func change(_ body: (inout LookAround, Eye) -> Void) {
    guard let renderer = showing?.session.renderer, renderer.geometry.projection.usesCamera else { return }
    let (first, second) = renderer.geometry.regions(in: renderer.targetSize)
    let isSecond = second.map { hand.place.x >= Double($0.left) } ?? false
    let region = isSecond ? second ?? first : first
    moved = moved ?? .now
    body(&look, Eye(x: Double(region.left), y: Double(region.top), size: region.size))
    isStale = true
  }

  /// Nobody sees it: it waits.
  private func minimised(_ isMinimised: Bool) {
    guard let play = showing?.play else { return }
    if isMinimised {
      playsWhenRestored = play.player.wantsToPlay
      play.pause()
    } else if playsWhenRestored {
      playsWhenRestored = false
      play.play()
    }
  }
}
