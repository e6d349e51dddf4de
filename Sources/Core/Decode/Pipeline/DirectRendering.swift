internal import CFFmpeg
import Frames
import Synchronization

/// Lends an allocator's memory to libavcodec.
///
/// `getBuffer` runs on decoder threads; the thread that drops the last reference frees. The map from base address
/// to allocation distinguishes the allocator's pictures from libavcodec's own.
package final class DirectRendering: Sendable {
  private let allocator: PictureAllocator
  private let lent = Mutex(Lent())
  /// What each kind of request was first answered with: decoders take the row pitches of one picture for those of all
  /// its references, and H.264 does not even check. Nil where the first one was refused.
  private let pitches = Mutex<[PictureRequest: [Int]?]>([:])

  private struct Lent {
    var allocations: [UInt: PictureAllocation] = [:]
    /// Ended, to be used again: lending a picture allocates nothing.
    var spare: [Loan] = []
  }

  init(allocator: PictureAllocator) {
    self.allocator = allocator
    lent.withLock { lent in
      lent.allocations.reserveCapacity(256)
      lent.spare.reserveCapacity(256)
    }
  }

  /// Installs itself; it must outlive the context.
  func install(in context: UnsafeMutablePointer<AVCodecContext>) {
    context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    context.pointee.get_buffer2 = { context, frame, flags in
      guard let context, let frame, let opaque = context.pointee.opaque else { return bench_averror_einval() }
      let rendering = Unmanaged<DirectRendering>.fromOpaque(opaque).takeUnretainedValue()
      return rendering.fill(frame, for: context) ? 0 : avcodec_default_get_buffer2(context, frame, flags)
    }
    bench_allow_threaded_callbacks(context)
  }

  /// The allocation that `frame`'s samples lie in, when they lie where it put them.
  func allocation(of frame: UnsafeMutablePointer<AVFrame>, planes: PlaneList) -> PictureAllocation? {
    guard let base = planes.first?.base,
      let allocation = lent.withLock({ $0.allocations[UInt(bitPattern: base)] }),
      zip(allocation.planes, planes).allSatisfy({ $0.base == $1.base && $0.bytesPerRow == $1.bytesPerRow })
    else { return nil }
    return allocation
  }

  private func fill(_ frame: UnsafeMutablePointer<AVFrame>, for context: UnsafeMutablePointer<AVCodecContext>) -> Bool {
    guard let request = request(frame, context) else { return false }
    return fill(frame, as: request)
  }

  /// Memory for a copy of a frame whose format, width and height are set; false where the allocator has none.
  func fill(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
    guard let format = directFormat(AVPixelFormat(rawValue: frame.pointee.format)) else { return false }
    let size = PictureSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
    return fill(frame, as: PictureRequest(format: format, size: size, codedSize: size, alignment: 64))
  }

  private func fill(_ frame: UnsafeMutablePointer<AVFrame>, as request: PictureRequest) -> Bool {
    guard let allocation = allocation(for: request) else { return false }
    guard let buffer = lend(allocation) else {
      allocation.release()
      return false
    }
    withUnsafeMutablePointer(to: &frame.pointee.data) { tuple in
      tuple.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { data in
        for (index, plane) in allocation.planes.enumerated() {
          data[index] = plane.base.assumingMemoryBound(to: UInt8.self)
        }
      }
    }
    withUnsafeMutablePointer(to: &frame.pointee.linesize) { tuple in
      tuple.withMemoryRebound(to: Int32.self, capacity: 8) { lines in
        for (index, plane) in allocation.planes.enumerated() { lines[index] = Int32(plane.bytesPerRow) }
      }
    }
    frame.pointee.extended_data = UnsafeMutableRawPointer(frame).advanced(
      by: MemoryLayout<AVFrame>.offset(of: \AVFrame.data) ?? 0
    ).assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)
    frame.pointee.buf.0 = buffer
    return true
  }

  /// The allocator's memory, or after a first success spare memory of the same layout where it refuses.
  private func allocation(for request: PictureRequest) -> PictureAllocation? {
    if let known = pitches.withLock({ $0[request] }) { return allocation(for: request, pitches: known) }
    let first = allocator.allocate(request)
    // Another thread's first picture of this kind may have been first.
    let known = pitches.withLock { pitches in
      let known = pitches[request] ?? first?.planes.map(\.bytesPerRow)
      pitches.updateValue(known, forKey: request)
      return known
    }
    return suited(first, to: request, pitches: known)
  }

  private func allocation(for request: PictureRequest, pitches: [Int]?) -> PictureAllocation? {
    pitches == nil ? nil : suited(allocator.allocate(request), to: request, pitches: pitches)
  }

  /// The allocation where it has these row pitches, else spare memory that has them; nil where the first picture was refused.
  private func suited(
    _ allocation: PictureAllocation?, to request: PictureRequest, pitches: [Int]?
  ) -> PictureAllocation? {
    if let allocation {
      if let pitches, allocation.planes.elementsEqual(pitches, by: { $0.bytesPerRow == $1 }) { return allocation }
      allocation.release()
    }
    return pitches.map { SparePicture(request, pitches: $0) }
  }

  private func request(
    _ frame: UnsafeMutablePointer<AVFrame>, _ context: UnsafeMutablePointer<AVCodecContext>
  ) -> PictureRequest? {
    guard let format = directFormat(AVPixelFormat(rawValue: frame.pointee.format)) else { return nil }
    var width = frame.pointee.width
    var height = frame.pointee.height
    let alignment = withUnsafeTemporaryAllocation(of: Int32.self, capacity: 8) { alignments in
      alignments.initialize(repeating: 1)
      avcodec_align_dimensions2(context, &width, &height, alignments.baseAddress)
      return alignments.prefix(format.planes.count).max() ?? 64
    }
    let size = PictureSize(width: Int(context.pointee.width), height: Int(context.pointee.height))
    guard size.width > 0, size.height > 0 else { return nil }
    return PictureRequest(
      format: format, size: size, codedSize: PictureSize(width: Int(width), height: Int(height)),
      alignment: Int(alignment))
  }

  /// A reference-counted buffer over the whole allocation; its end gives the memory back.
  private func lend(_ allocation: PictureAllocation) -> UnsafeMutablePointer<AVBufferRef>? {
    guard let first = allocation.planes.first else { return nil }
    var end = UInt(bitPattern: first.base)
    for plane in allocation.planes {
      end = max(end, UInt(bitPattern: plane.base) + UInt(plane.bytesPerRow * plane.rows))
    }
    let loan = lent.withLock { $0.spare.popLast() } ?? Loan()
    loan.begin(allocation, of: self)
    let buffer = av_buffer_create(
      first.base.assumingMemoryBound(to: UInt8.self), Int(end - UInt(bitPattern: first.base)),
      { opaque, _ in
        guard let opaque else { return }
        Unmanaged<Loan>.fromOpaque(opaque).takeRetainedValue().end()
      }, Unmanaged.passRetained(loan).toOpaque(), 0)
    guard buffer != nil else {
      Unmanaged.passUnretained(loan).release()
      return nil
    }
    if !(allocation is SparePicture) { lent.withLock { $0.allocations[UInt(bitPattern: first.base)] = allocation } }
    return buffer
  }

  /// One picture lent to libavcodec. Keeps the map alive until libavcodec has let go of every picture.
  ///
  /// One holder at a time: libavcodec's buffer, or the list of spare ones.
  private final class Loan: @unchecked Sendable {
    private var allocation: PictureAllocation?
    private var rendering: DirectRendering?

    func begin(_ allocation: PictureAllocation, of rendering: DirectRendering) {
      self.allocation = allocation
      self.rendering = rendering
    }

    func end() {
      guard let allocation, let rendering else { return }
      self.allocation = nil
      self.rendering = nil
      let base = allocation.planes.first.map { UInt(bitPattern: $0.base) } ?? 0
      rendering.lent.withLock { lent in
        lent.allocations.removeValue(forKey: base)
        lent.spare.append(self)
      }
      allocation.release()
    }
  }
}

/// Plain memory with the row pitches of pictures that the allocator no longer has; goes with its last reference.
private final class SparePicture: PictureAllocation {
  let request: PictureRequest
  let planes: PlaneList
  private let memory: HostMemory

  init(_ request: PictureRequest, pitches: [Int]) {
    let alignment = max(request.alignment, 64)
    var offsets: [Int] = []
    var total = 0
    for (plane, pitch) in zip(request.format.planes, pitches) {
      offsets.append(total)
      // SIMD code writes past the last row.
      let byteCount = pitch * (plane.size(of: request.codedSize).height + 1) + 256
      total += (byteCount + alignment - 1) / alignment * alignment
    }
    let memory = HostMemory(byteCount: total)
    planes = PlaneList(
      zip(zip(request.format.planes, pitches), offsets).map { row, offset in
        let coded = row.0.size(of: request.codedSize)
        return HostPlane(
          base: memory.base + offset, bytesPerRow: row.1, rowBytes: coded.width * row.0.bytesPerTexel,
          rows: coded.height)
      })
    self.memory = memory
    self.request = request
  }

  func release() {}
}
