import Foundation
import Frames
import Glibc
import Host
import Support
import Synchronization
import Testing

@Suite(.tier(.test)) struct StressTests {
  /// In real time on every processor it would stop the machine, and this test with it: so it is held against the kind that
  /// leaves room.
  @Test func itNeverRunsInRealTime() throws {
    let policies = Mutex([pid_t: Int]())
    let thread = try WorkerThread {
      _ = RealTimeScheduling.request()
      let before = Set(Self.policies().keys)
      guard let stress = try? Stress(.io) else { return }
      // Each tells its policy before it works.
      _ = Patience.until {
        let new = Self.policies().filter { !before.contains($0.key) }
        policies.withLock { $0 = new }
        return !new.isEmpty && new.values.allSatisfy { $0 == SCHED_OTHER }
      }
      stress.stop()
    }
    thread.join()
    let seen = policies.withLock { $0 }
    #expect(!seen.isEmpty && seen.values.allSatisfy { $0 == SCHED_OTHER }, "\(seen)")
  }

  /// Of every thread of this process.
  private static func policies() -> [pid_t: Int] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    let pairs = threads.compactMap { thread -> (pid_t, Int)? in
      guard let number = pid_t(thread), sched_getscheduler(number) >= 0 else { return nil }
      return (number, Int(sched_getscheduler(number)))
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}
