public import Frames
import Synchronization

/// A clocked device that writes what is heard into a WAV file: stereo, 32-bit float, at the format's rate.
///
/// It behaves as `NullOutput` does: silence of underruns is in the file, pauses are not, and what the device still holds when it is
/// released was not heard and is not in the file. A file that cannot be written further sets `failure`; the device plays on.
public final class FileOutput: AudioOutput {
  private let device: NullOutput
  private let file: WrittenFile

  /// Creates the file, or replaces a WAV file.
  ///
  /// Throws `.output` where it cannot be written, or another file than a WAV file is there, which is then as it was.
  public convenience init(
    path: String, format: SoundFormat, options: NullOutput.Options = NullOutput.Options(),
    now: @escaping @Sendable () -> MonotonicTime = { .now }
  ) throws(Failure) {
    try self.init(path: path, format: format, options: options, limit: WAVWriter.limitOfRIFF, now: now)
  }

  /// - Parameter limit: bytes of samples that the file may have, for tests of what happens then.
  package init(
    path: String, format: SoundFormat, options: NullOutput.Options, limit: Int,
    now: @escaping @Sendable () -> MonotonicTime
  ) throws(Failure) {
    let file = WrittenFile(try WAVWriter(path: path, sampleRate: format.sampleRate, limit: limit))
    self.file = file
    device = NullOutput(name: "file:\(path)", format: format, options: options, now: now) { samples, _ in
      file.append(samples)
    }
  }

  public var name: String { device.name }
  public var format: SoundFormat { device.format }
  public var capacity: Int { device.capacity }
  public func write(_ samples: UnsafeBufferPointer<Float>) -> Int { device.write(samples) }
  public func play() { device.play() }
  public func pause() { device.pause() }
  /// As `NullOutput.clear`; the file has 10 ms more, which fade out.
  public func clear() { device.clear() }
  public var position: SoundPosition? { device.position }
  public func takePlayed() -> [PlayedSound] { device.takePlayed() }
  public var gain: Float {
    get { device.gain }
    set { device.gain = newValue }
  }
  @discardableResult public func turn(pan: Double, tilt: Double, roll: Double) -> MonotonicTime? {
    device.turn(pan: pan, tilt: tilt, roll: roll)
  }
  /// Why the file has no more sound: a full disk, or 4 GiB.
  public var failure: Failure? { file.failure }
}

/// A WAV file that ends with its first failure. Any thread.
private final class WrittenFile: Sendable {
  private struct State: ~Copyable {
    var writer: WAVWriter
    var failure: Failure?
  }
  private let state: Mutex<State>

  init(_ writer: consuming sending WAVWriter) {
    state = Mutex(State(writer: writer, failure: nil))
  }

  deinit {
    state.withLock { state in
      guard state.failure == nil else { return }
      try? state.writer.writeHeader()
    }
  }

  var failure: Failure? { state.withLock { $0.failure } }

  func append(_ samples: [Float]) {
    state.withLock { state in
      guard state.failure == nil else { return }
      do throws(Failure) { try state.writer.append(samples) } catch {
        state.failure = error
        // In place, so that it needs no room on the disk.
        try? state.writer.writeHeader()
      }
    }
  }
}
