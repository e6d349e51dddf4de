import Frames
import Testing

@Suite struct WorkerThreadTests {
  private final class Held: Sendable {}

  /// After the wait for a thread, its resources may be released.
  @Test func nothingIsHeldOnceItIsOver() throws {
    for _ in 0..<2000 {
      var held: Held? = Held()
      weak let last = held
      let thread = try WorkerThread { [held] in withExtendedLifetime(held) {} }
      held = nil
      thread.join()
      #expect(last == nil)
    }
  }

  @Test func manyMayWaitForIt() throws {
    let thread = try WorkerThread {}
    thread.join()
    thread.join()
  }
}
