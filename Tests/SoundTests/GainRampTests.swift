import Sound
import Support
import Testing

@Suite struct GainRampTests {
  @Test func aChangeTakesExactlyTenMilliseconds() {
    var ramp = GainRamp(sampleRate: 48_000)
    #expect(ramp.length == 480 && ramp.next() == 1)
    ramp.change(to: 0)
    let values = (1...481).map { _ in ramp.next() }
    #expect(values[478] > 0 && values[479] == 0 && values[480] == 0)
    #expect(abs(values[239] - 0.5) < 1e-6)
  }

  /// Changes at random instants: no step is larger than one over the length, and the last target is reached.
  @Test func noStepIsAClick() {
    var generator = SeededGenerator(for: "noStepIsAClick")
    var ramp = GainRamp(sampleRate: 44_100)
    var last = ramp.value
    for _ in 0..<200 {
      let target = Float.random(in: -0.5...1.5, using: &generator)
      ramp.change(to: target)
      var block = [Float](repeating: 1, count: 2 * Int.random(in: 1...700, using: &generator))
      ramp.apply(to: &block)
      for frame in stride(from: 0, to: block.count, by: 2) {
        #expect(block[frame] == block[frame + 1])
        #expect(abs(block[frame] - last) <= 1 / Float(ramp.length) + 1e-6, "seed \(generator.seed)")
        last = block[frame]
      }
      #expect(ramp.target == max(0, min(1, target)))
    }
    ramp.skip(1_000_000)
    #expect(ramp.value == ramp.target)
    ramp.change(to: .nan)
    #expect(ramp.target == 0)
  }
}
