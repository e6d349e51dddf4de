import Bench360Player
import Foundation

// Plays a clip in a window, until it has ended or the window is closed. What fails is told on standard error.
do {
  let player = Player(CommandLine.arguments.dropFirst().first ?? "clip.mp4")
  let view = try PlayerView(player)
  player.play()
  view.run { player.state.status.isOver }
  if let failure = player.state.status.failure { throw failure }
} catch {
  FileHandle.standardError.write(Data("MinimalPlayer: \(error)\n".utf8))
  exit(1)
}
