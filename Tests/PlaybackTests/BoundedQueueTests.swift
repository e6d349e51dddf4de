import Foundation
import Playback
import Support
import Synchronization
import Testing

@Suite struct BoundedQueueTests {
  /// A thread of its own, so that waiting on it blocks no other test.
  private final class Worker: Sendable {
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) {
      Thread.detachNewThread { [done] in
        body()
        done.signal()
      }
    }

    /// Whether it came to its end; generous, for machines may be busy.
    func ends() -> Bool { done.wait(timeout: .now() + 30) == .success }
  }

  @Test func elementsComeInOrderAndThenTheEnd() {
    let queue = BoundedQueue<Int>(capacity: 4)
    for number in 0..<4 { #expect(queue.put(number)) }
    #expect(queue.count == 4 && queue.capacity == 4)
    queue.finish()
    for number in 0..<4 { #expect(queue.take() == number) }
    #expect(queue.take() == nil && queue.take() == nil && queue.count == 0, "the end stays the end")
  }

  @Test func producersWaitForRoom() {
    let queue = BoundedQueue<Int>(capacity: 2)
    let most = Atomic<Int>(0)
    let worker = Worker {
      for number in 0..<500 {
        _ = queue.put(number)
        most.max(queue.count, ordering: .relaxed)
      }
      queue.finish()
    }
    var taken: [Int] = []
    while let number = queue.take() {
      taken.append(number)
      #expect(queue.count <= 2)
    }
    #expect(worker.ends() && taken == Array(0..<500) && most.load(ordering: .relaxed) <= 2)
  }

  @Test func cancellingWakesAWaitingProducer() {
    let queue = BoundedQueue<Int>(capacity: 1)
    #expect(queue.put(1))
    let wasTaken = Atomic<Bool>(true)
    let worker = Worker { wasTaken.store(queue.put(2), ordering: .relaxed) }
    queue.cancel()
    #expect(worker.ends() && !wasTaken.load(ordering: .relaxed))
    #expect(queue.take() == nil && !queue.put(3) && queue.count == 0)
  }

  @Test func cancellingAndFinishingWakeAWaitingConsumer() {
    for cancels in [true, false] {
      let queue = BoundedQueue<Int>(capacity: 1)
      let wasNothing = Atomic<Bool>(false)
      let worker = Worker { wasNothing.store(queue.take() == nil && queue.take() == nil, ordering: .relaxed) }
      if cancels { queue.cancel() } else { queue.finish() }
      #expect(worker.ends() && wasNothing.load(ordering: .relaxed))
    }
  }

  @Test func whatIsDroppedIsLetGo() {
    final class Element: Sendable {}
    let queue = BoundedQueue<Element>(capacity: 2)
    weak let first = { () -> Element in
      let element = Element()
      _ = queue.put(element)
      return element
    }()
    #expect(queue.count == 1)
    queue.cancel()
    #expect(first == nil)
  }

  /// Producers that finish, consumers that cancel, at any moment: nobody hangs, nothing is lost or made up.
  @Test func anyInterleavingEnds() {
    var random = SeededGenerator(for: "anyInterleavingEnds")
    for _ in 0..<400 {
      let queue = BoundedQueue<Int>(capacity: .random(in: 1...4, using: &random))
      let count = Int.random(in: 0..<60, using: &random)
      let wanted = Int.random(in: 0..<80, using: &random)
      let put = Atomic<Int>(0)
      let producer = Worker {
        for number in 0..<count {
          guard queue.put(number) else { break }
          put.add(1, ordering: .relaxed)
        }
        queue.finish()
      }
      var taken: [Int] = []
      while taken.count < wanted, let number = queue.take() { taken.append(number) }
      queue.cancel()
      #expect(producer.ends(), "capacity \(queue.capacity), \(count) put, \(wanted) wanted")
      #expect(taken == Array(0..<min(count, wanted)) && put.load(ordering: .relaxed) >= taken.count)
    }
  }
}
