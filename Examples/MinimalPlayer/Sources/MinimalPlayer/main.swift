import Bench360Player

// Plays a clip in a window, until it has ended or the window is closed.
let player = Player(CommandLine.arguments.dropFirst().first ?? "clip.mp4")
let view = try PlayerView(player)
player.play()
view.run { player.state.status == .ended }
