import Decode
import Foundation
import Frames
import Support
import Synchronization

/// Exports pictures whose memory is a file for each plane, and keeps the books.
final class FileAllocator: PictureAllocator {
  struct Books {
    var lent = 0
    var released = 0
    var written: [UInt64] = []
  }

  private let state = Mutex(Books())
  var books: Books { state.withLock { $0 } }
  var sharing: PictureSharing? {
    PictureSharing(device: DeviceIdentity(index: 0, uuid: []), exportsPictures: true, importsDMABufs: false)
  }

  func allocate(_ request: PictureRequest) -> PictureAllocation? { nil }

  func allocateExported(_ request: PictureRequest) -> ExportedPicture? {
    state.withLock { $0.lent += 1 }
    return try? FilePicture(request, self)
  }

  final class FilePicture: ExportedPicture, @unchecked Sendable {
    let request: PictureRequest
    let planes = PlaneList()
    let images: [ExportedImage]
    var companion: (any AnyObject & Sendable)?
    let nextValue: UInt64 = 2
    private let files: [FileDescriptor]
    private let owner: FileAllocator

    init(_ request: PictureRequest, _ owner: FileAllocator) throws {
      images = request.format.planes.map { plane in
        let size = plane.size(of: request.size)
        return ExportedImage(size: size, plane: plane, byteCount: size.width * size.height * plane.bytesPerTexel)
      }
      files = images.map { _ in
        // An optional with some headers and not with others.
        let file: UnsafeMutablePointer<FILE>? = tmpfile()
        guard let file else { return FileDescriptor(owning: -1) }
        defer { fclose(file) }
        return FileDescriptor(owning: dup(fileno(file)))
      }
      self.request = request
      self.owner = owner
    }

    func exportMemory(ofImage index: Int) throws(Failure) -> FileDescriptor {
      guard let copy = files[index].duplicate() else {
        throw Failure(.failed, "cannot export", cause: "too many files")
      }
      return copy
    }

    func exportTimeline() throws(Failure) -> FileDescriptor {
      throw Failure(.unsupported, "cannot export", cause: "a file is no timeline")
    }

    func willBeWritten(at value: UInt64) { owner.state.withLock { $0.written.append(value) } }

    func release() { owner.state.withLock { $0.released += 1 } }

    /// All that was written, plane after plane.
    var bytes: [UInt8] {
      zip(files, images).flatMap { file, image in
        var bytes = [UInt8](repeating: 0, count: image.byteCount)
        return pread(file.rawValue, &bytes, bytes.count, 0) == bytes.count ? bytes : []
      }
    }
  }
}
