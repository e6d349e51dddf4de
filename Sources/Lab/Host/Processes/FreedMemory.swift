import Glibc

/// What the C library does with memory that was freed.
public enum FreedMemory {
  /// From now on a block of 1 MiB or more, as pictures are, goes back to the system as soon as it is freed. Called once, before any work.
  ///
  /// glibc raises that limit by itself, up to 32 MiB, and keeps all smaller blocks with the thread that took them: a viewer
  /// whose clips decode with twenty threads each holds several times what it uses after half an hour. See mallopt(3). Does
  /// nothing where the C library has no such limit.
  public static func returnsLargeBlocks() {
    guard let symbol = dlsym(nil, "mallopt") else { return }
    let mallopt = unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
    _ = mallopt(mmapThreshold, 1 << 20)
    // As glibc keeps the two when it moves them.
    _ = mallopt(trimThreshold, 2 << 20)
  }

  /// M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of malloc.h, which Swift's Glibc lacks.
  private static let (mmapThreshold, trimThreshold): (CInt, CInt) = (-3, -1)
}
