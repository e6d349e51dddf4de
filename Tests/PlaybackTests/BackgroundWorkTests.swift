import Dispatch
import Frames
import Playback
import Testing

@Suite struct BackgroundWorkTests {
  @Test func itGivesItsResultOnce() throws {
    let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let work = BackgroundWork(onDone: { done.signal() }) { () throws(Failure) in
      gate.wait()
      return 7
    }
    #expect(work.take() == nil)
    gate.signal()
    done.wait()
    #expect(try work.take()?.get() == 7)
    #expect(work.take() == nil)
    work.wait()
  }

  @Test func itTellsWhatWentWrong() {
    let failure = Failure(.input, "cannot", cause: "no")
    let work = BackgroundWork<Int>(onDone: {}) { () throws(Failure) in throw failure }
    work.wait()
    guard case .failure(failure) = work.take() else {
      Issue.record("it did not fail")
      return
    }
  }
}
