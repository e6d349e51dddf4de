import Bench360Player
import Foundation

// PlayerCycles CLIP [COUNT [SECONDS [PLAYERS]]]: makes players, plays them together for so many seconds of the clip, releases them, again
// and again. Prints after each cycle what the process holds: threads, descriptors, resident KiB, and those KiB while they played.

/// What this process holds, by /proc.
func held() throws -> (threads: Int, descriptors: Int, kibibytes: Int) {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  func number(_ name: String) -> Int {
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
  // The folder that is read is a descriptor, too.
  let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count - 1
  return (number("Threads"), descriptors, number("VmRSS"))
}

func start(_ path: String) async throws -> Player {
  var options = Player.Options()
  options.output = .null(.init())
  options.loops = true
  let player = Player(path, options: options)
  try player.attach(to: .offscreen(size: PictureSize(width: 640, height: 360)))
  player.play()
  for await state in player.states {
    if case .failed(let failure) = state.status { throw failure }
    if state.status == .playing { break }
  }
  return player
}

/// Pictures that the first of some players showed, and the resident KiB while they played.
func play(_ path: String, _ seconds: Double, together count: Int) async throws -> (presented: Int, kibibytes: Int) {
  var players: [Player] = []
  for _ in 0..<count { players.append(try await start(path)) }
  for await _ in players[0].times(every: MediaTime(seconds: seconds)).prefix(1) {}
  return (players[0].state.counts.presented, try held().kibibytes)
}

let arguments = CommandLine.arguments
func number(_ place: Int, _ usual: Double) -> Double {
  arguments.count > place ? Double(arguments[place]) ?? usual : usual
}
for cycle in 1...Int(number(2, 1)) {
  let played = try await play(arguments[1], number(3, 1), together: Int(number(4, 1)))
  let now = try held()
  print(
    "cycle \(cycle): \(played.presented) pictures, \(now.threads) threads, \(now.descriptors) descriptors, "
      + "\(now.kibibytes) KiB, \(played.kibibytes) KiB while playing")
}
