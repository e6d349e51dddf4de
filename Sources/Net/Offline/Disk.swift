import Frames

/// Where downloads are kept. Each call is whole or not at all, and its effect is there after the process was killed; after a power cut what
/// was synced is.
package protocol Disk: Sendable {
  /// The bytes of a file; nil where there is none.
  func read(_ path: String) throws(Failure) -> [UInt8]?
  /// SHA-256 of a file in hexadecimal; nil where it cannot be read.
  func hash(of path: String) -> String?
  /// Of a file, in bytes; nil where there is none.
  func size(of path: String) -> Int64?
  /// The names in a folder, sorted; empty where there is none.
  func names(in folder: String) -> [String]
  /// False of a folder that is another user's alone.
  func mayEnter(_ folder: String) -> Bool
  /// A symbolic link, wherever it leads.
  func isLink(_ path: String) -> Bool
  /// With those above it; no error where it is there.
  func makeFolder(_ path: String) throws(Failure)
  /// Opens a file for writing behind its first `offset` bytes; what follows them is cut off. Made where it is missing.
  ///
  /// - Parameter isSecret: its owner alone may read it.
  func open(_ path: String, from offset: Int64, isSecret: Bool) throws(Failure) -> any DiskFile
  /// Replaces what has the new name, unless that is a folder with files.
  func rename(_ old: String, to new: String) throws(Failure)
  /// A file, or a folder with all that is in it; no error where there is none.
  func remove(_ path: String) throws(Failure)
}

/// A file that is being written. One thread.
package protocol DiskFile: AnyObject {
  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure)
  /// Waits until the bytes are on the device.
  func sync() throws(Failure)
}

extension Disk {
  /// Writes a small file as a whole.
  func write(_ text: String, to path: String, isSecret: Bool = false) throws(Failure) {
    let part = path + partSuffix
    do {
      let file = try open(part, from: 0, isSecret: isSecret)
      let bytes = Array(text.utf8)
      let result = bytes.withUnsafeBytes { bytes in Result { () throws(Failure) in try file.write(bytes) } }
      try result.get()
      try file.sync()
    }
    try rename(part, to: path)
  }
}

/// Of files and folders that are not whole.
package let partSuffix = ".part"
