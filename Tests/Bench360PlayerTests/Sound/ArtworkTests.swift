import Bench360Player
import Foundation
import Frames
import Support
import Testing

extension PlayerTests {
  /// The caller's picture of a clip of sound alone.
  @Suite struct ArtworkTests {
    /// Two minutes: no machine is so busy that it ends before a test looks.
    private static func sound() throws -> String {
      try SharedClips.ffmpeg("sound.m4a", ["-f", "lavfi", "-i", "sine=440:duration=120:sample_rate=8000"])
    }

    /// Its colour in the middle of the view, black above and below it, where three quarters of the view end.
    @Test func itIsDrawnInTheMiddle() async throws {
      let image = try SharedClips.ffmpeg(
        "red.png", ["-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1"])
      let player = try PlayerSupport.player(try Self.sound())
      player.metadata.artwork = [UInt8](try Data(contentsOf: URL(filePath: image)))
      let images = player.images
      player.play()
      let seen = Task { () -> PlayerImage? in
        for await image in images where image.isRed(160, 80) { return image }
        return nil
      }
      let limit = Task {
        try await Patience.pass()
        seen.cancel()
      }
      defer { limit.cancel() }
      let drawn = try #require(await seen.value)
      // Of 160 rows the middle 120 columns and rows.
      #expect(drawn.isRed(101, 21) && drawn.isRed(218, 138))
      #expect(!drawn.isRed(160, 18) && !drawn.isRed(98, 80))
    }

    @Test func whatIsNoImageIsTold() async throws {
      let player = try PlayerSupport.player(try Self.sound())
      let events = PlayerTests.collect(player.events)
      player.metadata.artwork = Array("no image".utf8)
      player.play()
      #expect(Patience.until { player.state.position.seconds > 0.5 })
      events.cancel()
      let told = await events.value.compactMap {
        if case .trouble(let failure) = $0 { failure.description } else { nil }
      }
      #expect(told.count == 1 && told[0].contains("it is no JPEG, PNG or WebP image"), "\(told)")
    }
  }
}

extension PlayerImage {
  fileprivate func isRed(_ column: Int, _ row: Int) -> Bool {
    let start = (row * size.width + column) * 4
    return pixels[start] > 200 && pixels[start + 1] < 60 && pixels[start + 2] < 60
  }
}
