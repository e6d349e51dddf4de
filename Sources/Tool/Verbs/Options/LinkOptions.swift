import ArgumentParser
import Run

/// The link between an origin and its clients, as `serve` and `run` take it: constant, or by a trace.
struct LinkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Capacity and round trips over time: bench360's JSON, mahimahi, sabre, or logs of six columns.",
      valueName: "trace"),
    completion: .file())
  var network: String?

  @Option(help: ArgumentHelp("Capacity of the link. (default: as fast as the machine is)", valueName: "Mbit/s"))
  var rate: Double?

  @Option(
    help: ArgumentHelp(
      "Round-trip time of the link; needs --rate or --network. (default: the trace's, else 0)",
      valueName: "milliseconds"))
  var rtt: Double?

  @Option(
    help: ArgumentHelp(
      "Share of packets that are lost, each a wait of one round trip for its connection; needs --rate.",
      valueName: "percent"))
  var loss: Double?

  func validate() throws {
    if network == "" { throw ValidationError("--network is empty: name a trace.") }
    guard rate.map({ $0 >= 0.001 && $0 <= 1e6 }) ?? true else {
      throw ValidationError("--rate must be between 0.001 and 1000000 Mbit/s.")
    }
    guard rtt.map({ (0...60_000).contains($0) }) ?? true else {
      throw ValidationError("--rtt must be between 0 and 60000 milliseconds.")
    }
    guard loss.map({ $0 >= 0 && $0 < 100 }) ?? true else {
      throw ValidationError("--loss must be at least 0 and less than 100 percent.")
    }
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
