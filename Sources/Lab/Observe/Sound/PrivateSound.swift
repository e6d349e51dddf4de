import FoundationEssentials
import Frames
import Glibc
import Host
import Synchronization

/// A private sound server without a loudspeaker: a PulseAudio whose only output is a null sink, and the sink's monitor.
///
/// Players find it by `PULSE_SERVER`.
package final class PrivateSound: Sendable {
  /// The variables that lead players to it.
  package let environment: [String: String]
  private let server: PrivateServer

  /// Nil where PulseAudio is not installed, or does not start.
  package init?() {
    guard executable("pulseaudio") != nil, let folder = try? PrivateFolder("cannot make a private sound server") else {
      return nil
    }
    // Players may run as another user.
    chmod(folder.path, 0o755)
    environment = ["PULSE_SERVER": "unix:\(folder.path)/socket", "PULSE_COOKIE": "\(folder.path)/cookie"]
    guard let server = try? PrivateServer(Self.script, in: folder), !server.firstLine.isEmpty else { return nil }
    self.server = server
  }

  /// Prints a line once the socket is there.
  private static let script = """
    export HOME="$1" XDG_RUNTIME_DIR="$1" PULSE_RUNTIME_PATH="$1/run" PULSE_STATE_PATH="$1/state"
    pulseaudio -n --daemonize=no --use-pid-file=no --exit-idle-time=-1 --disallow-exit \\
      -L "module-native-protocol-unix auth-anonymous=1 socket=$1/socket" \\
      -L "module-null-sink sink_name=observe rate=48000 channels=2" >/dev/null 2>&1 &
    server=$!
    while [ ! -S "$1/socket" ] && kill -0 "$server" 2>/dev/null; do sleep 0.02; done
    [ -S "$1/socket" ] && echo ready
    exec >/dev/null
    cat >/dev/null
    kill "$server" 2>/dev/null
    wait
    """
}

/// Reads the monitor of a private sound server on a thread of its own.
final class SoundMonitor: Sendable {
  private let state = State()
  private let thread: WorkerThread

  private final class State: Sendable {
    let log = Mutex(SoundLog())
    let isStopped = Atomic<Bool>(false)
  }

  /// A block, in samples: a hundredth of a second.
  private static let block = SoundLog.rate / 100
  /// More is not kept: an hour.
  private static let limit = 3600 * SoundLog.rate

  /// Nil where libpulse is not installed, or the monitor does not open.
  init?(_ sound: PrivateSound) {
    guard let library = PulseLibrary(),
      let stream = library.record(sound.environment["PULSE_SERVER"] ?? "", "observe.monitor")
    else { return nil }
    let reading = PulseReading(library, stream)
    guard
      let thread = try? WorkerThread(body: { [state] in
        var block = [Float](repeating: 0, count: Self.block)
        while !state.isStopped.load(ordering: .relaxed), reading.read(&block) {
          let now = MonotonicTime.now
          state.log.withLock { if $0.samples.count < Self.limit { $0.add(block, at: now) } }
        }
      })
    else { return nil }
    self.thread = thread
  }

  deinit { state.isStopped.store(true, ordering: .relaxed) }

  /// Waits until the monitor gives samples, for five seconds at most.
  ///
  /// A null sink that nothing listens to works two seconds ahead. It takes no sound of a player before that time is over, and players that
  /// pace by their sound stand still.
  func waitForFirstBlock() {
    let deadline = MonotonicTime.now.advanced(byMilliseconds: 5000)
    while state.log.withLock({ $0.samples.isEmpty }), MonotonicTime.now < deadline { usleep(10_000) }
  }

  /// Ends reading, and returns the sound.
  func stop() -> SoundLog {
    state.isStopped.store(true, ordering: .relaxed)
    thread.join()
    return state.log.withLock { $0 }
  }
}

/// A recording stream, which one thread reads and closes.
private final class PulseReading: Sendable {
  private let library: PulseLibrary
  nonisolated(unsafe) private let stream: OpaquePointer

  init(_ library: PulseLibrary, _ stream: OpaquePointer) { (self.library, self.stream) = (library, stream) }
  deinit { library.free(stream) }

  /// Blocks until as many samples have come; false after an error.
  func read(_ block: inout [Float]) -> Bool {
    block.withUnsafeMutableBytes { library.read(stream, $0.baseAddress, $0.count, nil) == 0 }
  }
}

/// The functions of libpulse-simple, loaded at run time.
private struct PulseLibrary: Sendable {
  /// `pa_sample_spec`, and `pa_buffer_attr`.
  private struct Specification {
    var format: Int32
    var rate: UInt32
    var channels: UInt8
  }
  private struct Buffer {
    // The server's choice.
    var maximum = UInt32.max
    var target = UInt32.max
    var prebuffer = UInt32.max
    var request = UInt32.max
    var fragment: UInt32
  }

  private typealias New =
    @convention(c) (
      UnsafePointer<CChar>?, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>,
      UnsafeRawPointer, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeMutablePointer<Int32>?
    ) -> OpaquePointer?
  private let new: New
  let read: @convention(c) (OpaquePointer, UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<Int32>?) -> Int32
  let free: @convention(c) (OpaquePointer) -> Void

  init?() {
    guard let library = dlopen("libpulse-simple.so.0", RTLD_NOW | RTLD_LOCAL),
      let new = dlsym(library, "pa_simple_new"),
      let read = dlsym(library, "pa_simple_read"), let free = dlsym(library, "pa_simple_free")
    else { return nil }
    self.new = unsafeBitCast(new, to: New.self)
    self.read = unsafeBitCast(read, to: type(of: self.read))
    self.free = unsafeBitCast(free, to: type(of: self.free))
  }

  /// Opens a monitor: 32-bit floats of one channel, in blocks of a hundredth of a second.
  func record(_ server: String, _ device: String) -> OpaquePointer? {
    let (littleEndianFloat, recording): (Int32, Int32) = (5, 2)
    var specification = Specification(format: littleEndianFloat, rate: UInt32(SoundLog.rate), channels: 1)
    var buffer = Buffer(fragment: UInt32(SoundLog.rate / 100 * MemoryLayout<Float>.size))
    return new(server, "bench360", recording, device, "observe", &specification, nil, &buffer, nil)
  }
}
