import FoundationEssentials
import Frames
import Glibc
import Host
import Synchronization

/// A private sound server without a loudspeaker: a PulseAudio whose only output is a null sink, and the sink's monitor.
///
/// Players find it by `PULSE_SERVER`. It ends with this process, as `XvfbScreen` does.
package final class PrivateSound: Sendable {
  /// The variable that leads players to it.
  package let environment: [String: String]
  private let folder: String
  private let shell: pid_t
  private let lifeline: FileDescriptor

  /// Nil where PulseAudio is not installed, or does not start.
  package init?() {
    guard ProgramFile.find("pulseaudio") != nil else { return nil }
    var template = Array((temporaryFolder + "bench360-sound-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Players may run as another user.
    chmod(folder, 0o755)
    environment = ["PULSE_SERVER": "unix:\(folder)/socket", "PULSE_COOKIE": "\(folder)/cookie"]
    guard let started = Self.start(in: folder) else {
      try? FileManager.default.removeItem(atPath: folder)
      return nil
    }
    (shell, lifeline) = started
  }

  deinit {
    close(lifeline.release())
    var status: Int32 = 0
    while waitpid(shell, &status, 0) < 0, errno == EINTR {}
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Waits until the socket is there, prints a line, and ends the server with its own input.
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

  private static func start(in folder: String) -> (pid_t, FileDescriptor)? {
    guard let input = try? Spawn.pipe() else { return nil }
    guard let output = try? Spawn.pipe() else {
      close(input.reading)
      close(input.writing)
      return nil
    }
    defer {
      close(input.reading)
      close(output.reading)
    }
    let lifeline = FileDescriptor(owning: input.writing)
    let shell = try? Spawn.start(
      "/bin/sh", ["/bin/sh", "-c", script, "sh", folder], environment: ProcessInfo.processInfo.environment,
      Spawn.Streams(input: input.reading, output: output.writing), .ownSession)
    close(output.writing)
    var byte: UInt8 = 0
    guard let shell, read(output.reading, &byte, 1) == 1 else { return nil }
    return (shell, lifeline)
  }
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
