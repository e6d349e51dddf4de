import Foundation
import Run
import Support

/// A matrix file, written and read.
func matrix(_ text: String, in name: String = "matrix.json") throws -> Matrix {
  try TestFolders.withTemporary { folder in
    try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
    return try Matrix(path: folder + "/" + name)
  }
}

/// What every matrix file has.
let matrixHead = #""schema": "bench360-matrix/1""#
