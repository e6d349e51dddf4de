/// Sample frames between a writer and a device, first in, first out.
struct SampleRing: Sendable {
  let channels: Int
  /// In sample frames.
  let capacity: Int
  private var storage: [Float]
  private var head = 0
  /// Sample frames in it.
  private(set) var count = 0

  init(channels: Int, capacity: Int) {
    (self.channels, self.capacity) = (channels, capacity)
    storage = Array(repeating: 0, count: channels * capacity)
  }

  var isEmpty: Bool { count == 0 }

  /// Takes whole sample frames, as many as there is room for, and tells how many.
  mutating func write(_ samples: UnsafeBufferPointer<Float>) -> Int {
    let taken = min(samples.count / channels, capacity - count)
    var place = (head + count) * channels % storage.count
    for index in 0..<taken * channels {
      storage[place] = samples[index]
      place = place + 1 == storage.count ? 0 : place + 1
    }
    count += taken
    return taken
  }

  /// Takes the oldest sample frames out: at most `limit`.
  mutating func read(_ limit: Int) -> [Float] {
    let taken = min(limit, count)
    let start = head * channels
    let wanted = taken * channels
    let first = min(wanted, storage.count - start)
    let samples = Array(storage[Range(from: start, to: start + first)] + storage[Range(from: 0, to: wanted - first)])
    discard(taken)
    return samples
  }

  /// Drops the oldest sample frames: at most `limit`; tells how many.
  @discardableResult mutating func discard(_ limit: Int) -> Int {
    let dropped = min(limit, count)
    head = (head + dropped) % capacity
    count -= dropped
    return dropped
  }
}
