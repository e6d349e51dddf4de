import Frames
import Sound
import Synchronization

/// A clock that tests advance by hand.
final class ManualClock: Sendable {
  private let nanoseconds = Mutex<Int64>(1_000_000_000)

  var now: MonotonicTime { MonotonicTime(nanoseconds: nanoseconds.withLock { $0 }) }
  /// As outputs take it.
  var reading: @Sendable () -> MonotonicTime { { self.now } }

  func advance(milliseconds: Double) {
    nanoseconds.withLock { $0 += Int64((milliseconds * 1e6).rounded()) }
  }
}

/// What an output handed to its tap.
final class TappedSound: Sendable {
  struct Stretch: Sendable {
    var samples: [Float]
    var sound: PlayedSound
  }
  private let list = Mutex<[Stretch]>([])

  var tap: NullOutput.Tap {
    { samples, sound in self.list.withLock { $0.append(Stretch(samples: samples, sound: sound)) } }
  }
  var stretches: [Stretch] { list.withLock { $0 } }
  /// Interleaved stereo.
  var samples: [Float] { stretches.flatMap(\.samples) }
}

extension AudioOutput {
  @discardableResult func write(_ samples: [Float]) -> Int { samples.withUnsafeBufferPointer { write($0) } }
}

/// The 26 directions of a cube: faces, edges and corners; of length 1, as ambisonics have them: x ahead, y left, z up.
let cubeDirections: [(x: Double, y: Double, z: Double)] = [-1.0, 0, 1].flatMap { x in
  [-1.0, 0, 1].flatMap { y in
    [-1.0, 0, 1].compactMap { z in
      let length = (x * x + y * y + z * z).squareRoot()
      return length > 0 ? (x / length, y / length, z / length) : nil
    }
  }
}

/// A source in ambiX: W, Y, Z, X.
func encoded(_ sample: Double, _ direction: (x: Double, y: Double, z: Double)) -> [Float] {
  [sample, sample * direction.y, sample * direction.z, sample * direction.x].map { Float($0) }
}

/// As options take it.
func milliseconds(_ value: Double) -> MediaTime { MediaTime(seconds: value / 1000) }
