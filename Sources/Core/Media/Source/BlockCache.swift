/// The bytes of a long resource that were read last, by blocks: a few MiB in all. Not thread-safe.
///
/// A block holds one run of bytes, which grows at either end: what is read elsewhere in it replaces the run.
struct BlockCache {
  static let blockSize = 1 << 15
  /// Blocks that are held: 8 MiB.
  static let blockLimit = 256

  private struct Block {
    let base: HostBlock
    /// Of the resource.
    var run: Range<Int64>
    var lastUse: Int
  }

  private var blocks: [Int64: Block] = [:]
  private var uses = 0

  /// Copies what is held at an offset; how many bytes.
  mutating func read(at offset: Int64, into target: UnsafeMutableRawPointer, count: Int) -> Int {
    var copied = 0
    while copied < count {
      let place = offset + Int64(copied)
      let number = place / Int64(Self.blockSize)
      guard var block = blocks[number], block.run.contains(place) else { break }
      uses += 1
      block.lastUse = uses
      blocks[number] = block
      let length = min(count - copied, Int(block.run.upperBound - place))
      (target + copied).copyMemory(from: block.base.address + Int(place % Int64(Self.blockSize)), byteCount: length)
      copied += length
    }
    return copied
  }

  /// Keeps bytes that lie at an offset.
  mutating func store(_ bytes: UnsafeRawPointer, count: Int, at offset: Int64) {
    var stored = 0
    while stored < count {
      let place = offset + Int64(stored)
      let (number, inside) = (place / Int64(Self.blockSize), Int(place % Int64(Self.blockSize)))
      let length = min(count - stored, Self.blockSize - inside)
      var block = takeBlock(number)
      (block.base.address + inside).copyMemory(from: bytes + stored, byteCount: length)
      let run = Range(from: place, to: place + Int64(length))
      let touches = run.lowerBound <= block.run.upperBound && block.run.lowerBound <= run.upperBound
      block.run =
        touches && !block.run.isEmpty
        ? Range(from: min(run.lowerBound, block.run.lowerBound), to: max(run.upperBound, block.run.upperBound)) : run
      uses += 1
      block.lastUse = uses
      blocks[number] = block
      stored += length
    }
  }

  /// The block of a number, an empty one where it is not held: in place of the one that was used longest ago, where there are
  /// too many.
  private mutating func takeBlock(_ number: Int64) -> Block {
    if let block = blocks[number] { return block }
    guard blocks.count >= Self.blockLimit, let oldest = blocks.min(by: { $0.value.lastUse < $1.value.lastUse }),
      let block = blocks.removeValue(forKey: oldest.key)
    else { return Block(base: HostBlock(byteCount: Self.blockSize), run: 0..<0, lastUse: 0) }
    return Block(base: block.base, run: 0..<0, lastUse: 0)
  }
}

/// Memory of one block, written by the owner of the cache.
private final class HostBlock: Sendable {
  nonisolated(unsafe) let address: UnsafeMutableRawPointer

  init(byteCount: Int) { address = .allocate(byteCount: byteCount, alignment: 64) }

  deinit { address.deallocate() }
}
