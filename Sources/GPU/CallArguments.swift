/// Keeps values at fixed addresses while a Vulkan call reads them through pointers in nested structs.
///
/// Values are plain C structs: nothing in them needs releasing. Used as `let arguments = CallArguments(); defer { arguments.end() }`.
final class CallArguments {
  private var blocks: [UnsafeMutableRawPointer] = []

  func pointer<Value>(_ value: Value) -> UnsafePointer<Value> {
    pointer([value])
  }

  func pointer<Value>(_ values: [Value]) -> UnsafePointer<Value> {
    let block = UnsafeMutablePointer<Value>.allocate(capacity: max(values.count, 1))
    for (index, value) in values.enumerated() { (block + index).initialize(to: value) }
    blocks.append(UnsafeMutableRawPointer(block))
    return UnsafePointer(block)
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

  func end() {
    for block in blocks { block.deallocate() }
    blocks = []
  }
}
