import FoundationEssentials
import Frames

/// Why a file cannot be read or written, in a few words.
package func reason(of error: any Error) -> String {
  switch error {
  case let error as SystemError: return error.reason
  case let error as POSIXError: return SystemError(error.code.rawValue).reason
  case let error as CocoaError:
    if let cause = error.underlying as? POSIXError { return SystemError(cause.code.rawValue).reason }
    switch error.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: return "no such file or folder"
    case .fileReadNoPermission, .fileWriteNoPermission: return "permission denied"
    case .fileWriteFileExists: return "a part of its path is not a folder"
    case .fileWriteOutOfSpace: return "no space is left"
    default: return "the system refuses it"
    }
  default: return "\(error)"
  }
}
