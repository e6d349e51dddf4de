import Bench360Player
import Foundation
import Frames
import Support
import Synchronization
import Testing

/// One clip after the other: which one is shown is read from its pictures, whose numbers begin again.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct PlayerQueueTests {
  private static func player(_ items: [Player.Item]) throws -> Player {
    let player = Player(items, options: PlayerSupport.options)
    try player.attach(to: .offscreen(size: PlayerSupport.size))
    return player
  }

  private static func items() throws -> [Player.Item] {
    [
      Player.Item(try PlayerSupport.clip(frames: 30), metadata: .init(title: "one")),
      Player.Item(try PlayerSupport.clip(frames: 60), metadata: .init(title: "two")),
    ]
  }

  /// The clips that were moved to.
  private static func moves(_ events: [Player.Event]) -> [(item: Player.Item, gap: ClipGap?)] {
    events.compactMap { if case .moved(let item, let gap) = $0 { (item, gap) } else { nil } }
  }

  /// Until a player is released.
  private static func played(
    _ items: [Player.Item], _ body: (Player) async throws -> Void
  ) async throws -> (events: Task<[Player.Event], Never>, images: Task<[PlayerImage], Never>) {
    let player = try player(items)
    let collected = (PlayerTests.collect(player.events), PlayerTests.collect(player.images))
    try await body(player)
    return collected
  }

  @Test func clipsFollowEachOther() async throws {
    let items = try Self.items()
    let (told, images) = try await Self.played(items) { player in
      #expect(player.upNext == [items[1]])
      player.play()
      let ended = await player.state { $0.status.isOver }
      #expect(ended.metadata.title == "two" && ended.duration?.seconds == 2 && player.upNext.isEmpty, "\(ended)")
    }
    let (events, numbers) = (await told.value, await images.value.map { $0.number() ?? -1 })
    let moves = Self.moves(events)
    #expect(moves.map(\.item) == items && moves.first?.gap == nil)
    let gap = try #require(moves.last?.gap)
    #expect(gap.milliseconds > -100 && gap.milliseconds < 10_000, "\(gap)")
    #expect(events.filter { $0 == .ended }.count == 1, "the end of a clip that is followed is no end of playing")
    // A listener that is slow gets the newest pictures.
    #expect(zip(numbers, numbers.dropFirst()).filter { $0 > $1 }.count <= 1 && numbers.last == 59, "\(numbers)")
  }

  /// The next clip is opened before its turn: by then the file may be gone.
  @Test func theNextClipIsOpenedBeforeItsTurn() async throws {
    try await TestFolders.withTemporary { folder in
      let path = folder + "/next.mp4"
      try FileManager.default.copyItem(atPath: try PlayerSupport.clip(frames: 30), toPath: path)
      let first = Player.Item(try PlayerSupport.clip(frames: 60), metadata: .init(title: "first"))
      let (told, _) = try await Self.played([first, Player.Item(path)]) { player in
        // The player's thread calls this for each view, as long as the first clip is shown. A clip is opened in steps: the file is removed
        // once it has been open for some views.
        let viewsHeld = Mutex(0)
        player.overlay = { state, _ in
          guard state.metadata.title == "first" else { return Canvas() }
          let count = viewsHeld.withLock { count in
            count = Self.isHeld(path) ? count + 1 : 0
            return count
          }
          if count == 6 { try? FileManager.default.removeItem(atPath: path) }
          return Canvas()
        }
        player.play()
        #expect(await player.state { $0.status.isOver }.status == .ended)
        #expect(!FileManager.default.fileExists(atPath: path), "it was not open while the first clip was shown")
      }
      #expect(Self.moves(await told.value).map(\.item.path) == [first.path, path])
    }
  }

  /// Whether this process has a file open.
  private static func isHeld(_ path: String) -> Bool {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path
    }
  }

  @Test func aClipThatCannotBePlayedIsLeftOut() async throws {
    var items = try Self.items()
    items.insert(Player.Item("/nowhere/clip.mp4"), at: 1)
    let (told, _) = try await Self.played(items) { player in
      player.play()
      #expect(await player.state { $0.status.isOver }.metadata.title == "two")
    }
    let events = await told.value
    let troubles = events.compactMap { if case .trouble(let failure) = $0 { failure } else { nil } }
    #expect(troubles.count == 1 && troubles.first?.description.contains("/nowhere/clip.mp4") == true, "\(troubles)")
    #expect(Self.moves(events).map(\.item.metadata.title) == ["one", "two"])
    // The last one is the player's failure.
    let player = try Self.player([Player.Item("/nowhere/a.mp4"), Player.Item("/nowhere/b.mp4")])
    let failed = await player.state { $0.status.isOver }
    #expect(failed.status.failure?.description.contains("/nowhere/b.mp4") == true, "\(failed)")
    #expect(player.upNext.isEmpty && !player.advance())
  }

  /// Forwards by hand: at once, paused where the clip before was, and before there is a surface.
  @Test func aHandGoesOn() async throws {
    let items = try Self.items()
    let player = Player(items + items, options: PlayerSupport.options)
    #expect(player.advance() && player.upNext == items, "without a surface the second clip is the one to be opened")
    try player.attach(to: .offscreen(size: PlayerSupport.size))
    #expect(await player.state { $0.status == .ready }.metadata.title == "two")
    #expect(player.advance())
    let paused = await player.state { $0.metadata.title == "one" && $0.status == .ready }
    #expect(!paused.isPlaying && player.upNext == [items[1]])
    // What is loaded leaves the queue as it is, which goes on behind it.
    player.load("/nowhere/clip.mp4")
    #expect(await player.state { $0.metadata.title == "two" && $0.status == .ready }.isPlaying == false)
    player.play()
    #expect(await player.state { $0.status == .ended }.metadata.title == "two")
    #expect(!player.advance())
  }

  /// The queue may change while a clip plays: a clip that was prepared is given up.
  @Test func theQueueChanges() async throws {
    let items = try Self.items()
    let (told, _) = try await Self.played([items[1], items[1]]) { player in
      let queue = [items[0], items[1]]
      player.overlay = { [weak player] state, _ in
        // By then the clip that was the next one is open.
        if state.position.seconds > 1.2, player?.upNext == [items[1]] { player?.upNext = queue }
        if state.metadata.title == "one" { player?.upNext = [] }
        return Canvas()
      }
      player.play()
      #expect(await player.state { $0.status.isOver }.metadata.title == "one")
      // A clip that is put into the queue of one that has ended is played.
      player.overlay = nil
      player.upNext = [items[1]]
      #expect(await player.state { $0.metadata.title == "two" && $0.status.isOver }.status == .ended)
    }
    #expect(Self.moves(await told.value).map(\.item.metadata.title) == ["two", "one", "two"])
  }

  /// Any orders, at any time, of a queue that may hold a clip that cannot be played: the player goes on, and ends with its release.
  @Test func anyOrdersAreCarriedOut() async throws {
    var random = SeededGenerator(for: "anyOrdersAreCarriedOut")
    let items = try Self.items() + [Player.Item("/nowhere/clip.mp4")]
    // A title of its own: a clip that `load` opens keeps the title of the one before, and that one may have failed.
    let last = Player.Item(items[0].path, metadata: .init(title: "last"))
    let (told, _) = try await Self.played(items) { player in
      player.setRate(4)
      for _ in 0..<40 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: player.upNext = items.shuffled(using: &random)
        case 1: player.upNext = []
        case 2: player.advance()
        case 3: player.load(items[Int.random(in: 0..<3, using: &random)].path, plays: Bool.random(using: &random))
        case 4: player.unload()
        case 5: player.pause()
        case 6:
          player.detach()
          try player.attach(to: .offscreen(size: PlayerSupport.size))
        default: player.play()
        }
        // Waits for the picture of a clip that is there; else goes on at once.
        await player.sought(to: MediaTime(seconds: Double.random(in: 0..<2, using: &random)))
      }
      player.upNext = [last]
      player.load(items[1].path, plays: true)
      #expect(await player.state { $0.status.isOver && $0.metadata.title == "last" }.status == .ended)
    }
    #expect(Self.moves(await told.value).last?.item == last, "seed \(random.seed)")
  }

  @Test func aClipThatLoopsIsNotLeft() async throws {
    let items = try Self.items()
    let (told, _) = try await Self.played(items) { player in
      player.setLoops(true)
      player.setRate(4)
      player.play()
      var (turns, last) = (0, MediaTime.zero)
      for await state in player.states {
        if state.position < last { turns += 1 }
        last = state.position
        if turns == 2 || state.status.isOver { break }
      }
      #expect(turns == 2 && player.upNext == [items[1]])
      player.setLoops(false)
      #expect(await player.state { $0.status.isOver }.metadata.title == "two")
    }
    #expect(Self.moves(await told.value).map(\.item) == items)
  }
}
