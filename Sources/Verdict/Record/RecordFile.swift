import Foundation
import Frames

/// Records as files.
public enum RecordFile {
  /// Writes the whole record or nothing: beside its place first, then renamed. Creates the folders it lies in.
  ///
  /// A link is followed. What exists and is no file, as a pipe or `/dev/stdout`, is written into instead.
  public static func write(_ record: Record, to path: String) throws(Failure) {
    try write(record, called: "record", to: path)
  }

  /// Writes a comparison as a record is written.
  public static func write(_ comparison: Comparison, to path: String) throws(Failure) {
    try write(comparison, called: "comparison", to: path)
  }

  private static func write(_ value: some Encodable, called name: String, to path: String) throws(Failure) {
    let data = try RecordCoding.encode(value)
    do {
      try write(data, to: resolved(path))
    } catch {
      throw Failure(
        .output, "cannot write \(name) '\(path)'", cause: reason(error),
        remedy: "name a file that can be written with --output")
    }
  }

  /// Whether a record could be written to `path`, found out by writing a file beside it and removing it again.
  ///
  /// Creates the folders it will lie in. A folder as `path` is in order: the record's name is made up later.
  public static func checkWritable(_ path: String) throws(Failure) {
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    let exists = manager.fileExists(atPath: path, isDirectory: &isFolder)
    do {
      if exists, !isFolder.boolValue {
        try FileHandle(forWritingTo: resolved(path)).close()
        guard try manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeRegular else { return }
      }
      let folder = isFolder.boolValue ? resolved(path) : resolved(path).deletingLastPathComponent()
      try manager.createDirectory(at: folder, withIntermediateDirectories: true)
      let probe = folder.appending(path: ".bench360-\(UUID().uuidString).tmp")
      try Data().write(to: probe)
      try manager.removeItem(at: probe)
    } catch {
      throw Failure(
        .output, "cannot write record '\(path)'", cause: reason(error),
        remedy: "name a file that can be written with --output")
    }
  }

  /// Reads a record; says what the file is instead when it is none.
  ///
  /// A digest holds what a comparison needs: see `RecordCoding.decodeRecord`.
  public static func read(_ path: String, asDigest: Bool = false) throws(Failure) -> Record {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw Failure(
        .input, "cannot read record '\(path)'", cause: reason(error),
        remedy: "give a JSON record that 'bench360 run --output' wrote")
    }
    return try RecordCoding.decodeRecord(data, name: path, asDigest: asDigest)
  }

  private static func write(_ data: Data, to url: URL) throws {
    let manager = FileManager.default
    let type = try? manager.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
    if type == .typeDirectory {
      throw POSIXError(.EISDIR)
    }
    if let type, type != .typeRegular {
      let handle = try FileHandle(forWritingTo: url)
      try handle.write(contentsOf: data)
      return try handle.close()
    }
    let folder = url.deletingLastPathComponent()
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    let temporary = folder.appending(path: ".bench360-\(UUID().uuidString).tmp")
    do {
      try data.write(to: temporary)
      guard rename(temporary.path, url.path) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
    } catch {
      try? manager.removeItem(at: temporary)
      throw error
    }
  }

  private static func resolved(_ path: String) -> URL {
    URL(filePath: path).resolvingSymlinksInPath()
  }

  /// What went wrong in a few words, without Cocoa's domains and codes.
  private static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    switch (underlying as? POSIXError ?? error as? POSIXError)?.code {
    case .ENOENT: return "no such file or folder"
    case .EACCES, .EPERM: return "permission denied"
    case .EISDIR: return "it is a folder"
    case .ENOTDIR, .EEXIST: return "a part of its path is not a folder"
    case .ENOSPC, .EDQUOT: return "no space is left"
    case .EROFS: return "the file system is read-only"
    case .some(let code): return String(cString: strerror(code.rawValue))
    case nil: return cocoaReason(error as NSError)
    }
  }

  private static func cocoaReason(_ error: NSError) -> String {
    switch CocoaError.Code(rawValue: error.code) {
    case .fileReadNoSuchFile, .fileNoSuchFile: return "no such file or folder"
    case .fileReadNoPermission, .fileWriteNoPermission: return "permission denied"
    case .fileWriteFileExists: return "a part of its path is not a folder"
    default: return error.localizedDescription
    }
  }
}
