import Adaptation
import Frames
import HTTP
import Media

/// A segment whose parts are being loaded.
struct PartDownload {
  let segment: MediaSegment
  let placed: StreamHistory.Placed
  /// Where the loaded parts end.
  var reached: MediaTime
  /// A part that was asked for before it was listed.
  var hinted: (address: StreamAddress, bytes: [UInt8])?
}

// Low latency: a segment is handed over part by part while it is made.
extension StreamLoader {
  func open(_ planned: PlannedParts) throws(LoadProblem) {
    let (first, placed) = (planned.parts, planned.placed)
    guard let opening = first.parts.first else { return }
    if let decision = planned.decision { log.add(decision) }
    var source = Segment(
      number: first.number, address: opening.address, start: opening.start, duration: opening.duration,
      discontinuity: first.discontinuity)
    source.initialization = first.initialization
    let header = try headers.initialization(source, rung: recorded(placed.rung), resources)
    let bytes = SegmentBytes(redactingSecrets(ofArgument: opening.address.text), header: header)
    let segment = MediaSegment(
      bytes: bytes, coding: headers.coding(of: source, rung: placed.rung, stretch: 0), start: first.start,
      clock: .run(first.discontinuity))
    note(placed, nil)
    parts = PartDownload(segment: segment, placed: placed, reached: first.start)
    store.begin(segment, end: first.start, isProgressive: true, turn: turn.number)
  }

  /// The part that comes next is asked for before it is there, and kept until the playlist names it.
  func loadHint(_ address: StreamAddress) throws(LoadProblem) {
    let (bytes, _) = try resources.bytes(resource(address, nil, nil))
    parts?.hinted = (address, bytes)
  }

  func load(_ part: PartialSegment, end: MediaTime) throws(LoadProblem) -> LoadEvent {
    guard let download = parts else { return .done }
    let isHinted = download.hinted?.address == part.address && part.range == nil
    let hintWasRight: Bool? = download.hinted == nil ? nil : isHinted
    parts?.hinted = nil
    var sample: ThroughputSample?
    if isHinted, let hinted = download.hinted {
      hinted.bytes.withUnsafeBytes { download.segment.bytes.append($0) }
    } else {
      let (bytes, loaded) = try resources.bytes(resource(part.address, part.range, Double(part.duration) / 1e9))
      bytes.withUnsafeBytes { download.segment.bytes.append($0) }
      sample = loaded.times.sample
    }
    parts?.reached = end
    store.progress(download.segment, to: end, turn: turn.number)
    return .part(sample: sample, hintWasRight: hintWasRight)
  }

  /// No part follows.
  func close(at end: MediaTime) {
    guard let download = parts else { return }
    parts = nil
    download.segment.bytes.finish()
    store.complete(download.segment, turn: turn.number)
    if video != nil { log.end(download.placed.segment, at: end) }
  }

  /// The rest of the open segment cannot be had, where there is one; gives what to tell the planner.
  func abortParts(_ problem: LoadProblem) -> LoadProblem {
    guard let download = parts else { return problem }
    parts = nil
    if video != nil { log.end(download.placed.segment, at: download.reached) }
    return abort(download.segment, problem)
  }

  private func resource(_ address: StreamAddress, _ range: ByteRange?, _ seconds: Double?) -> StreamResource {
    StreamResource(
      kind: .segment, address: address, range: range, rung: parts.flatMap { recorded($0.placed.rung) },
      segment: parts?.placed.segment, seconds: seconds, byteLimit: options.limits.segmentBytes)
  }
}
