import ArgumentParser
import Run
import Verdict

/// The link between an origin and its clients, as `serve` and `run` take it: constant, or by a trace.
struct LinkOptions: ParsableArguments {
  @Option(.network)
  var network: String?

  @Option(.rate)
  var rate: Double?

  @Option(.rtt)
  var rtt: Double?

  @Option(.loss)
  var loss: Double?

  func validate() throws {
    if network == "" { throw ValidationError("--network is empty: name a trace.") }
    try Setting.rate.check(rate)
    try Setting.rtt.check(rtt)
    try Setting.loss.check(loss)
  }

  /// Throws where the options do not give one capacity: the owner's to call, which may read the trace from another option.
  func requireCapacity() throws {
    guard network == nil || rate == nil else {
      throw ValidationError("--network and --rate both give the capacity: leave one out.")
    }
    guard network != nil || rate != nil || (rtt ?? loss) == nil else {
      throw ValidationError("--rtt and --loss need --rate.")
    }
    if network != nil, loss != nil { throw ValidationError("--loss needs --rate: a trace says what is lost.") }
  }

  /// Nil: the link is not shaped.
  var settings: LinkSettings? { LinkSettings(trace: network, rate: rate, roundTrip: rtt, loss: loss) }
}
