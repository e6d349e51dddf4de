/// Keeps values at fixed addresses while a Vulkan call reads them through pointers in nested structs.
///
/// Values are plain C structs: nothing in them needs releasing. Used as `let arguments = CallArguments(); defer { arguments.end() }`,
/// or kept and ended again and again: then its first block is used again, and nothing is allocated. One thread at a time.
final class CallArguments {
  private var blocks: [UnsafeMutableRawBufferPointer] = []
  private var used = 0

  private static let blockSize = 8192

  deinit {
    for block in blocks { block.deallocate() }
  }

  func pointer<Value>(_ value: Value) -> UnsafePointer<Value> {
    let place = reserve(Value.self, 1)
    place.initialize(to: value)
    return UnsafePointer(place)
  }

  func pointer<Value>(_ values: [Value]) -> UnsafePointer<Value> {
    let places = reserve(Value.self, max(values.count, 1))
    for (index, value) in values.enumerated() { (places + index).initialize(to: value) }
    return UnsafePointer(places)
  }

  /// Room for `count` values, to be filled by the caller before it is read.
  func reserve<Value>(_ type: Value.Type, _ count: Int) -> UnsafeMutablePointer<Value> {
    let size = count * MemoryLayout<Value>.stride
    var start = (used + 15) & ~15
    if start + size > blocks.last?.count ?? 0 {
      blocks.append(.allocate(byteCount: max(size, Self.blockSize), alignment: 16))
      start = 0
    }
    used = start + size
    guard let base = blocks.last?.baseAddress else { preconditionFailure("a block has an address") }
    return (base + start).bindMemory(to: type, capacity: count)
  }

  /// A link of a `pNext` chain.
  func chain<Value>(_ value: Value) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(mutating: pointer(value))
  }

  func string(_ text: String) -> UnsafePointer<CChar> {
    pointer(text.utf8CString.map { $0 })
  }

  func strings(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?> {
    pointer(texts.map { Optional(string($0)) })
  }

  /// Invalidates all pointers handed out so far.
  func end() {
    for block in blocks.dropFirst() { block.deallocate() }
    blocks.removeLast(max(0, blocks.count - 1))
    used = 0
  }
}
