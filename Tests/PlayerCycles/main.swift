import Bench360Player
import Foundation
import Glibc

// PlayerCycles CLIP [COUNT [SECONDS [PLAYERS]]]: makes players, plays them together for so many seconds of the clip, releases them, again
// and again. Prints after each cycle what the process holds: threads, descriptors, resident KiB, and those KiB while they played.

/// A number of /proc/self/status.
func status(_ name: String) throws -> Int {
  let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
  return lines.first { $0.hasPrefix(name + ":") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
}

/// What the allocator keeps of freed memory depends on chance: it gives it back first.
func giveBack() {
  typealias Trim = @convention(c) (Int) -> Int32
  guard let trim = dlsym(nil, "malloc_trim") else { return }
  _ = unsafeBitCast(trim, to: Trim.self)(0)
}

/// What this process holds.
func held() throws -> (threads: Int, descriptors: Int, kibibytes: Int) {
  giveBack()
  // The folder that is read is a descriptor, too.
  let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count - 1
  return (try status("Threads"), descriptors, try status("VmRSS"))
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
  return (players[0].state.counts.presented, try status("VmRSS"))
}

let arguments = CommandLine.arguments
let usage = """
  usage: PlayerCycles CLIP [COUNT [SECONDS [PLAYERS]]]

  Makes PLAYERS players (1), plays them together for SECONDS (1) of the clip and releases them, COUNT times (1). Prints after each cycle what
  the process holds.
  """
let isHelp = arguments.dropFirst().contains { ["--help", "-h"].contains($0) }
guard !isHelp, (2...5).contains(arguments.count), arguments.dropFirst(2).allSatisfy({ (Double($0) ?? 0) > 0 }) else {
  print(usage)
  exit(isHelp ? 0 : 64)
}
func number(_ place: Int, _ usual: Double) -> Double {
  arguments.count > place ? Double(arguments[place]) ?? usual : usual
}
for cycle in 1...max(1, Int(number(2, 1))) {
  let played = try await play(arguments[1], number(3, 1), together: max(1, Int(number(4, 1))))
  let now = try held()
  print(
    "cycle \(cycle): \(played.presented) pictures, \(now.threads) threads, \(now.descriptors) descriptors, "
      + "\(now.kibibytes) KiB, \(played.kibibytes) KiB while playing")
}
