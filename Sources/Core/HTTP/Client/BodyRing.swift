/// Bytes of a body on their way to the consumer: at most so many, each copied in and out once. Guarded by the lock of its `Exchange`.
final class BodyRing: @unchecked Sendable {
  let capacity: Int
  private(set) var count = 0
  private var start = 0
  private let base: UnsafeMutableRawPointer

  init(capacity: Int) {
    self.capacity = capacity
    base = .allocate(byteCount: capacity, alignment: 64)
  }

  deinit { base.deallocate() }

  var room: Int { capacity - count }

  /// Adds all of the bytes; false, and none is added, where there is no room for them.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= room else { return false }
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return true }
    let end = (start + count) % capacity
    let first = min(bytes.count, capacity - end)
    (base + end).copyMemory(from: source, byteCount: first)
    base.copyMemory(from: source + first, byteCount: bytes.count - first)
    count += bytes.count
    return true
  }

  /// Moves bytes out; how many there were.
  func take(into target: UnsafeMutableRawBufferPointer) -> Int {
    let taken = min(count, target.count)
    guard taken > 0, let address = target.baseAddress else { return 0 }
    let first = min(taken, capacity - start)
    address.copyMemory(from: base + start, byteCount: first)
    (address + first).copyMemory(from: base, byteCount: taken - first)
    start = (start + taken) % capacity
    count -= taken
    return taken
  }
}
