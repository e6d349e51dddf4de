/// A volume that changes without clicks: each new target is reached in a straight line.
package struct GainRamp: Sendable {
  /// Sample frames that a change takes, 1 or more.
  package let length: Int
  private var start: Float
  private var passed: Int
  /// Finite, 0 … 1.
  package private(set) var target: Float

  /// - Parameter sampleRate: of the sample frames that are counted; a change takes 10 ms of them.
  package init(sampleRate: Int, gain: Float = 1) {
    length = max(1, sampleRate / 100)
    (start, target, passed) = (gain, gain, length)
  }

  /// Of the next sample frame's predecessor: what is heard now.
  package var value: Float {
    passed >= length ? target : start + (target - start) * Float(passed) / Float(length)
  }

  /// Starts a change from the present value; exactly `length` sample frames later `gain` is reached.
  ///
  /// - Parameter gain: brought into 0 … 1; what is not a number counts as 0.
  package mutating func change(to gain: Float) {
    let gain = gain > 0 ? min(gain, 1) : 0
    guard gain != target else { return }
    (start, passed, target) = (value, 0, gain)
  }

  /// The gain of the next sample frame: at most 1 / `length` from the one before.
  package mutating func next() -> Float {
    passed = min(passed + 1, length)
    return value
  }

  /// As `next`, so many times.
  package mutating func skip(_ count: Int) {
    passed = min(passed + min(max(0, count), length), length)
  }

  /// Multiplies stereo sample frames.
  package mutating func apply(to samples: inout [Float]) {
    if passed >= length {
      guard target != 1 else { return }
      for place in samples.indices { samples[place] *= target }
      return
    }
    for place in stride(from: 0, to: samples.count - 1, by: 2) {
      let gain = next()
      samples[place] *= gain
      samples[place + 1] *= gain
    }
  }
}
