import Foundation
import Frames
import Sound
import Support
import Testing

/// OpenAL on its own null device and into memory: no sound device is needed.
enum OpenAL {
  /// Its null device is the only one, for the whole process; before the library is loaded.
  private static let devices: [SoundDevice]? = {
    setenv("ALSOFT_DRIVERS", "null", 1)
    return try? SoundDevices.list()
  }()
  static let isInstalled = devices != nil
  static let nullDevice = devices?.first?.name ?? ""
}

/// Directions and levels, rendered into memory.
@Suite(.tier(.test), .enabled("libopenal.so.1 is not installed") { OpenAL.isInstalled })
struct OpenALDirectionTests {
  /// A head that can be turned in front of one source.
  private struct Listener {
    private let output: OpenALOutput
    private let sound: [Float]

    init(_ layout: SoundLayout, usesHeadphones: Bool, _ frame: (Float) -> [Float]) throws {
      let clock = ManualClock()
      output = try OpenALOutput(
        loopback: SoundFormat(sampleRate: 48_000, layout: layout), usesHeadphones: usesHeadphones, now: clock.reading)
      // The same noise in every block of eight buffers, so that only the direction makes a difference.
      var generator = SeededGenerator(seed: 1)
      sound = (0..<3840).flatMap { _ in frame(Float.random(in: -0.25...0.25, using: &generator)) }
      output.write(Array(sound.prefix(960 * layout.channelCount)))
      output.play()
    }

    var usesHRTF: Bool { output.usesHRTF }

    /// Levels at the ears, after a turn has settled.
    func levels(pan: Double = 0, tilt: Double = 0, roll: Double = 0) -> (left: Double, right: Double) {
      output.turn(pan: pan, tilt: tilt, roll: roll)
      var levels = (left: 0.0, right: 0.0)
      output.write(sound)
      _ = output.render(3840)
      output.write(sound)
      let rendered = output.render(3840)
      for place in stride(from: 0, to: rendered.count, by: 2) {
        levels.left += Double(rendered[place] * rendered[place])
        levels.right += Double(rendered[place + 1] * rendered[place + 1])
      }
      return (levels.left.squareRoot(), levels.right.squareRoot())
    }

    /// The angle between `low` and `high` at which the ears hear as `judge` does, where the left one hears more above it.
    func angle(
      _ low: Double, _ high: Double, as judge: (left: Double, right: Double),
      _ levels: (Double) -> (left: Double, right: Double)
    ) -> Double {
      var (low, high) = (low, high)
      for _ in 0..<12 {
        let angle = (low + high) / 2
        let ears = levels(angle)
        if ears.left / ears.right > judge.left / judge.right { high = angle } else { low = angle }
      }
      return (low + high) / 2
    }
  }

  /// Levels of a source that is there, before a head that looks ahead.
  private static func levels(_ x: Double, _ y: Double, _ z: Double) throws -> (left: Double, right: Double) {
    try Listener(.ambisonic, usesHeadphones: true) { encoded(Double($0), (x, y, z)) }.levels()
  }

  /// Turns the head until each source sounds as one ahead of it. OpenAL's head of 1.19 has two like ears, that of 1.24 has not: a source
  /// that is there, without a turn, is the judge.
  @Test func all26DirectionsAreFoundByTurningTheHead() throws {
    var worst = 0.0
    let ahead = try Self.levels(1, 0, 0)
    let sides = (left: try Self.levels(0, 1, 0), right: try Self.levels(0, -1, 0))
    let hasLikeEars = abs(sides.left.left / sides.right.right - 1) < 0.001
    for source in cubeDirections {
      let listener = try Listener(.ambisonic, usesHeadphones: true) { encoded(Double($0), source) }
      #expect(listener.usesHRTF)
      let azimuth = atan2(source.y, source.x) * 180 / .pi
      let elevation = asin(max(-1, min(1, source.z))) * 180 / .pi
      let ears = listener.levels()
      if abs(source.y) > 0.1 {
        #expect((ears.left > ears.right) == (source.y > 0), "\(source): \(ears)")
      } else if hasLikeEars {
        #expect(abs(ears.left / ears.right - 1) < 0.01, "\(source): \(ears)")
      }
      var pan = 0.0
      if abs(source.z) < 0.99 {
        // To the right of the source the left ear hears more.
        let judge = try Self.levels(cos(asin(source.z)), 0, source.z)
        pan = listener.angle(-azimuth - 80, -azimuth + 70, as: judge) { listener.levels(pan: $0) }
        worst = max(worst, abs(pan + azimuth))
      }
      // With the head on its side the left ear is above: it hears more while the head looks below the source.
      let tilt = -listener.angle(-elevation - 70, -elevation + 80, as: ahead) {
        listener.levels(pan: pan, tilt: -$0, roll: 90)
      }
      worst = max(worst, abs(tilt - elevation))
    }
    print("all26DirectionsAreFoundByTurningTheHead: worst \(worst)°, \(hasLikeEars ? "like" : "unlike") ears")
    #expect(worst < 0.1, "\(worst)°")
  }

  /// Without HRTF it is that of the twin's microphones: a source on one side is silent on the other.
  @Test func withoutHeadphonesItHearsAsTheTwin() throws {
    for source in cubeDirections {
      let listener = try Listener(.ambisonic, usesHeadphones: false) { encoded(Double($0), source) }
      #expect(!listener.usesHRTF)
      let ears = listener.levels()
      #expect(abs((ears.left - ears.right) / (ears.left + ears.right) - source.y) < 0.01, "\(source): \(ears)")
    }
  }

  /// Head-locked stereo passes as it is, in any position of the head, beside what turns.
  @Test(arguments: [false, true]) func headLockedStereoDoesNotTurn(usesHeadphones: Bool) throws {
    let listener = try Listener(.ambisonicAndStereo, usesHeadphones: usesHeadphones) { [0, 0, 0, 0, $0, -$0 / 2] }
    let ahead = listener.levels()
    let turned = listener.levels(pan: 90, tilt: 30, roll: 10)
    #expect(abs(ahead.left / ahead.right - 2) < 0.01 && abs(turned.left / ahead.left - 1) < 0.01)
    let stereo = try Listener(.stereo, usesHeadphones: usesHeadphones) { [$0, -$0 / 2] }.levels()
    #expect(abs(ahead.left / stereo.left - 1) < 0.01)
  }

  /// Each channel of a surround layout comes from its side, and what is at the side differs more between the ears than what is behind.
  @Test(arguments: [SoundLayout.surround51, .surround71]) func surroundChannelsKeepTheirSides(layout: SoundLayout)
    throws
  {
    var differences: [Double] = []
    for channel in 0..<layout.channelCount where channel != 3 {
      let listener = try Listener(layout, usesHeadphones: true) { sample in
        (0..<layout.channelCount).map { $0 == channel ? sample : 0 }
      }
      let ears = listener.levels()
      differences.append(abs(log2(ears.left / ears.right)))
      switch channel {
      case 2: #expect(abs(ears.left / ears.right - 1) < 0.01)
      case _ where channel % 2 == 0: #expect(ears.left > 1.2 * ears.right, "\(channel): \(ears)")
      default: #expect(ears.right > 1.2 * ears.left, "\(channel): \(ears)")
      }
    }
    if layout == .surround71 {
      #expect(differences[3] > 1.2 * differences[5] && differences[4] > 1.2 * differences[6], "\(differences)")
    }
  }

  @Test func monoGoesToBothSidesAsItIs() throws {
    let mono = try Listener(.mono, usesHeadphones: true) { [$0] }.levels()
    let stereo = try Listener(.stereo, usesHeadphones: true) { [$0, $0] }.levels()
    #expect(mono.left == mono.right && abs(mono.left / stereo.left - 1) < 1e-6)
  }

  /// Samples that were written are rendered, sample by sample, over buffers of any size; gain is a factor.
  @Test func samplesPassUntouched() throws {
    var generator = SeededGenerator(for: "samplesPassUntouched")
    let clock = ManualClock()
    let output = try OpenALOutput(
      loopback: SoundFormat(sampleRate: 48_000, layout: .stereo), usesHeadphones: false, now: clock.reading)
    output.play()
    var (written, rendered): ([Float], [Float]) = ([], [])
    for _ in 0..<60 {
      let block = (0..<2 * Int.random(in: 1...900, using: &generator)).map { _ in
        Float.random(in: -0.5...0.5, using: &generator)
      }
      let taken = output.write(block)
      written += block.prefix(2 * taken)
      // It plays already, and does not begin again.
      output.play()
      let left = written.count / 2 - rendered.count / 2
      rendered += output.render(Int.random(in: 1...max(1, left / 2), using: &generator))
      clock.advance(milliseconds: 1)
      _ = output.position
    }
    #expect(rendered.count > 5000)
    let offset = rendered.firstIndex { $0 != 0 } ?? 0
    let pairs = zip(rendered.dropFirst(offset), written)
    #expect(pairs.allSatisfy { abs($0 - $1) < 1e-4 }, "offset \(offset), seed \(generator.seed)")
    output.clear()
    output.gain = 0.5
    output.write([Float](repeating: 0.4, count: 2 * 4800))
    let quiet = output.render(4000)
    // The old sound fades out within two of OpenAL's mixes of 1024.
    #expect(output.gain == 0.5 && quiet.suffix(2 * 1950).allSatisfy { abs($0 - 0.2) < 1e-4 }, "seed \(generator.seed)")
  }
}

/// Opening, positions, pauses and underruns on OpenAL's null device, which has a clock and no sound.
@Suite(.tier(.test), .enabled("libopenal.so.1 is not installed") { OpenAL.isInstalled }) struct OpenALDeviceTests {
  private static let format = SoundFormat(sampleRate: 48_000, layout: .ambisonicAndStereo)

  private static func open() throws -> OpenALOutput { try OpenALOutput(name: OpenAL.nullDevice, format: format) }

  private static func silence(_ frames: Int) -> [Float] { [Float](repeating: 0, count: 6 * frames) }

  /// Writes until so many sample frames were heard.
  private static func play(_ output: OpenALOutput, until heard: Double, played: inout [PlayedSound]) -> Bool {
    Patience.until(every: 5) {
      output.write(silence(2400))
      played += output.takePlayed()
      return (output.position?.sampleFrame ?? 0) >= heard
    }
  }

  @Test func theDefaultDeviceIsRefusedWhereThereIsNone() {
    let failure = #expect(throws: Failure.self) { try OpenALOutput(name: nil, format: Self.format) }
    #expect(failure?.kind == .device && failure?.cause == "this machine has no sound device")
    let unknown = #expect(throws: Failure.self) { try OpenALOutput(name: "no such device", format: Self.format) }
    #expect(unknown?.kind == .device && unknown?.attempt == "cannot open the sound device 'no such device'")
  }

  @Test func devicesAreListed() throws {
    let devices = try SoundDevices.list()
    #expect(devices.map(\.isDefault) == [true] && devices.first?.name.hasSuffix("No Output") == true, "\(devices)")
  }

  @Test func aDevicePlaysPausesAndBeginsAgain() throws {
    let output = try Self.open()
    #expect(output.name == OpenAL.nullDevice && output.failure == nil && output.position == nil)
    var played: [PlayedSound] = []
    #expect(output.write(Self.silence(20_000)) == output.capacity)
    output.play()
    #expect(Self.play(output, until: 9600, played: &played))
    #expect(played.allSatisfy { $0.count + $0.missing > 0 })
    #expect(zip(played, played.dropFirst()).allSatisfy { $0.first + $0.count == $1.first && $0.instant <= $1.instant })
    output.pause()
    // What the device has taken is heard to its end; then it stands.
    var place = 0.0
    #expect(
      Patience.until(every: 100) {
        defer { place = output.position?.sampleFrame ?? 0 }
        return output.position?.sampleFrame == place
      })
    output.play()
    #expect(Self.play(output, until: place + 4800, played: &played))
    output.clear()
    #expect(output.position == nil && output.takePlayed().isEmpty)
    played = []
    #expect(Self.play(output, until: 960, played: &played))
    #expect(played.first?.first == 0 && output.failure == nil)
  }

  /// A queue that ran empty goes on when samples come, and tells the silence between.
  @Test func anUnderrunIsCounted() throws {
    let output = try Self.open()
    output.play()
    output.write(Self.silence(2400))
    #expect(Patience.until { output.position?.sampleFrame == 2400 })
    var played = output.takePlayed()
    #expect(played.allSatisfy { $0.missing == 0 })
    #expect(Self.play(output, until: 7200, played: &played))
    // A loaded machine may add others later.
    #expect(played.first { $0.missing > 0 }.map { $0.first + $0.count } == 2400)
  }

  @Test func severalOutputsPlayAtOnce() throws {
    let outputs = try (0..<3).map { _ in try Self.open() }
    for output in outputs { output.play() }
    for (index, output) in outputs.enumerated() {
      output.gain = Float(index) / 2
      output.turn(pan: Double(index) * 30, tilt: 0, roll: 0)
      var played: [PlayedSound] = []
      #expect(Self.play(output, until: 2400, played: &played))
    }
    #expect(outputs.map(\.gain) == [0, 0.5, 1])
  }
}
