import Foundation
import Frames
import Support
import TestPicture
import Testing

@Suite struct SceneFlashTests {
  private static let size = PictureSize(width: 640, height: 320)

  private func drawn(_ specification: SceneSpecification, frames: Range<Int>) throws -> [[[UInt8]]] {
    let scene = try SyntheticScene(specification)
    return frames.map { frame in
      let picture = HostPicture(format: .yuv420p, size: specification.size)
      scene.draw(frame: frame, into: picture.planes)
      return picture.planes.map { $0.packedBytes() }
    }
  }

  private func isFlash(_ luma: [UInt8], _ size: PictureSize, _ layout: FrameCode.Layout) -> Bool? {
    SceneFlash.isShown(layout) { u, v in luma[Int(v * Double(size.height)) * size.width + Int(u * Double(size.width))] }
  }

  @Test(arguments: SyntheticTag.Projection.allCases)
  func aPictureFlashesWhereItIsAsked(projection: SyntheticTag.Projection) throws {
    var specification = SceneSpecification()
    specification.size = projection == .flat ? PictureSize(width: 320, height: 180) : Self.size
    specification.projection = projection
    let plain = try drawn(specification, frames: 0..<4)
    specification.flashPeriod = 3
    let flashing = try drawn(specification, frames: 0..<4)
    for frame in 0..<4 {
      let isExpected = frame % 3 == 0
      #expect(isFlash(flashing[frame][0], specification.size, projection) == isExpected)
      #expect(isFlash(plain[frame][0], specification.size, projection) == false)
      #expect((plain[frame] == flashing[frame]) != isExpected, "other frames are as they were")
      let code = readCode(flashing[frame][0], size: specification.size, layout: projection)
      #expect(code == .number(frame))
    }
  }

  /// Nothing of the frame code is drawn over: a margin stays between its tiles and the band.
  @Test(arguments: SyntheticTag.Projection.allCases)
  func theBandLiesBetweenTiles(projection: SyntheticTag.Projection) throws {
    var specification = SceneSpecification()
    (specification.size, specification.projection, specification.flashPeriod) = (Self.size, projection, 1)
    let luma = try drawn(specification, frames: 0..<1)[0][0]
    let rows = (0..<320).filter { row in luma[row * 640..<(row + 1) * 640].allSatisfy { $0 == FrameCode.bright } }
    let (first, last) = try (#require(rows.first), #require(rows.last))
    #expect(rows.count == last - first + 1 && rows.count > 10)
    for cell in FrameCode.cells(for: projection) {
      let (top, bottom) = ((cell.v - cell.height / 2) * 320, (cell.v + cell.height / 2) * 320)
      #expect(bottom + 2 <= Double(first) || top - 2 >= Double(last))
    }
  }

  @Test func whatCannotBeSeenIsUnknown() {
    #expect(SceneFlash.isShown(.flat) { _, _ in nil } == nil)
    #expect(SceneFlash.isShown(.flat) { _, _ in 235 } == true && SceneFlash.isShown(.flat) { _, _ in 16 } == false)
  }

  @Test(arguments: [(Ratio(30, 1), 30), (Ratio(30000, 1001), 30), (Ratio(24000, 1001), 24), (Ratio(1, 2), 1)])
  func flashesAreASecondApart(rate: Ratio, frames: Int) {
    #expect(SceneFlash.period(rate: rate) == frames)
  }

  @Test func periodsThatMakeNoSenseAreRefused() {
    var specification = SceneSpecification()
    specification.flashPeriod = 0
    #expect(throws: Failure.self) { try specification.validate() }
  }

  /// Beeps are found to a quarter of a millisecond, and the tone tells its place beside them.
  @Test func beepsAndPlacesAreHeard() throws {
    let sound = SceneSound(rate: 48_000, track: 5, flashes: [0.5, 1.501, 2.5])
    // In pieces, as an encoder asks for them.
    let samples = stride(from: 0, to: 144_000, by: 1000).flatMap { sound.samples(from: $0, count: 1000) }
    #expect(samples == sound.samples(from: 0, count: 144_000))
    let found = SceneFlash.beeps(in: samples, rate: 48_000)
    #expect(found.count == 3)
    for (place, seconds) in zip(found, [0.5, 1.501, 2.5]) { #expect(abs(Double(place) - seconds * 48_000) < 12) }
    for start in [0, 20_000, 24_500, 90_000] {
      let reading = try #require(TonePosition.read(Array(samples[start...].prefix(24_000)), rate: 48_000))
      #expect(abs(reading.seconds - Double(start) / 48_000) < 20e-6 && reading.track == 5)
    }
    #expect(
      SceneFlash.beeps(
        in: SceneSound(rate: 48_000, track: 5, flashes: []).samples(from: 0, count: 48_000), rate: 48_000
      ).isEmpty)
    #expect(SceneFlash.beeps(in: [], rate: 48_000).isEmpty)
  }

  /// The source moves to the right as its balloon does: +X is ahead, +Y is to the left, +Z is up.
  @Test func theSoundComesFromTheBalloon() {
    let sound = SceneSound(rate: 48_000, track: 0, flashes: [])
    for seconds in [0, 4, 10, 16] {
      let (count, position) = (480, seconds * 48_000)
      let channels = sound.ambisonic(from: position, count: count)
      let plain = sound.samples(from: position, count: count)
      #expect(channels[0] == plain)
      let direction = SceneSource.direction(at: Double(seconds))
      let longitude = (15 + 18 * Double(seconds)) * .pi / 180
      #expect(abs(direction.x - cos(-10.1 * .pi / 180) * sin(longitude)) < 1e-6)
      #expect(abs(direction.y - sin(-10.1 * .pi / 180)) < 1e-6)
      for (channel, gain) in [(1, -direction.x), (2, direction.y), (3, direction.z)] {
        let error = zip(channels[channel], plain).reduce(Float(0)) { max($0, abs($1.0 - $1.1 * Float(gain))) }
        #expect(error < 0.003, "channel \(channel) at \(seconds) s")
      }
    }
  }
}
