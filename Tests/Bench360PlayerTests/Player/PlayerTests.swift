import Bench360Player
import Foundation
import Frames
import Support
import Testing

@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct PlayerTests {
  /// Places in any order, by their pictures.
  @Test func imagesAreThoseOfTheirPlaces() async throws {
    var random = SeededGenerator(for: "imagesAreThoseOfTheirPlaces")
    let player = try PlayerSupport.player(try PlayerSupport.clip())
    for _ in 0..<8 {
      let number = Int.random(in: 0..<60, using: &random)
      let image = try await player.image(at: MediaTime(seconds: (Double(number) + 0.5) / 30))
      #expect(image.number() == number && image.size == PlayerSupport.size, "seed \(random.seed)")
      #expect(abs(image.time.seconds - Double(number) / 30) < 1e-3)
    }
    #expect(player.state.status == .paused && !player.state.isPlaying)
    let failure = await #expect(throws: Failure.self) { try await player.image(at: MediaTime(seconds: 99)) }
    #expect(failure?.kind == .input && failure?.description.contains("player-60.mp4") == true, "\(failure as Any)")
    // It still plays.
    let first = try await player.image(at: .zero)
    #expect(first.number() == 0)
  }

  @Test func aClipIsPlayedToItsEnd() async throws {
    let (images, events, counts) = try await Self.playedToItsEnd()
    // The player is gone, and its streams have ended with it.
    let numbers = await images.value.map { $0.number() ?? -1 }
    // A listener that is slow gets the newest ones.
    #expect(numbers == numbers.sorted() && numbers.first ?? -1 >= 0 && numbers.last == 29, "\(numbers)")
    #expect(Set(numbers).count == numbers.count)
    let statuses = await events.value.compactMap { if case .status(let status) = $0 { status } else { nil } }
    // On a busy machine decoding may be too slow for it: it stalls, and plays on.
    let resumed = zip(statuses, statuses.dropFirst()).count { $0 == .stalled && $1 == .playing }
    let expected = Array(repeating: Player.Status.playing, count: 1 + resumed) + [.ended]
    #expect(statuses.filter { [.playing, .ended].contains($0) } == expected, "\(statuses)")
    #expect(statuses.last == .idle, "left at the end")
    #expect(counts.presented + counts.dropped + counts.skipped == 30, "\(counts)")
    let ends = await events.value.filter { $0 == .ended }
    #expect(ends.count == 1)
  }

  private static func playedToItsEnd() async throws -> (
    Task<[PlayerImage], Never>, Task<[Player.Event], Never>, Player.Counts
  ) {
    let player = try PlayerSupport.player(try PlayerSupport.clip(frames: 30))
    let (images, events) = (collect(player.images), collect(player.events))
    player.play()
    let ended = await player.state { $0.status == .ended }
    #expect(!ended.isPlaying && ended.position.seconds > 0.95, "\(ended)")
    #expect(ended.duration?.seconds == 1 && ended.pictureSize == PlayerSupport.clipSize)
    #expect(ended.metadata.title == "player-30.mp4")
    return (images, events, ended.counts)
  }

  /// Orders before the first picture are carried out after it, in order.
  @Test func ordersMayComeEarly() async throws {
    let player = Player(try PlayerSupport.clip(), options: PlayerSupport.options)
    player.seek(to: MediaTime(seconds: 0.2))
    player.setRate(0.5)
    player.seek(to: MediaTime(seconds: 1.05))
    #expect(player.state.status == .idle, "there is no surface yet")
    try player.attach(to: .offscreen(size: PlayerSupport.size))
    let state = await player.state { $0.status == .paused && $0.rate == 0.5 }
    #expect(abs(state.position.seconds - 31.0 / 30) < 1e-3, "\(state)")
  }

  @Test func theLatestOfSeveralSeeksWins() async throws {
    let player = try PlayerSupport.player(try PlayerSupport.clip())
    _ = await player.state { $0.status == .ready }
    async let first = player.sought(to: MediaTime(seconds: 0.5))
    async let second = player.sought(to: MediaTime(seconds: 1.5))
    let outcomes = await [first, second]
    // Which of the two was asked for last is for the scheduler; one may have landed before.
    #expect(outcomes.contains { if case .landed = $0 { true } else { false } }, "\(outcomes)")
    let last = await player.sought(to: MediaTime(seconds: 1.02))
    guard case .landed(let time) = last else { return #expect(Bool(false), "\(last)") }
    #expect(abs(time.seconds - 1) < 1e-3)
    let any = await player.sought(to: MediaTime(seconds: 0.9), toleranceBefore: .unlimited, toleranceAfter: .unlimited)
    #expect(any != .missed && any != .superseded)
    #expect(await player.sought(to: MediaTime(seconds: 50)) != .superseded)
  }

  /// A clip that cannot be opened is told in a sentence; another one plays after it.
  @Test func failuresAreToldAndOtherClipsPlay() async throws {
    let player = try PlayerSupport.player("/nowhere/clip.mp4")
    let failed = await player.state { if case .failed = $0.status { true } else { false } }
    guard case .failed(let failure) = failed.status else { return #expect(Bool(false), "\(failed)") }
    #expect(failure.kind == .input && failure.description.contains("/nowhere/clip.mp4"), "\(failure)")
    let again = await #expect(throws: Failure.self) { try await player.image(at: .zero) }
    #expect(again == failure)
    #expect(await player.sought(to: .zero) == .missed)
    player.load(try PlayerSupport.clip(frames: 30), plays: true)
    #expect(await player.state { $0.status == .ended }.status == .ended)
    player.unload()
    #expect(await player.state { $0.status == .idle }.pictureSize == nil)
    let none = await #expect(throws: Failure.self) { try await player.image(at: .zero) }
    #expect(none?.kind == .usage)
  }

  @Test func timesArePassed() async throws {
    let (every, places) = try await Self.passedTimes()
    let (multiples, passed) = (await every.value, await places.value)
    #expect(passed.map(\.seconds) == [0.3, 1.1])
    // Of several that are passed in one refresh the last one is told: a busy machine has such refreshes.
    let told = multiples.map(\.seconds)
    #expect(!told.isEmpty && Set(told).isSubset(of: [0.5, 1, 1.5, 2]) && told == Set(told).sorted(), "\(told)")
  }

  private static func passedTimes() async throws -> (Task<[MediaTime], Never>, Task<[MediaTime], Never>) {
    let player = try PlayerSupport.player(try PlayerSupport.clip())
    let every = collect(player.times(every: MediaTime(seconds: 0.5)))
    let places = collect(player.times(at: [0.3, 1.1, 7].map { MediaTime(seconds: $0) }))
    // A place that is sought is not passed.
    await player.sought(to: MediaTime(seconds: 1.2))
    await player.sought(to: .zero)
    player.play()
    _ = await player.state { $0.position.seconds > 1.7 }
    player.pause()
    _ = await player.state { $0.status != .playing }
    return (every, places)
  }

  @Test func clipsLoop() async throws {
    let player = try PlayerSupport.player(try PlayerSupport.clip(frames: 30)) { $0.loops = true }
    player.setRate(4)
    player.play()
    var last = MediaTime.zero
    var turns = 0
    for await state in player.states {
      if state.position < last { turns += 1 }
      last = state.position
      if turns == 3 || state.status == .ended { break }
    }
    #expect(turns == 3)
    player.setLoops(false)
    let ended = await player.state { $0.status == .ended }
    #expect(ended.status == .ended && !ended.loops)
  }

  @Test func overlaysAreDrawn() async throws {
    let player = try PlayerSupport.player(try PlayerSupport.clip())
    player.overlay = { state, size in
      var canvas = Canvas()
      canvas.rectangle(
        .init(left: 0, top: 0, width: Double(size.width), height: 8), .init(state.status == .playing ? 1 : 0, 0, 0))
      return canvas
    }
    let images = player.images
    player.play()
    var reds: [UInt8] = []
    for await image in images.prefix(4) { reds.append(image.pixels[4 * 8]) }
    #expect(reds.last == 255, "\(reds)")
    // A picture that is asked for has none over it.
    player.pause()
    let bare = try await player.image(at: .zero)
    #expect(bare.number() == 0 && bare.pixels[0] != 255, "\(bare.pixels.prefix(4))")
    player.overlay = nil
    #expect(try await player.image(at: .zero).pixels == bare.pixels)
  }

  /// The view is a value: a picture of a sphere follows it.
  @Test func theViewTurns() async throws {
    let path = try SharedClips.synthetic("player-sphere.mp4") { ($0.size, $0.frames) = (PlayerSupport.size, 8) }
    let player = try PlayerSupport.player(path)
    let ahead = try await player.image(at: .zero)
    player.look(SphereView(pan: 90, tilt: 10))
    let turned = await player.state { $0.view.pan == 90 }
    #expect(turned.view.tilt == 10 && turned.projection == .equirectangular)
    let right = try await player.image(at: .zero)
    #expect(right.pixels != ahead.pixels)
    player.look(SphereView())
    _ = await player.state { $0.view.pan == 0 }
    #expect(try await player.image(at: .zero).pixels == ahead.pixels)
    player.show(as: .flat)
    #expect(await player.state { $0.projection == .flat }.projection == .flat)
  }

  @Test func soundIsHeardAndChosen() async throws {
    let path = try SharedClips.synthetic("player-sound.mp4") {
      ($0.size, $0.frames, $0.hasAudio) = (PlayerSupport.clipSize, 30, true)
    }
    let player = try PlayerSupport.player(path) { $0.output = .null(.init()) }
    player.volume = 0.5
    player.play()
    // It may have ended before a busy machine looks.
    let playing = await player.state { !$0.sound.tracks.names.isEmpty }
    #expect(playing.sound.tracks.names.count == 1 && playing.sound.tracks.chosen == 0 && playing.sound.volume == 0.5)
    player.isMuted = true
    #expect(player.state.sound.isMuted)
    player.volume = 7
    #expect(player.volume == 1)
    #expect(await player.state { $0.status == .ended }.counts.presented > 0)
  }

  /// All that comes of a stream, until it ends or the task is cancelled.
  static func collect<Element: Sendable>(_ stream: AsyncStream<Element>) -> Task<[Element], Never> {
    Task {
      var all: [Element] = []
      for await element in stream { all.append(element) }
      return all
    }
  }
}
