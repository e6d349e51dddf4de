import Bench360Player
import Frames
import Window

// Window events and their effects.
extension Viewer {
  func handle(_ event: WindowEvent, at now: MonotonicTime) {
    if offer(event, at: now) || offerPanel(event) { return }
    switch event {
    case .key(let key, let action, let modifiers):
      switch options.keys.effect(of: key, action, modifiers) {
      case .once(let action): perform(action)
      case .hold(let turn): act(.hold(turn), at: now)
      case .release(let turns): for turn in turns where hands.look.holds(turn) { act(.release(turn), at: now) }
      case nil: break
      }
    case .pointerMoved(let place): move(hands.pointer.moved(to: place), at: now)
    case .button(.left, let isPressed, _): move(hands.pointer.button(isPressed, at: now), at: now)
    case .scroll(_, let up):
      change(at: now) { eye in .zoom(steps: up, x: hands.pointer.place.x - eye.x, y: hands.pointer.place.y - eye.y) }
    case .drop(let dropped): files.panel.isShown ? insert(dropped) : play(dropped)
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

  /// The view of one eye: the one under the pointer, if there are two.
  private struct Eye {
    var x: Double
    var y: Double
    var size: PictureSize
  }

  private func change(at now: MonotonicTime, _ event: (Eye) -> LookEvent) {
    guard let clip = showing?.clip, clip.geometry.projection.usesCamera else { return }
    let (first, second) = clip.regions
    let isSecond = second.map { hands.pointer.place.x >= Double($0.left) } ?? false
    let region = isSecond ? second ?? first : first
    hands.noteMoved()
    let eye = Eye(x: Double(region.left), y: Double(region.top), size: region.size)
    act(event(eye), in: eye.size, at: now)
  }

  /// The window is hidden: playback pauses, unless the user wants to go on hearing it.
  private func minimised(_ isMinimised: Bool) {
    guard let showing else { return }
    if isMinimised, options.settings.hearsMinimised, showing.sound != nil { return }
    if isMinimised {
      showing.playsWhenRestored = showing.clip.willPlay
      showing.clip.pause()
    } else if showing.playsWhenRestored {
      showing.playsWhenRestored = false
      showing.clip.playWhenLoaded()
    }
  }
}
