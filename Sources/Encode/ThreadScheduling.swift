import Glibc

/// Does what may change the calling thread's scheduling, and gives it back.
///
/// SVT-AV1 makes whoever opens it run in real time, above all others, where the system allows it. Threads and processes
/// started later would inherit that.
func keepingScheduling<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
  var policy: Int32 = 0
  var parameters = sched_param()
  let isKnown = pthread_getschedparam(pthread_self(), &policy, &parameters) == 0
  defer { if isKnown { pthread_setschedparam(pthread_self(), policy, &parameters) } }
  return try body()
}
