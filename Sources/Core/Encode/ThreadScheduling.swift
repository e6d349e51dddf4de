import Glibc

/// Calls `body`, which may change the calling thread's scheduling, and restores it.
///
/// SVT-AV1 gives the thread that opens it real-time priority where the system allows that. Threads and processes
/// started later would inherit it.
func keepingScheduling<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
  var policy: Int32 = 0
  var parameters = sched_param()
  let isKnown = pthread_getschedparam(pthread_self(), &policy, &parameters) == 0
  defer { if isKnown { pthread_setschedparam(pthread_self(), policy, &parameters) } }
  return try body()
}
