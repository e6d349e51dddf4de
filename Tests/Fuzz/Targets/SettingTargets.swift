import Foundation
import Frames
import Media
import Origin
import Run
import Streaming

/// Files that users write.
extension FuzzTarget {
  static let settings = [
    FuzzTarget("matrix") { bytes in
      try withFile(bytes, named: "matrix.json") { _ = try Matrix(path: $0) }
    },
    FuzzTarget("camera") { bytes in
      try withFile(bytes, named: "camera.json") { _ = try CameraFile(path: $0) }
    },
    FuzzTarget("input-events") { bytes in
      try withFile(bytes, named: "input.json") { _ = try InputFile(path: $0) }
    },
    FuzzTarget("keys") { bytes in
      try withFile(bytes, named: "keys") { _ = try ContentKeys(file: $0) }
    },
    FuzzTarget("faults") { _ = try FaultFile.rules(Data($0)) },
  ]
}
