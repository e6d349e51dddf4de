import Bench360Player
import Foundation
import Frames
import Support
import Testing

/// What callers want of a player: it outlives surfaces and clips, and bears any number.
@Suite(.tier(.test), .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
struct PlayerWishesTests {
  /// The surface is left and another one of another size attached: the clip goes on where it was.
  @Test func surfacesMayChange() async throws {
    let player = try PlayerSupport.player(try PlayerSupport.clip())
    let image = try await player.image(at: MediaTime(seconds: 1.21))
    #expect(image.number() == 36)
    (player.volume, player.isMuted) = (0.3, true)
    player.setRate(2)
    player.setLoops(true)
    try player.attach(to: .offscreen(size: PictureSize(width: 640, height: 320)))
    let state = await player.state { $0.status == .paused && $0.rate == 2 }
    try #require(state.status == .paused, "\(state)")
    #expect(abs(state.position.seconds - 1.2) < 1e-3)
    #expect(state.rate == 2 && state.loops && state.sound.volume == 0.3 && state.sound.isMuted, "\(state)")
    let larger = try await player.image(at: state.position)
    #expect(larger.number() == 36 && larger.size.width == 640)
    // What a caller wants of all clips is wanted of the next one as well.
    player.load(try PlayerSupport.clip(frames: 30), plays: true)
    var turns = 0
    var last = MediaTime.zero
    for await state in player.states {
      if state.status == .playing, state.position < last { turns += 1 }
      last = state.position
      if turns == 2 || state.status == .ended { break }
    }
    #expect(turns == 2 && player.state.rate == 2 && player.state.loops)
  }

  @Test func surfacesMayBeResized() async throws {
    let player = try PlayerSupport.player(try PlayerSupport.clip())
    #expect(try await player.image(at: .zero).size == PlayerSupport.size)
    player.resize(width: 640, height: 320)
    #expect(try await player.image(at: .zero).size.width == 640)
    // Hidden: the views stay as they were.
    for size in [0, -1, Int.min] { player.resize(width: size, height: size) }
    #expect(try await player.image(at: .zero).size.width == 640)
    player.load(try PlayerSupport.clip(frames: 30))
    #expect(try await player.image(at: .zero).size.width == 640)
  }

  @Test(arguments: [0, -4]) func surfacesWithoutPixelsAreRefused(width: Int) async throws {
    let player = Player(try PlayerSupport.clip(), options: PlayerSupport.options)
    try player.attach(to: .offscreen(size: PictureSize(width: width, height: 4)))
    let failure = await #expect(throws: Failure.self) { try await player.image(at: .zero) }
    #expect(failure?.kind == .usage && failure?.description.contains("pixels") == true, "\(failure as Any)")
    try player.attach(to: .offscreen(size: PlayerSupport.size))
    #expect(try await player.image(at: .zero).number() == 0)
  }

  @Test func ordersBearAnyNumber() async throws {
    let player = try PlayerSupport.player(try PlayerSupport.clip())
    _ = await player.state { $0.status == .ready }
    for number in [Double.nan, -.infinity, .infinity, -1, 0, 1e300] {
      player.setRate(number)
      player.volume = number
      #expect(player.volume >= 0 && player.volume <= 1)
    }
    for count in [Int.min, -1, 0, Int.max] { player.step(count) }
    for place in [MediaTime(nanoseconds: .min), MediaTime(nanoseconds: .max), MediaTime(seconds: -1)] {
      _ = await player.sought(to: place, toleranceBefore: .unlimited)
    }
    for track in [Int.min, -1, 7, Int.max] {
      player.choose(sound: track)
      player.choose(subtitles: track)
      player.choose(quality: track)
    }
    player.setRate(.nan)
    let last = try await player.image(at: MediaTime(seconds: 1.01))
    #expect(last.number() == 30 && player.state.rate == 1, "\(player.state)")
  }
}
