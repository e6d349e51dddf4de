import Frames
import Sound
import Support
import Testing

@Suite struct AudioOutputChoiceTests {
  private static func null(_ change: (inout NullOutput.Options) -> Void) -> AudioOutputChoice {
    var options = NullOutput.Options()
    change(&options)
    return .null(options)
  }

  @Test func wordsAreRead() throws {
    let words: [(String, AudioOutputChoice)] = [
      ("off", .off), ("default", .device(name: nil)), ("auto", .device(name: nil)),
      ("ALSA Default", .device(name: "ALSA Default")),
      ("file:a b.wav", .file(path: "a b.wav")), ("null", .null(NullOutput.Options())),
      (
        "null:latency=100,drift=-3.5,underrun=50@1.5",
        Self.null {
          $0.latency = milliseconds(100)
          $0.drift = -3.5
          $0.underruns = [.init(at: milliseconds(1500), duration: milliseconds(50))]
        }
      ),
      (
        "null:period=5ms,latency=0.04s,capacity=1s,clock=-50ppm,offset=-20ms,drift=100ppm,underrun=50ms@30s,underrun=1s@2s",
        Self.null {
          $0.period = milliseconds(5)
          $0.capacity = milliseconds(1000)
          $0.clockDrift = -50
          $0.offset = milliseconds(-20)
          $0.drift = 100
          $0.underruns = [
            .init(at: milliseconds(30_000), duration: milliseconds(50)),
            .init(at: milliseconds(2000), duration: milliseconds(1000)),
          ]
        }
      ),
    ]
    for (text, choice) in words {
      #expect(try AudioOutputChoice(text) == choice, "\(text)")
      #expect(try AudioOutputChoice(choice.description) == choice, "\(choice)")
    }
  }

  @Test(arguments: [
    "", "file:", "null:", "null:latency", "null:latency=", "null:latency=xms", "null:latency=-1ms",
    "null:latency=nanms",
    "null:latency=11s", "null:period=0ms", "null:drift=ppm", "null:drift=infppm", "null:drift=1e9ppm",
    "null:underrun=50ms",
    "null:underrun=50ms@", "null:underrun=50ms@1s@2s", "null:volume=3", "null:latency=40ms,", "null:latency=0x4ms",
  ])
  func otherWordsAreRefusedInOneSentence(text: String) {
    let failure = #expect(throws: Failure.self) { try AudioOutputChoice(text) }
    #expect(failure?.kind == .usage && failure?.attempt == "cannot use '\(text)' as a sound output", "\(text)")
  }

  @Test func eachChoiceOpensItsOutput() throws {
    let format = SoundFormat(sampleRate: 48_000, layout: .mono)
    #expect(try AudioOutputChoice.off.open(format: format) == nil)
    let null = try #require(try AudioOutputChoice("null:latency=100ms").open(format: format))
    #expect(null.name == "null" && null.capacity == 9600 + 480 + 4800 && null.format == format)
    try TestFolders.withTemporary { folder in
      let file = try #require(try AudioOutputChoice("file:\(folder)/a.wav").open(format: format))
      #expect(file.name == "file:\(folder)/a.wav")
      #expect(throws: Failure.self) { try AudioOutputChoice("file:\(folder)").open(format: format) }
    }
  }
}
