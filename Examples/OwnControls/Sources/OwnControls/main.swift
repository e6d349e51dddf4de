import Bench360Player
import Window

// A window with controls of its own: a bar that shows and sets the place, a click elsewhere pauses, and the title tells what happens.

/// The bar at the lower edge of a window, in pixels.
struct Bar {
  var size: PictureSize

  var box: Canvas.Box { .init(left: 20, top: Double(size.height) - 40, width: Double(size.width) - 40, height: 20) }

  func draw(_ state: Player.State) -> Canvas {
    var canvas = Canvas()
    canvas.rectangle(box, .black.opacity(0.5), radius: 10)
    guard let duration = state.duration, duration > .zero else { return canvas }
    var played = box
    played.width *= min(state.position.seconds / duration.seconds, 1)
    canvas.rectangle(played, .white, radius: 10)
    canvas.text("\(state.status)", TextStyle(height: 20), at: .init(20, box.top - 30), .white)
    return canvas
  }

  /// The place in a clip at a point of the bar; nil beside it.
  func place(at point: Canvas.Point, of duration: MediaTime) -> MediaTime? {
    guard box.contains(point) else { return nil }
    return MediaTime(seconds: (point.x - box.left) / box.width * duration.seconds)
  }
}

var options = Player.Options()
options.output = .off
let player = Player(CommandLine.arguments.dropFirst().first ?? "clip.mp4", options: options)
player.overlay = { state, size in Bar(size: size).draw(state) }
let view = try PlayerView(player, title: "own controls", size: PictureSize(width: 640, height: 360))
view.gestures = [.look]
var pointer = Canvas.Point(0, 0)
view.onEvent = { event in
  switch event {
  case .pointerMoved(let place):
    pointer = .init(place.x, place.y)
    return false
  case .button(.left, isPressed: true, _):
    guard let size = view.size, let duration = player.state.duration else { return false }
    guard let place = Bar(size: size).place(at: pointer, of: duration) else {
      player.state.isPlaying ? player.pause() : player.play()
      return true
    }
    player.seek(to: place, toleranceBefore: MediaTime(seconds: 0.5), toleranceAfter: MediaTime(seconds: 0.5))
    return true
  default: return false
  }
}
let events = player.events
Task.detached {
  for await event in events { print(event) }
}
player.play()
view.run { player.state.status.isOver }
print("left at \(player.state.position.seconds) s")
