import Frames
import Support
import Testing

/// Waiting: for a value, and until an interruption asks to stop.
@Suite struct MonitorTests {
  private struct State: Sendable {
    var value = 0
    /// How often the waiting thread has looked.
    var looks = 0
  }

  /// Lets a thread wait for the value 7; gives what it found, and how often it looked, once it has ended.
  ///
  /// - Parameter act: called while the thread waits.
  private static func wait(
    until end: MonotonicTime? = nil, unless interruption: Interruption? = nil, _ act: (Monitor<State>) -> Void
  ) throws -> (found: Int?, looks: Int) {
    let (monitor, found) = (Monitor(State()), Monitor<Int?>(nil))
    let thread = try WorkerThread {
      let value = monitor.wait(until: end, unless: interruption) { state -> Int? in
        state.looks += 1
        return state.value == 7 ? 7 : nil
      }
      found.withLock { $0 = value }
    }
    // With an interruption it looks once before it asks to be woken.
    let first = interruption == nil ? 1 : 2
    #expect(Patience.until { monitor.read { $0.looks } >= first })
    act(monitor)
    thread.join()
    return (found.read { $0 }, monitor.read { $0.looks } - first)
  }

  @Test func readsWakeNoThread() throws {
    let (found, looks) = try Self.wait { monitor in
      for _ in 0..<1000 { #expect(monitor.read { $0.value } == 0) }
      monitor.withLock { $0.value = 7 }
    }
    // One for the change; the system may wake a thread for nothing.
    #expect(found == 7 && looks < 10, "\(looks)")
  }

  @Test func eachChangeIsLookedAt() throws {
    let (found, looks) = try Self.wait { monitor in
      for value in 1...7 {
        let before = monitor.withLock { state in
          state.value = value
          return state.looks
        }
        if value < 7 { #expect(Patience.until { monitor.read { $0.looks } > before }) }
      }
    }
    #expect(found == 7 && looks >= 7)
  }

  /// How a wait is ended.
  enum Ending: CaseIterable {
    case request, parent, deadline, parentsDeadline
  }

  @Test(arguments: Ending.allCases) func anInterruptionEndsAWait(by ending: Ending) throws {
    let parent = Interruption()
    let interruption = Interruption(within: Interruption(), parent)
    let (found, looks) = try Self.wait(unless: interruption) { _ in
      switch ending {
      case .request: interruption.request()
      case .parent: parent.request()
      case .deadline: interruption.setDeadline(.now)
      case .parentsDeadline: parent.setDeadline(.now.advanced(byMilliseconds: 20))
      }
    }
    #expect(found == nil && looks < 10, "\(looks)")
    #expect(interruption.shouldStop && interruption.isRequested == (ending == .request || ending == .parent))
    // What is there is not looked at any more.
    let monitor = Monitor(7)
    #expect(monitor.wait(unless: interruption) { $0 } == nil)
  }

  @Test func aWaitEndsAtItsInstant() throws {
    let interruption = Interruption()
    let (found, looks) = try Self.wait(until: .now.advanced(byMilliseconds: 50), unless: interruption) { _ in }
    #expect(found == nil && looks < 10, "\(looks)")
    #expect(!interruption.shouldStop)
  }

  @Test func aSupersededInterruptionWakesAndDoesNotEnd() throws {
    let interruption = Interruption()
    let (found, looks) = try Self.wait(unless: interruption) { monitor in
      let before = monitor.read { $0.looks }
      interruption.supersede()
      #expect(Patience.until { monitor.read { $0.looks } > before })
      #expect(interruption.isSuperseded && !interruption.shouldStop)
      monitor.withLock { $0.value = 7 }
    }
    #expect(found == 7 && looks >= 1)
    interruption.follow()
    #expect(!interruption.isSuperseded)
  }

  @Test func aPauseEndsEarlyWhenAskedTo() throws {
    let interruption = Interruption()
    #expect(interruption.pause(seconds: 0.01))
    let thread = try WorkerThread { interruption.request() }
    #expect(!interruption.pause(seconds: 3600))
    thread.join()
  }

  /// The time of an outage does not count for limits that outlast it, and for no other deadline.
  @Test func outagesMoveLimitsAndNoDeadlines() {
    let (limited, short) = (Interruption(), Interruption())
    #expect(limited.limit(seconds: 1, outlastsOutages: true) && !limited.limit(seconds: 5))
    #expect(short.limit(seconds: 1))
    let fixed = Interruption()
    fixed.setDeadline(.now.advanced(byMilliseconds: 1000))
    #expect(!fixed.limit(seconds: 60, outlastsOutages: true))
    #expect(Interruption().pause(seconds: 1.1))
    #expect(limited.shouldStop && short.shouldStop && fixed.shouldStop)
    // A second again, in which this thread may have to wait.
    let goesOn = Patience.until {
      limited.noteOutage()
      return !limited.shouldStop
    }
    #expect(goesOn)
    short.noteOutage()
    fixed.noteOutage()
    #expect(short.shouldStop && fixed.shouldStop)
  }

  /// `noteOutage` also notifies the parents.
  @Test func outagesAreToldToParents() {
    let count = Monitor(0)
    let outer = Interruption(onOutage: { count.withLock { $0 += 1 } })
    #expect(outer.limit(seconds: 1, outlastsOutages: true))
    let inner = Interruption(within: Interruption(within: outer), Interruption())
    #expect(Interruption().pause(seconds: 1.1) && inner.shouldStop)
    let goesOn = Patience.until {
      inner.noteOutage()
      return !inner.shouldStop
    }
    let before = count.read { $0 }
    #expect(goesOn && before >= 1)
    Interruption().noteOutage()
    #expect(count.read { $0 } == before)
    outer.noteOutage()
    #expect(count.read { $0 } == before + 1)
  }
}
