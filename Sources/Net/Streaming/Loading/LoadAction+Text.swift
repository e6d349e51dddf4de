import Frames
import HTTP

// Actions and their results in words: `HistoryOptions.keepsSteps`.
extension LoadAction: CustomStringConvertible {
  var description: String {
    switch self {
    case .waitForRoom: "wait for room"
    case .wait(let seconds): "wait \(seconds.text)"
    case .waitForBuffer(let seconds, let limit):
      "wait until \(seconds.text) are used up" + (limit < .infinity ? ", or \(limit.text) have passed" : "")
    case .forgetProblems: "forget problems"
    case .timeline(.playlist, let rung, _): "load the playlist of rung \(rung)"
    case .timeline(_, let rung, _): "load the index of rung \(rung)"
    case .playlist(_, let rung, let waits): "reload the playlist of rung \(rung)" + (waits ? ", waiting for news" : "")
    case .manifest(let address): address == nil ? "take the video's manifest" : "reload the manifest"
    case .clock: "read the clock"
    case .segment(let planned):
      "load segment \(planned.placed.segment) of rung \(planned.placed.rung), \(planned.place.start.seconds.text) to "
        + planned.place.end.seconds.text
    case .open(let planned):
      "open segment \(planned.placed.segment) of rung \(planned.placed.rung) at \(planned.parts.start.seconds.text)"
    case .part(_, let end): "load a part to \(end.seconds.text)"
    case .hint: "ask for the part that comes next"
    case .close(let end): "close the segment at \(end.seconds.text)"
    case .begin(let place): "begin at \(place.seconds.text)"
    case .jump(let place): "ask for a jump to \(place.seconds.text)"
    case .finish: "finish"
    case .fail(let problem): "fail, \(problem.text)"
    }
  }
}

extension LoadEvent {
  /// Behind an action; empty: it was done.
  var text: String {
    switch self {
    case .done, .playlist, .timeline, .manifest, .clock(_?), .part(_, nil): ""
    case .followed(let state): state == nil ? ": there is none" : ""
    case .clock(nil): ": unknown"
    case .loaded: ": loaded"
    case .abandoned(let lower): ": abandoned for rung \(lower)"
    case .part(_, let wasRight?): wasRight ? ": it was the hinted one" : ": it was not the hinted one"
    case .failed(let problem): ": \(problem.text)"
    }
  }
}

extension LoadProblem {
  fileprivate var text: String {
    switch self {
    case .stopped: "stopped"
    case .abandoned: "abandoned"
    case .failed(let problem): problem.cause
    case .broken(let problem): "broken off, \(problem.cause)"
    case .refused(let failure): failure.cause
    }
  }
}

extension Double {
  /// Seconds in thousandths.
  var text: String {
    let thousandths = Int64(saturating: (self * 1000).rounded())
    let fraction = String(1000 + thousandths.magnitude % 1000).dropFirst()
    return "\(thousandths < 0 ? "-" : "")\(thousandths.magnitude / 1000).\(fraction) s"
  }
}
