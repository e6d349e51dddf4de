import Frames
import Glibc

/// Stereo samples → a WAV file: RIFF, 32-bit float.
///
/// The header's sizes are right after each second and at the end, so that a run that was killed leaves a file that opens. One thread at
/// a time.
struct WAVWriter: ~Copyable {
  private let path: String
  private let descriptor: Int32
  private let sampleRate: Int
  /// Of the data chunk.
  private var bytes = 0
  private var bytesInHeader = 0

  static let headerBytes = 58
  private static let frameBytes = 8
  private let limit: Int
  /// RIFF counts in 32 bits what lies behind its first 8 bytes.
  static let limitOfRIFF = Int(UInt32.max) - headerBytes - 8

  /// Creates the file, or replaces one that is empty or a WAV file; any other is refused and left as it is.
  ///
  /// - Parameter limit: bytes of samples that the file may have.
  init(path: String, sampleRate: Int, limit: Int = limitOfRIFF) throws(Failure) {
    (self.path, self.sampleRate, self.limit) = (path, sampleRate, limit)
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o666)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    do throws(Failure) {
      try Self.checkReplaceable(descriptor, path)
      guard ftruncate(descriptor, 0) == 0 else { throw Self.failure(path, errno) }
      try writeHeader()
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func checkReplaceable(_ descriptor: Int32, _ path: String) throws(Failure) {
    let attempt = "cannot write sound to '\(path)'"
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(
        .output, attempt, cause: "it is a pipe or a device", remedy: "name a file: its header is written last")
    }
    guard status.st_size > 0 else { return }
    var start = [UInt8](repeating: 0, count: 12)
    guard pread(descriptor, &start, 12, 0) == 12, start[..<4] == [0x52, 0x49, 0x46, 0x46],
      start[8...] == [0x57, 0x41, 0x56, 0x45]
    else {
      throw Failure(.output, attempt, cause: "a file that is not a WAV file is there", remedy: "name another file")
    }
  }

  deinit { close(descriptor) }

  /// Appends interleaved stereo; throws `.output` where the disk or the format's 4 GiB are full: the file then ends before `samples`.
  mutating func append(_ samples: [Float]) throws(Failure) {
    let count = samples.count * 4
    guard bytes + count <= limit else {
      try writeHeader()
      throw Failure(
        .output, "cannot write more sound to '\(path)'", cause: "a WAV file ends at 4 GiB",
        remedy: "play a shorter stretch")
    }
    try check(samples.withUnsafeBytes { write($0, at: Self.headerBytes + bytes) })
    bytes += count
    if bytes - bytesInHeader >= sampleRate * Self.frameBytes { try writeHeader() }
  }

  /// Brings the header's sizes up to date.
  mutating func writeHeader() throws(Failure) {
    var header: [UInt8] = []
    func text(_ text: String) { header += Array(text.utf8) }
    func number(_ value: Int, bytes: Int) { header += (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    text("RIFF")
    number(bytes + Self.headerBytes - 8, bytes: 4)
    text("WAVEfmt ")
    number(18, bytes: 4)
    // IEEE float, stereo.
    number(3, bytes: 2)
    number(2, bytes: 2)
    number(sampleRate, bytes: 4)
    number(sampleRate * Self.frameBytes, bytes: 4)
    number(Self.frameBytes, bytes: 2)
    number(32, bytes: 2)
    number(0, bytes: 2)
    text("fact")
    number(4, bytes: 4)
    number(bytes / Self.frameBytes, bytes: 4)
    text("data")
    number(bytes, bytes: 4)
    try check(header.withUnsafeBytes { write($0, at: 0) })
    bytesInHeader = bytes
  }

  /// The error's number; 0 where all was written.
  private borrowing func write(_ source: UnsafeRawBufferPointer, at place: Int) -> Int32 {
    var done = 0
    while done < source.count {
      let count = pwrite(descriptor, source.baseAddress?.advanced(by: done), source.count - done, off_t(place + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : ENOSPC }
      done += count
    }
    return 0
  }

  private borrowing func check(_ code: Int32) throws(Failure) {
    guard code == 0 else { throw Self.failure(path, code) }
  }

  private static func failure(_ path: String, _ code: Int32) -> Failure {
    Failure(
      .output, "cannot write sound to '\(path)'", cause: String(cString: strerror(code)), remedy: fullDiskRemedy(code))
  }
}
