import Foundation
import Frames
import Playback
import Support
import Testing

/// Whole playbacks that were read once, refresh by refresh. `BENCH360_REWRITE_GOLDEN=1` writes them anew, to be read again.
struct GoldenPlaybackTests {
  struct Playback: Sendable, CustomTestStringConvertible {
    var name: String
    var refreshes: Int
    var simulation: @Sendable () -> Simulation
    var command: @Sendable (inout Simulation, Int) -> Void = { _, _ in }
    var testDescription: String { name }
  }

  private static func steady(
    _ rate: Int32, count: Int, on refresh: Int32, loops: Bool = false, _ decoder: Simulation.Decoder = .init()
  ) -> Simulation {
    var clip = Simulation.Clip.steady(Ratio(rate, 1), count: count)
    clip.loops = loops
    return Simulation(clip, refresh: Ratio(refresh, 1), decoder: decoder)
  }

  /// Frames of 20, 50, 30 and 100 ms by turns.
  private static func variable() -> Simulation {
    var clip = Simulation.Clip()
    var stamp = MediaTime.zero
    for number in 0..<40 {
      let duration = MediaTime(nanoseconds: [20, 50, 30, 100][number % 4] * 1_000_000)
      clip.frames.append(Simulation.Clip.Frame(stamp: stamp, duration: duration))
      stamp = stamp + duration
    }
    return Simulation(clip, refresh: Ratio(60, 1))
  }

  static let playbacks = [
    Playback(name: "24-on-60", refreshes: 200, simulation: { steady(24, count: 48, on: 60) }),
    Playback(name: "60-on-50", refreshes: 200, simulation: { steady(60, count: 120, on: 50) }),
    Playback(
      name: "decoder-10-percent-slow", refreshes: 600,
      simulation: { steady(30, count: 150, on: 60, .init(cost: MediaTime(seconds: 1.1 / 30))) }),
    Playback(
      name: "stall-of-one-second", refreshes: 400,
      simulation: { steady(30, count: 90, on: 60, .init(pauses: [40: MediaTime(seconds: 1)])) }),
    Playback(
      name: "missed-ticks", refreshes: 200, simulation: { steady(60, count: 90, on: 60) },
      command: { simulation, refresh in
        if refresh == 30 { simulation.link.pass(MediaTime(seconds: 6.5 / 60)) }
        if refresh == 60 { simulation.link.pass(MediaTime(seconds: 1.4 / 60)) }
      }),
    Playback(name: "variable-rate", refreshes: 300, simulation: variable),
    Playback(name: "loop", refreshes: 140, simulation: { steady(25, count: 20, on: 50, loops: true) }),
    Playback(
      name: "seek", refreshes: 200, simulation: { steady(30, count: 90, on: 60) },
      command: { simulation, refresh in
        guard refresh == 31 else { return }
        simulation.player.seek(to: MediaTime(seconds: 2))
        simulation.seek(to: 60)
      }),
    Playback(
      name: "pause", refreshes: 200, simulation: { steady(30, count: 40, on: 60) },
      command: { simulation, refresh in
        if refresh == 31 { simulation.player.pause() }
        if refresh == 45 { _ = simulation.player.play() }
      }),
  ]

  /// A line for twenty refreshes: the frame's number where it is new, a dot where it stays; what happened stands before
  /// the refresh of which it was told.
  private static func text(_ playback: Playback) -> String {
    var simulation = playback.simulation()
    _ = simulation.player.play()
    var lines: [String] = []
    var row: [String] = []
    func endRow() {
      if !row.isEmpty { lines.append(row.joined(separator: " ")) }
      row = []
    }
    for refresh in 0..<playback.refreshes {
      let (events, seen) = (simulation.log.count, simulation.screen.count)
      simulation.run(refreshes: 1) { simulation, _ in playback.command(&simulation, refresh) }
      var happened = simulation.log[events...].compactMap(word)
      if let missed = simulation.screen[seen...].first?.tick.missed, missed > 0 {
        happened.insert("\(missed) refreshes missed", at: 0)
      }
      if !happened.isEmpty {
        endRow()
        lines.append("  refresh \(refresh): " + happened.joined(separator: ", "))
      }
      guard simulation.screen.count > seen, let shown = simulation.screen.last else { break }
      row.append(shown.isNew ? shown.number.map { "\($0)" } ?? "?" : shown.number == nil ? "-" : ".")
      if row.count == 20 { endRow() }
    }
    endRow()
    return lines.map { $0 + "\n" }.joined()
  }

  /// Nil for what the numbers show.
  private static func word(_ event: PlaybackEvent) -> String? {
    switch event {
    case .fate(_, .presented), .rate, .time: nil
    case .fate(let frame, let fate): "\(fate) \(frame.index)"
    case .state(let state): "\(state)"
    case .stalled(let time): "stood for \(Int(time.milliseconds.rounded())) ms"
    case .late(let frame, let refreshes): "\(frame.index) late by \(refreshes)"
    case .repeated: "repeated"
    case .effort(.everything): "decodes everything"
    case .effort(.references): "decodes references"
    case .effort(.syncSample(let place)): "leaps beyond \(Int(place.milliseconds.rounded())) ms"
    }
  }

  @Test(arguments: playbacks)
  func playsAsItDid(_ playback: Playback) throws {
    let text = Self.text(playback)
    let file = URL(filePath: TestFolders.repository + "/Tests/PlaybackTests/Golden/\(playback.name).txt")
    if ProcessInfo.processInfo.environment["BENCH360_REWRITE_GOLDEN"] == "1" { try Data(text.utf8).write(to: file) }
    #expect(text == String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }
}
