import Frames
import Offline
import Synchronization

/// This machine's disk until a step, with which the process ends: that step is done in part or not at all, and all after it fail, as they would
/// not happen any more.
final class CrashingDisk: Disk {
  static let cause = "the process is gone"
  private let disk = LocalDisk()
  private let state: Mutex<State>

  private struct State {
    var stepsLeft: Int
    /// Of the step's bytes, how many are written: 0 … 1.
    var share: Double
    var steps = 0
  }

  /// - Parameters:
  ///   - steps: that are done; `.max`: all.
  ///   - share: of the bytes of the write that it ends with.
  init(after steps: Int, share: Double = 0) { state = Mutex(State(stepsLeft: steps, share: share)) }

  /// Steps that were done.
  var steps: Int { state.withLock { $0.steps } }

  /// Whether a step is done; false: the process has ended before it.
  fileprivate func step() -> Bool {
    state.withLock { state in
      guard state.stepsLeft > 0 else { return false }
      state.stepsLeft -= 1
      state.steps += 1
      return true
    }
  }

  /// Of the write that the process ends in; once.
  fileprivate func takeShare() -> Double {
    state.withLock { state in
      defer { state.share = 0 }
      return state.share
    }
  }

  fileprivate static var gone: Failure { Failure(.failed, "cannot go on", cause: cause) }

  func read(_ path: String) throws(Failure) -> [UInt8]? { try disk.read(path) }
  func hash(of path: String) -> String? { disk.hash(of: path) }
  func size(of path: String) -> Int64? { disk.size(of: path) }
  func names(in folder: String) -> [String] { disk.names(in: folder) }
  func mayEnter(_ folder: String) -> Bool { disk.mayEnter(folder) }
  func isLink(_ path: String) -> Bool { disk.isLink(path) }

  func makeFolder(_ path: String) throws(Failure) {
    guard step() else { throw Self.gone }
    try disk.makeFolder(path)
  }

  func open(_ path: String, from offset: Int64, isSecret: Bool) throws(Failure) -> any DiskFile {
    guard step() else { throw Self.gone }
    return CrashingFile(try disk.open(path, from: offset, isSecret: isSecret), self)
  }

  func rename(_ old: String, to new: String) throws(Failure) {
    guard step() else { throw Self.gone }
    try disk.rename(old, to: new)
  }

  func remove(_ path: String) throws(Failure) {
    guard step() else { throw Self.gone }
    try disk.remove(path)
  }
}

private final class CrashingFile: DiskFile {
  private let file: any DiskFile
  private let disk: CrashingDisk

  init(_ file: any DiskFile, _ disk: CrashingDisk) { (self.file, self.disk) = (file, disk) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard disk.step() else {
      let count = Int(Double(bytes.count) * disk.takeShare())
      try file.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      throw CrashingDisk.gone
    }
    try file.write(bytes)
  }

  /// Does not wait for the machine's disk: the kernel keeps what a process wrote before its end.
  func sync() throws(Failure) {
    guard disk.step() else { throw CrashingDisk.gone }
  }
}
