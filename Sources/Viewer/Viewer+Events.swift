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
      case .hold(let turn, let isDown): act(isDown ? .hold(turn) : .release(turn), at: now)
      case nil: break
      }
    case .pointerMoved(let place): move(hand.moved(to: place), at: now)
    case .button(.left, let isPressed, _): move(hand.button(isPressed, at: now), at: now)
    case .scroll(_, let up):
      change(at: now) { eye in .zoom(steps: up, x: hand.place.x - eye.x, y: hand.place.y - eye.y) }
    case .drop(let files):
      playlist.replace(with: files)
      next = .file
    case .resized(let width, let height): resize(width: width, height: height)
    case .focused(false): act(.releaseAll, at: now)
    case .minimised(let isMinimised): minimised(isMinimised)
    case .closeRequested: next = .quit
    case .character, .pointerEntered, .pointerLeft, .button, .focused: break
    }
  }

  private func move(_ gesture: PointerHand.Gesture?, at now: MonotonicTime) {
    switch gesture {
    case .grab(let place): change(at: now) { eye in .grab(x: place.x - eye.x, y: place.y - eye.y) }
    case .drag(let place): change(at: now) { eye in .drag(x: place.x - eye.x, y: place.y - eye.y) }
    case .letGo: act(.letGo, at: now)
    case .doubleClick(let place): change(at: now) { eye in .recentre(x: place.x - eye.x, y: place.y - eye.y) }
    case nil: break
    }
  }

  /// One eye's part of the window: the one that the hand is over, where there are two.
  private struct Eye {
    var x: Double
    var y: Double
    var size: PictureSize
  }

  private func change(at now: MonotonicTime, _ event: (Eye) -> LookEvent) {
    guard let renderer = showing?.session.renderer, renderer.geometry.projection.usesCamera else { return }
    let (first, second) = renderer.geometry.regions(in: renderer.targetSize)
    let isSecond = second.map { hand.place.x >= Double($0.left) } ?? false
    let region = isSecond ? second ?? first : first
    moved = moved ?? .now
    let eye = Eye(x: Double(region.left), y: Double(region.top), size: region.size)
    act(event(eye), in: eye.size, at: now)
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
