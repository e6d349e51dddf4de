import Decode
import Encode
import Frames
import Playback
import Support
import Testing

/// Seeks and steps on a thread; which frame came is read from its picture.
@Suite struct SeekThreadTests {
  private static let clip = SharedClips.manySpecification

  private static func open(_ path: String) throws -> SeekThread {
    let interruption = Interruption()
    let reader = try FrameReader(path: path, options: DecoderOptions(threads: 1), interruption: interruption)
    return SeekThread(reader: reader, interruption: interruption)
  }

  private static func number(_ frame: VideoFrame?) -> Int? {
    frame?.picture.planes.first.flatMap {
      FrameCode.read(luma: $0, layout: clip.projection, stereo: clip.stereo).number
    }
  }

  private static func seek(_ number: Int) -> SeekThread.Order {
    .seek(SeekRequest(target: MediaTime(seconds: (Double(number) + 0.5) / 30)))
  }

  @Test func landingsComeInTheOrderOfTheirOrders() throws {
    let thread = try Self.open(try SharedClips.many("mp4"))
    let numbers = [40, 3, 63, 0, 12]
    for number in numbers { thread.send(Self.seek(number), id: number * 10) }
    for number in numbers {
      let landing = try #require(try thread.take())
      #expect(landing.id == number * 10 && Self.number(landing.frame) == number)
      // Groups of 12: from the sync sample on at most, and what the decoder gives beyond.
      #expect(landing.framesDecoded <= number % 12 + 5, "\(number): \(landing.framesDecoded)")
    }
    #expect(try thread.take(until: .now) == nil, "there is no other")
  }

  @Test(arguments: ["mp4", "mkv"])
  func stepsGoFromFrameToFrameBothWays(container: String) throws {
    let thread = try Self.open(try SharedClips.many(container))
    func step(_ order: SeekThread.Order) throws -> Int? {
      thread.send(order, id: 0)
      return Self.number(try #require(try thread.take()).frame)
    }
    #expect(try step(Self.seek(30)) == 30)
    for number in 31...40 { #expect(try step(.stepForward) == number) }
    // Over two sync samples, to the start and no further.
    for number in (0...39).reversed() { #expect(try step(.stepBack) == number) }
    #expect(try step(.stepBack) == nil)
    // After an exact seek the frame behind it may have been read already.
    for number in [1, 12, 24, 37, 63] {
      #expect(try step(Self.seek(number)) == number && step(.stepBack) == number - 1 && step(.stepForward) == number)
    }
    #expect(try step(.stepForward) == nil)
  }

  @Test func itStopsWhateverIsOrdered() throws {
    let thread = try Self.open(try SharedClips.many("mp4"))
    for number in 0..<50 { thread.send(Self.seek(number), id: number) }
    let first = try thread.take()?.frame
    thread.stop()
    #expect(Self.number(first) == 0, "frames outlive it")
    thread.send(Self.seek(1), id: 1)
    thread.stop()
  }

  @Test func whatFailsIsToldOnceAndEndsIt() throws {
    let interruption = Interruption()
    // Larger than what was read ahead when it was opened.
    let reader = try FrameReader(
      path: try SharedClips.synthetic("scrubbed.mp4") { $0.frames = 48 }, interruption: interruption)
    let thread = SeekThread(reader: reader, interruption: interruption)
    interruption.request()
    thread.send(Self.seek(45), id: 1)
    #expect(throws: Failure.self) { try thread.take() }
    #expect(try thread.take() == nil)
  }
}
