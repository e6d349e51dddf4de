import Bench360Player
import Encode
import Foundation
import Frames
import Support
import Synchronization
import Testing
import Window

// Windows of the library, by what the display shows.
extension WindowTests {
  private static let viewSize = PictureSize(width: 320, height: 160)

  private static func player(_ name: String, _ change: (inout ClipSpecification) -> Void) throws -> Player {
    var options = Player.Options()
    options.output = .off
    options.validates = true
    return Player(try SharedClips.synthetic(name, change), options: options)
  }

  /// Half a minute: no machine is so busy that it ends before a test looks.
  private static func flat(frames: Int = 900) throws -> Player {
    try player("view-\(frames).mp4") {
      ($0.size, $0.frames, $0.scene.projection) = (PictureSize(width: 160, height: 80), frames, .flat)
    }
  }

  /// A key of X's keyboard; events of one window come in the order of their times.
  private static func press(_ code: Int, at time: Int, on title: String) throws {
    try display.get().act("keydown \(code) \(time) 0", on: title)
    try display.get().act("keyup \(code) \(time + 50) 0", on: title)
  }

  /// Handles a window's events until a state is there; false where it never was.
  private func handle(_ view: PlayerView, until isThere: () throws -> Bool) throws -> Bool {
    try Patience.until(every: 1) {
      view.handleEvents()
      return try isThere()
    }
  }

  @Test func aPlayersWindowShowsItsClip() throws {
    let display = try Self.display.get()
    let player = try Self.flat()
    let view = try PlayerView(player, title: "player", size: Self.viewSize)
    #expect(try handle(view) { player.state.status == .ready })
    #expect(try handle(view) { try display.frameNumber(size: Self.viewSize) == 0 })
    // Keys: space plays and pauses, the period goes on by one picture.
    try Self.press(65, at: 1000, on: "player")
    #expect(try handle(view) { player.state.status == .playing && player.state.position.seconds > 0.3 })
    try Self.press(65, at: 2000, on: "player")
    #expect(try handle(view) { player.state.status == .paused })
    let place = player.state.position
    player.step(1)
    #expect(try handle(view) { player.state.position > place && player.state.status == .paused })
    let number = Int((player.state.position.seconds * 30).rounded())
    #expect(try handle(view) { try display.frameNumber(size: Self.viewSize) == number })
    #expect(view.isOpen && !view.isFullscreen && !view.isMini)
    try display.act("close", on: "player")
    #expect(try handle(view) { !view.isOpen })
    #expect(player.state.status == .idle)
  }

  /// The caller's own handling goes first, and gestures can be turned off.
  @Test func gesturesAreTheCallersToChoose() throws {
    let display = try Self.display.get()
    let player = try Self.player("view-sphere.mp4") { ($0.frames, $0.size) = (8, Self.viewSize) }
    let view = try PlayerView(player, title: "gestures", size: Self.viewSize)
    #expect(try handle(view) { player.state.status == .ready })
    let home = player.state.view
    try display.act("buttondown 4", on: "gestures")
    #expect(try handle(view) { player.state.view.fieldOfView < home.fieldOfView })
    view.gestures = []
    var keys = 0
    view.onEvent = {
      if case .key(_, .pressed, _) = $0 { keys += 1 }
      return false
    }
    try Self.press(65, at: 1000, on: "gestures")
    #expect(try handle(view) { keys == 1 })
    #expect(player.state.status == .ready, "space is no gesture now")
    view.close()
    view.close()
  }

  @Test func modesAreTold() throws {
    let player = try Self.flat()
    let view = try PlayerView(player, title: "modes", size: Self.viewSize)
    var told: [String] = []
    view.onFullscreen = { told.append("full \($0)") }
    view.onMini = { told.append("mini \($0)") }
    #expect(try handle(view) { player.state.status == .ready })
    for isWanted in [true, true, false] { view.setMini(isWanted) }
    for isWanted in [true, false] { view.setFullscreen(isWanted) }
    #expect(told == ["mini true", "mini false", "full true", "full false"])
    view.close()
  }

  /// The device is opened again: the clip goes on where it was, as it was.
  @Test func playersGoOnAfterALostDevice() throws {
    try Self.withWindow(Self.viewSize) { window in
      let losses = PlantedLosses()
      var surface = try window.surface()
      surface.losses = losses
      let player = try Self.flat()
      let told = Told()
      let listener = Task { [events = player.events] in
        for await event in events { told.events.withLock { $0.append(event) } }
      }
      defer { listener.cancel() }
      try player.attach(to: .vulkan(surface, size: Self.viewSize, refresh: 60))
      player.setRate(2)
      player.setLoops(true)
      player.play()
      #expect(Patience.until { player.state.position.seconds > 1 })
      player.pause()
      #expect(Patience.until { player.state.status == .paused })
      let place = player.state.position
      losses.loseDevice(afterSubmits: 0)
      player.redraw()
      func isResumed() -> Bool {
        told.events.withLock {
          $0.contains { if case .resumed(let failure) = $0 { failure.kind == .deviceLost } else { false } }
        }
      }
      #expect(Patience.until { isResumed() }, "\(told.events.withLock { $0 })")
      #expect(Patience.until { player.state.status == .paused && player.state.pictureSize != nil })
      let state = player.state
      #expect(abs(state.position.seconds - place.seconds) < 0.1, "\(place): \(state)")
      #expect(!state.isPlaying && state.rate == 2 && state.loops, "\(state)")
      player.play()
      #expect(Patience.until { player.state.status == .playing && player.state.position != state.position })
      player.detach()
    }
  }

  /// Two players in one process, each in its window: they do not know of each other.
  @Test func twoPlayersPlayTogether() throws {
    let (one, other) = (try Self.flat(frames: 30), try Self.flat(frames: 60))
    let views = [
      try PlayerView(one, title: "one", size: Self.viewSize),
      try PlayerView(other, title: "other", size: Self.viewSize),
    ]
    one.play()
    other.setRate(2)
    other.play()
    let end = MonotonicTime.now.advanced(byMilliseconds: Patience.seconds * 1000)
    PlayerView.run(views) {
      one.state.status == .ended && other.state.status == .ended || MonotonicTime.now > end
    }
    #expect(one.state.status == .ended && other.state.status == .ended)
    let counts = one.state.counts
    #expect(counts.presented + counts.dropped + counts.skipped == 30, "\(counts)")
    for view in views { view.close() }
  }

  /// They end with their clips.
  @Test(arguments: ["MinimalPlayer", "OwnControls"])
  func examplesPlay(name: String) throws {
    let display = try Self.display.get()
    let clip = try SharedClips.synthetic("example-view.mp4") { ($0.frames, $0.size) = (30, Self.viewSize) }
    let run = try CommandOutput.of(
      TestFolders.repository + "/.build/release/" + name, [clip],
      environment: ["DISPLAY": display.name, "XDG_CURRENT_DESKTOP": ""])
    #expect(run.status == 0, "\(run.errors)")
    let output = String(decoding: run.output, as: UTF8.self)
    // Events are printed by a thread of their own.
    let told = ["status(playing)", "left at 1.0 s"]
    #expect(name == "MinimalPlayer" ? output.isEmpty : told.allSatisfy { output.contains($0) }, "\(output)")
  }

  /// A clip that cannot be opened ends it with a sentence, and so does a missing display.
  @Test func theSmallestProgramTellsAFailure() throws {
    let display = try Self.display.get().name
    for (display, clip, told) in [
      (display, "/nowhere/clip.mp4", "MinimalPlayer: cannot open '/nowhere/clip.mp4': "),
      ("", "clip.mp4", "MinimalPlayer: cannot open a window: "),
    ] {
      let run = try CommandOutput.of(
        TestFolders.repository + "/.build/release/MinimalPlayer", [clip],
        environment: ["DISPLAY": display, "WAYLAND_DISPLAY": "", "XDG_CURRENT_DESKTOP": ""])
      #expect(run.status == 1 && run.output.isEmpty, "\(run.status) \(run.errors)")
      #expect(run.errors.hasPrefix(told) && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }
  }

  /// What a player holds goes with it: descriptors are as many after four as after two, threads but for a pool's.
  @Test func releasedPlayersLeaveNothing() throws {
    let clip = try SharedClips.many("mp4")
    let run = try CommandOutput.of(
      TestFolders.repository + "/.build/release/PlayerCycles", [clip, "4", "0.1"])
    let pattern = #/cycle (\d+): (\d+) pictures, (\d+) threads, (\d+) descriptors, (\d+) KiB, .*/#
    let cycles = String(decoding: run.output, as: UTF8.self).split(separator: "\n").compactMap {
      $0.wholeMatch(of: pattern)?.output
    }
    try #require(run.status == 0 && cycles.count == 4, "\(run.errors)")
    #expect(cycles.allSatisfy { Int($0.2) ?? 0 > 0 })
    #expect(cycles[3].4 == cycles[1].4, "\(cycles)")
    let threads = cycles.compactMap { Int($0.3) }
    #expect(threads[3] <= threads[1] + ProcessInfo.processInfo.activeProcessorCount, "\(threads)")
  }
}

/// Filled by a task.
private final class Told: Sendable {
  let events = Mutex<[Player.Event]>([])
}
