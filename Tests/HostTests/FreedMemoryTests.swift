import Glibc
import Host
import Support
import Testing

@Suite(.tier(.test)) struct FreedMemoryTests {
  /// glibc marks the blocks that it maps one by one with the second bit of the word before them. It would map none of 16 MiB
  /// once one of 20 MiB was freed; with the limit set, it maps those for which there is no free place.
  @Test func largeBlocksAreMappedAlsoBehindAFreedLargerOne() {
    FreedMemory.returnsLargeBlocks()
    free(malloc(20 << 20))
    let blocks = (0..<16).compactMap { _ in malloc(16 << 20) }
    defer { for block in blocks { free(block) } }
    #expect(blocks.contains { $0.load(fromByteOffset: -8, as: UInt.self) & 2 == 2 })
  }
}
