import Adaptation
import Encode
import Foundation
import Frames
import Media
import Support
import Testing

import Streaming

/// Events that lie in segments (`emsg`), and the breaks that they tell of.
@Suite struct SegmentEventTests {
  private static let scheme = "urn:scte:scte35:2013:bin"

  /// `splice_insert` of SCTE 35 without a length: the network is left, or joined again.
  private static func insert(_ event: UInt32, isOut: Bool) -> [UInt8] {
    let command = BoxEditor.number(event) + [0x7F, isOut ? 0xDF : 0x5F, 0, 1, 0, 0]
    return [0xFC, 0x30, 27, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xF0, 10, 0x05] + command + [0, 0, 0, 0, 0, 0]
  }

  private static func long(_ value: UInt64) -> [UInt8] {
    BoxEditor.number(UInt32(value >> 32)) + BoxEditor.number(UInt32(truncatingIfNeeded: value))
  }

  /// A box of version 0, whose place is behind the segment's start, or of version 1, by its time stamps. In ticks.
  private static func event(
    _ data: [UInt8], version: UInt8, at place: UInt64, timescale: UInt32 = 1000, duration: UInt32 = .max,
    id: UInt32 = 1,
    scheme: String = scheme
  ) -> [UInt8] {
    let texts = Array(scheme.utf8) + [0] + Array("7".utf8) + [0]
    let numbers =
      BoxEditor.number(timescale) + (version == 0 ? BoxEditor.number(UInt32(place)) : long(place))
      + BoxEditor.number(duration) + BoxEditor.number(id)
    return BoxEditor.box("emsg", [version, 0, 0, 0] + (version == 0 ? texts + numbers : numbers + texts) + data)
  }

  private static func parse(_ bytes: [UInt8]) -> [EventMessage] { EventMessage.all(in: bytes[...]) }

  @Test func bothVersionsAreRead() {
    let first = Self.event([1, 2, 3], version: 0, at: 500, duration: 1000)
    let second = Self.event([], version: 1, at: 1 << 40, timescale: 90_000, id: 9, scheme: "urn:example")
    // A slice's places are another array's.
    let bytes = [7, 7] + BoxEditor.box("styp", [1, 2]) + first + second + BoxEditor.box("moof", []) + first
    let events = EventMessage.all(in: bytes[2...])
    #expect(events.count == 3 && events.first == events.last)
    #expect(events[0].scheme == Self.scheme && events[0].value == "7" && events[0].timescale == 1000)
    #expect(events[0].place == .behindStart(500) && events[0].duration == 1000 && events[0].data == [1, 2, 3])
    #expect(events[1].place == .stamp(1 << 40) && events[1].duration == nil && events[1].id == 9)
    #expect(events[1].timescale == 90_000 && events[1].scheme == "urn:example" && events[1].data.isEmpty)
  }

  /// A size of 0 is the rest's, one of 1 is behind the type.
  @Test func sizesOfAllFormsAreRead() {
    let box = Self.event([5], version: 1, at: 3)
    #expect(Self.parse([0, 0, 0, 0] + box[4...]).map(\.data) == [[5]])
    let wide = [0, 0, 0, 1] + box[4..<8] + Self.long(UInt64(box.count + 8)) + box[8...]
    #expect(Self.parse(wide + box).count == 2)
  }

  @Test func otherBoxesAreNone() {
    let box = Self.event([5], version: 1, at: 3)
    let cases: [(String, [UInt8])] = [
      ("no ticks per second", Self.event([], version: 0, at: 1, timescale: 0)),
      ("another version", box[..<8] + [2] + box[9...]), ("no MP4", Array("#EXTM3U and more".utf8)), ("nothing", []),
      ("cut", Array(box.dropLast())), ("texts without an end", BoxEditor.box("emsg", [UInt8](repeating: 1, count: 40))),
      ("a long text", Self.event([], version: 1, at: 3, scheme: String(repeating: "a", count: 1025))),
      ("a long message", Self.event([UInt8](repeating: 1, count: 65_536), version: 1, at: 3)),
      ("shorter than its head", [0, 0, 0, 7] + box[4...]),
      ("a wide size within its head", [0, 0, 0, 1] + box[4..<8] + Self.long(15)),
      ("greater than all", [0, 0, 0, 1] + box[4..<8] + Self.long(.max)),
    ]
    for (name, bytes) in cases { #expect(Self.parse(bytes).isEmpty, "\(name)") }
    #expect(Self.parse(Array(repeatElement(box, count: 300).joined())).count == 256)
  }

  @Test func damagedBytesTrapNowhere() {
    var random = SeededGenerator(for: "damaged events trap nowhere")
    let sound = Self.event(Self.insert(1, isOut: true), version: 0, at: 5) + Self.event([1], version: 1, at: .max)
    for _ in 0..<5000 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] =
          [0, 1, 0x7F, 0xFF, .random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      let events = Self.parse(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))))
      #expect(events.allSatisfy { $0.timescale > 0 && $0.data.count < sound.count }, "\(bytes)")
    }
  }

  /// A ladder of which a server puts events before the fragments of video, each in both rungs and two segments.
  private static func breaks(isDeclared: Bool, offset: Int = 0) throws -> [StreamBreak] {
    let ladder = try SharedLadders.flat()
    let out = Self.event(Self.insert(7, isOut: true), version: 0, at: 500, duration: 1000, id: 1)
    let last = Self.event(Self.insert(8, isOut: true), version: 1, at: 3200, id: 2)
    let end = Self.event(Self.insert(8, isOut: false), version: 1, at: 3_700, id: 3)
    let other = Self.event([1, 2, 3], version: 1, at: 1000, id: 4, scheme: "urn:example")
    let huge = Self.event(Self.insert(9, isOut: true), version: 1, at: .max, duration: 5000, id: 5)
    let events = ["00001.m4s": other + out, "00002.m4s": last + huge, "00003.m4s": last + end]
    let server = try ScriptedServer { [folder = ladder.folder] request, connection in
      guard let data = FileManager.default.contents(atPath: folder + request.path) else {
        return connection.respond("404 Not Found")
      }
      if request.path.hasSuffix(".mpd") {
        var text = String(decoding: data, as: UTF8.self)
          .replacing(
            "startNumber=\"0\" initialization",
            with: "presentationTimeOffset=\"\(offset)\" startNumber=\"0\" initialization")
        if isDeclared {
          text = text.replacing(/<AdaptationSet [^>]*contentType="video"[^>]*>/) {
            $0.output + "<InbandEventStream schemeIdUri=\"\(Self.scheme)\" value=\"7\"/>"
          }
        }
        return connection.serve([UInt8](text.utf8), request)
      }
      let name = request.path.split(separator: "/").last.map(String.init) ?? ""
      let added = request.path.contains("/video-") ? events[name] ?? [] : []
      return connection.serve(added + data, request)
    }
    var breaks: [StreamBreak] = []
    let played = try StreamStage.play(
      server.url("/manifest.mpd"), StreamStage.options(try #require(ControllerChoice("throughput")))
    ) { breaks = $1.breaks }
    #expect(played.frames > 0 && played.disordered == 0)
    return breaks
  }

  @Test func eventsOfSegmentsAreBreaks() throws {
    let breaks = try Self.breaks(isDeclared: true)
    let spans = breaks.filter { $0.start.seconds < 100 }.map { [$0.start.seconds, $0.end?.seconds ?? -1] }
    #expect(spans == [[1.5, 2.5], [3.2, 3.7]], "\(breaks)")
    #expect(breaks.count == 3, "each once: \(breaks)")
  }

  /// The manifest's offset is that of time stamps.
  @Test func timeStampsOfEventsAreTheSegments() throws {
    let breaks = try Self.breaks(isDeclared: true, offset: 15_360)
    #expect(breaks.contains { $0.start == .milliseconds(2200) && $0.end == .milliseconds(2700) }, "\(breaks)")
  }

  @Test func eventsThatTheManifestDoesNotDeclareAreNone() throws {
    #expect(try Self.breaks(isDeclared: false).isEmpty)
  }
}
