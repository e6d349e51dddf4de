import Decode
import Frames
import Media
import Playback
import Streaming

extension SubtitleFeed {
  /// Loads a track of a stream's subtitles, segment by segment around the picture.
  ///
  /// - Parameter number: of one of the stream's `subtitles`.
  convenience init(_ stream: LoadedStream, _ number: Int) {
    let (track, name) = (stream.subtitles[number], stream.path)
    self.init { changes, interruption in
      serve(changes, track, name, interruption, begin: { stream.liveEdge?.start }) { () throws(Failure) in
        try stream.text(number, interruption: interruption)
      }
    }
  }
}

/// The feed's thread.
///
/// - Parameter begin: what ended earlier can not be shown any more; nil: all can.
private func serve(
  _ changes: SubtitleFeed.Changes, _ track: SubtitleTrack, _ name: String, _ interruption: Interruption,
  begin: () -> MediaTime?, open: () throws(Failure) -> StreamText
) {
  var lines = StreamLines()
  do throws(Failure) {
    let text = try open()
    while let piece = try text.next() {
      let reader = try SubtitleReader(track, piece: piece.bytes, of: name, interruption: interruption)
      while let event = try reader.next() { try lines.add(event, shift: piece.shift, name) }
      if let begin = begin() { lines.forget(before: begin) }
      let (script, known) = (reader.script, lines.events)
      changes.change {
        $0.script = $0.script ?? script
        $0.events = known
      }
    }
  } catch {
    guard error.kind != .cancelled else { return }
    changes.change { ($0.failure, $0.isComplete) = (error, true) }
  }
}

/// The lines of segments that came in any order; a line that stands in two of them is one. Pure.
package struct StreamLines {
  private var all: [SubtitleEvent] = []
  private var known: Set<SubtitleEvent> = []

  package init() {}

  /// Throws `.media` where there are too many.
  package mutating func add(_ event: SubtitleEvent, shift: MediaTime, _ name: String) throws(Failure) {
    // The number of a line counts in its segment.
    let text = event.line.drop { $0 != "," }
    let moved = SubtitleEvent(start: event.start + shift, end: event.end + shift, line: "0" + text)
    guard known.insert(moved).inserted else { return }
    guard all.count < SubtitleReader.eventLimit else {
      throw Failure(
        .media, "cannot load all subtitles of '\(name)'",
        cause: "there are more than \(SubtitleReader.eventLimit) of them")
    }
    all.append(moved)
  }

  /// Leaves out the lines that ended earlier.
  package mutating func forget(before begin: MediaTime) {
    guard all.contains(where: { $0.end < begin }) else { return }
    all.removeAll { $0.end < begin }
    known = Set(all)
  }

  package var events: SubtitleEvents { SubtitleEvents(all) }
}
