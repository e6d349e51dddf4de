import Frames
import Synchronization

/// Lends plain memory to decoders, and keeps the books.
final class HostAllocator: PictureAllocator {
  struct Books {
    var requests: [PictureRequest] = []
    var lent = 0
    var released = 0
    var releasedTwice = 0
  }

  private let state = Mutex(Books())
  private let refuses: @Sendable (Int) -> Bool
  /// Added to every row, in multiples of the alignment asked for: a pitch that no decoder would choose.
  private let extraPitch: Int

  /// - Parameter refuses: whether the request of this number, counted from 0, is refused.
  init(extraPitch: Int = 3, refuses: @escaping @Sendable (Int) -> Bool = { _ in false }) {
    self.extraPitch = extraPitch
    self.refuses = refuses
  }

  var books: Books { state.withLock { $0 } }

  func allocate(_ request: PictureRequest) -> PictureAllocation? {
    let number = state.withLock { books in
      books.requests.append(request)
      return books.requests.count - 1
    }
    guard !refuses(number) else { return nil }
    state.withLock { $0.lent += 1 }
    return Loan(request, extraPitch: extraPitch, owner: self)
  }

  private func takeBack(_ isFirst: Bool) {
    state.withLock { books in
      books.released += 1
      if !isFirst { books.releasedTwice += 1 }
    }
  }

  private final class Loan: PictureAllocation {
    let request: PictureRequest
    let planes: PlaneList
    private let memory: HostMemory
    private let owner: HostAllocator
    private let isReleased = Atomic<Bool>(false)

    init(_ request: PictureRequest, extraPitch: Int, owner: HostAllocator) {
      var layout: [(offset: Int, pitch: Int, rows: Int, rowBytes: Int)] = []
      var total = 0
      for plane in request.format.planes {
        let coded = plane.size(of: request.codedSize)
        let rowBytes = coded.width * plane.bytesPerTexel
        let pitch = ((rowBytes + request.alignment - 1) / request.alignment + extraPitch) * request.alignment
        layout.append((total, pitch, coded.height, rowBytes))
        total += pitch * (coded.height + 1) + 256
        total = (total + 63) / 64 * 64
      }
      let memory = HostMemory(byteCount: total)
      planes = PlaneList(
        layout.map {
          HostPlane(base: memory.base + $0.offset, bytesPerRow: $0.pitch, rowBytes: $0.rowBytes, rows: $0.rows)
        })
      self.memory = memory
      self.request = request
      self.owner = owner
    }

    func release() {
      owner.takeBack(!isReleased.exchange(true, ordering: .acquiringAndReleasing))
    }
  }
}
