import Foundation
import Frames
import Render
import Sound
import Support
import Testing

/// Rotation and mixing, beside the camera's matrix and a twin in double precision.
@Suite struct AmbisonicTests {
  /// Where the camera, with its own axes x right, y up and z ahead, sees what lies in an ambisonic direction of the world.
  private static func twin(
    _ source: (x: Double, y: Double, z: Double), pan: Double, tilt: Double, roll: Double
  ) -> (x: Double, y: Double, z: Double) {
    let view = Camera(pan: pan, tilt: tilt, roll: roll).orientation.transposed * Vector3(-source.y, source.z, source.x)
    return (view.z, -view.x, view.y)
  }

  private static func distance(_ a: (x: Double, y: Double, z: Double), _ b: (x: Double, y: Double, z: Double)) -> Double
  {
    max(abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z))
  }

  @Test func allDirectionsTurnAsTheCameraSeesThem() {
    #expect(cubeDirections.count == 26)
    var generator = SeededGenerator(for: "allDirectionsTurnAsTheCameraSeesThem")
    for source in cubeDirections {
      for _ in 0..<20 {
        let pan = Double.random(in: -540...540, using: &generator)
        let tilt = Double.random(in: -90...90, using: &generator)
        let roll = Double.random(in: -180...180, using: &generator)
        let level = Double.random(in: 0.1...1, using: &generator)
        var samples = encoded(level, source) + [0.25, -0.5]
        AmbisonicRotation(pan: pan, tilt: tilt, roll: roll).turn(&samples, channels: 6)
        let w = Double(samples[0])
        let heard = (x: Double(samples[3]) / w, y: Double(samples[1]) / w, z: Double(samples[2]) / w)
        let twin = Self.twin(source, pan: pan, tilt: tilt, roll: roll)
        #expect(Self.distance(heard, twin) < 1e-5, "\(source) at \(pan), \(tilt), \(roll), seed \(generator.seed)")
        #expect(abs(w - level) < 1e-6 && samples[4...] == [0.25, -0.5])
        let exact = AmbisonicRotation(pan: pan, tilt: tilt, roll: roll).turned(x: source.x, y: source.y, z: source.z)
        #expect(Self.distance(exact, twin) < 1e-12)
      }
    }
  }

  /// The signs in words: what the head turns to is ahead of it.
  @Test(arguments: [
    (pan: 90.0, tilt: 0.0, roll: 0.0, source: [0.0, -1, 0], heard: [1.0, 0, 0]),
    (pan: 0, tilt: 90, roll: 0, source: [0, 0, 1], heard: [1, 0, 0]),
    (pan: 0, tilt: 0, roll: 90, source: [0, 0, 1], heard: [0, 1, 0]),
    (pan: .nan, tilt: .infinity, roll: 0, source: [0, 0, 1], heard: [0, 0, 1]),
  ])
  func signsAreTheCameras(pan: Double, tilt: Double, roll: Double, source: [Double], heard: [Double]) {
    let turned = AmbisonicRotation(pan: pan, tilt: tilt, roll: roll).turned(x: source[0], y: source[1], z: source[2])
    #expect(Self.distance(turned, (heard[0], heard[1], heard[2])) < 1e-12, "\(turned)")
  }

  /// As OpenAL's header describes its B-format.
  @Test func bFormatHasTheOrderAndScaleOfFurseAndMalham() {
    let converted = AmbisonicRotation.furseMalham([1, 0.2, 0.3, 0.4, 9, 9, 2, 0, 0, 0, 9, 9], channels: 6)
    #expect(converted == [Float(0.5.squareRoot()), 0.4, 0.2, 0.3, Float(2.0.squareRoot()), 0, 0, 0])
  }

  /// (left − right) / (left + right) of the decoder is what the head has to its left.
  @Test func theDecoderTellsTheLateralAngle() {
    var generator = SeededGenerator(for: "theDecoderTellsTheLateralAngle")
    for source in cubeDirections {
      let (pan, tilt) = (
        Double.random(in: -180...180, using: &generator), Double.random(in: -90...90, using: &generator)
      )
      var mixer = SoundMixer(.ambisonicAndStereo)
      mixer.rotation = AmbisonicRotation(pan: pan, tilt: tilt, roll: 0)
      let sample = encoded(0.5, source) + [0.125, -0.25]
      _ = mixer.stereo(sample)
      let ears = mixer.stereo(sample).map { Double($0) }
      let (left, right) = (ears[0] - 0.125, ears[1] + 0.25)
      let twin = Self.twin(source, pan: pan, tilt: tilt, roll: 0)
      #expect(abs((left - right) / (left + right) - twin.y) < 1e-5, "\(source), seed \(generator.seed)")
      #expect(left >= -1e-6 && right >= -1e-6 && abs(left + right - 0.5) < 1e-6)
    }
  }

  /// ITU-R BS.775, written out, and scaled by the sum of what one side gets.
  @Test(arguments: [
    (SoundLayout.mono, [1.0], [1.0]), (.stereo, [1, 0], [0, 1]),
    (.surround51, [1, 0, 0.70710678, 0, 0.70710678, 0], [0, 1, 0.70710678, 0, 0, 0.70710678]),
    (
      .surround71, [1, 0, 0.70710678, 0, 0.70710678, 0, 0.70710678, 0],
      [0, 1, 0.70710678, 0, 0, 0.70710678, 0, 0.70710678]
    ),
  ])
  func layoutsAreMixedByTheirCoefficients(layout: SoundLayout, left: [Double], right: [Double]) {
    var mixer = SoundMixer(layout)
    let sum = max(1, left.reduce(0, +))
    for channel in 0..<layout.channelCount {
      var samples = [Float](repeating: 0, count: layout.channelCount)
      samples[channel] = 1
      let ears = mixer.stereo(samples).map { Double($0) }
      #expect(abs(ears[0] - left[channel] / sum) < 1e-6 && abs(ears[1] - right[channel] / sum) < 1e-6)
    }
    let loudest = mixer.stereo([Float](repeating: -1, count: layout.channelCount))
    #expect(loudest.allSatisfy { abs($0) <= 1 + 1e-6 && $0 < -0.99 }, "\(loudest)")
  }

  /// The matrix moves in equal steps through one call, and stands after it.
  @Test func aTurnIsARamp() {
    var mixer = SoundMixer(.ambisonic)
    let source = encoded(1, (0, 1, 0))
    let period = [[Float]](repeating: source, count: 480).flatMap { $0 }
    let before = mixer.stereo(period)
    mixer.rotation = AmbisonicRotation(pan: 0, tilt: 0, roll: 180)
    let turned = mixer.stereo(period)
    let both = before + turned
    let left = stride(from: 0, to: 1920, by: 2).map { both[$0] }
    #expect(left[479] == 1 && left[480] < 1 && abs(left[959]) < 1e-6)
    #expect(zip(left, left.dropFirst()).allSatisfy { abs($1 - $0) <= 1 / 480 + 1e-6 })
    #expect(abs(mixer.stereo(period)[0]) < 1e-6)
  }
}
