import Frames
import Sound
import Synchronization

/// Where sound goes when its device was unplugged: to the default device once, then to none. Any thread.
package final class SoundRefuge: Sendable {
  private let mayTryDevice: Atomic<Bool>

  /// - Parameter isDevice: whether it was heard on a device before.
  package init(isDevice: Bool) { mayTryDevice = Atomic(isDevice) }

  /// - Parameter open: opens the default device.
  package func output(
    _ format: SoundFormat,
    open: (SoundFormat) throws(Failure) -> (any AudioOutput)? = { format throws(Failure) in
      try AudioOutputChoice.device(name: nil).open(format: format)
    }
  ) -> any AudioOutput {
    // A default device that stops as well is not opened again and again.
    guard mayTryDevice.exchange(false, ordering: .relaxed), let device = try? open(format) else {
      return NullOutput(format: format)
    }
    return device
  }

  /// The failure, with the device that the sound goes on at.
  package static func told(_ failure: Failure, goesOnAt name: String) -> Failure {
    guard failure.kind == .deviceLost, name != NullOutput.usualName else { return failure }
    return Failure(.deviceLost, failure.attempt, cause: failure.cause, remedy: "it goes on at '\(name)'")
  }
}
