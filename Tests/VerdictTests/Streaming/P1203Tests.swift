import Foundation
import Frames
import RecordSamples
import Support
import Testing
import Verdict

/// The input of ITU-T P.1203 from a stream's session.
@Suite struct P1203Tests {
  /// Three segments of 2 s: one in two attempts, a stall of 1 s 0.5 s after the first change, one abandoned that does not count.
  private static var session: StreamSession {
    var session = StreamSession(
      format: .hls, controller: "bola",
      rungs: [
        .init(id: "low", bitrate: 1e6, codec: "avc1.42c01e", width: 640, height: 360, frameRate: 30),
        .init(id: "high", bitrate: 4e6, codec: "avc1.640028", width: 1920, height: 1080, frameRate: 30),
      ], end: 9, position: 6)
    session.requests = [
      request(0, rung: 0, bytes: 100_000, outcome: .failed), request(0, rung: 0, bytes: 150_000, shown: 1.25),
      request(1, rung: 1, bytes: 90_000, outcome: .abandoned), request(1, rung: 1, bytes: 1_000_000, shown: 3.25),
      request(2, rung: 0, bytes: 260_000, shown: 6.25), request(3, rung: 0, bytes: 1),
    ]
    session.states = [
      .init(time: 0, state: .joining), .init(time: 1.25, state: .playing), .init(time: 3.75, state: .rebuffering),
      .init(time: 4.75, state: .playing), .init(time: 8.25, state: .ended),
    ]
    session.stalls = [.init(start: 3.75, seconds: 1, cause: .network)]
    session.firstFrame = 1.25
    return session
  }

  private static func request(
    _ segment: Int, rung: Int, bytes: Int, outcome: StreamSession.Request.Outcome = .finished, shown: Double? = nil
  ) -> StreamSession.Request {
    .init(
      kind: .segment, url: "a", rung: rung, segment: segment, mediaSeconds: 2, times: .init(queued: 0, ended: 1),
      transfer: .init(status: 200, bytes: bytes), outcome: outcome, firstShown: shown)
  }

  private static func record(_ session: StreamSession) -> Record {
    var record = Sample.record(of: [session])
    record.settings.viewing.size = PictureSize(width: 1280, height: 720)
    return record
  }

  /// Worked out by hand: 250,000 bytes in 2 s are 1,000 kbit/s; the stall is at 1.25…3.25 and half a second more of media.
  @Test func theSessionIsWrittenAsTheToolsReadIt() throws {
    func segment(_ kbits: Int, _ rung: Int, _ size: String, _ start: Int) -> String {
      """
            {
              "bitrate" : \(kbits),
              "codec" : "h264",
              "duration" : 2,
              "fps" : 30,
              "representation" : \(rung),
              "resolution" : "\(size)",
              "start" : \(start)
            }
      """
    }
    let segments = [
      segment(1000, 0, "640x360", 0), segment(4000, 1, "1920x1080", 2), segment(1040, 0, "640x360", 4),
    ].joined(separator: ",\n")
    let expected = """
      {
        "I11" : {
          "segments" : [

          ],
          "streamId" : 1
        },
        "I13" : {
          "segments" : [
      \(segments)
          ],
          "streamId" : 1
        },
        "I23" : {
          "stalling" : [
            [
              0,
              1.25
            ],
            [
              2.5,
              1
            ]
          ],
          "streamId" : 1
        },
        "IGen" : {
          "device" : "pc",
          "displaySize" : "1280x720",
          "viewingDistance" : "150cm"
        }
      }

      """
    #expect(try P1203Input(Self.record(Self.session)).json() == expected)
  }

  @Test func theFileIsReplacedByItsKindOnly() throws {
    try TestFolders.withTemporary { folder in
      try RecordFile.write(P1203Input(Self.record(Self.session)), to: folder + "/p.json")
      for kind in OutputKind.allCases where kind != .p1203 {
        #expect(throws: Failure.self) { try kind.checkReplaceable(folder + "/p.json", force: false) }
      }
      try OutputKind.p1203.checkReplaceable(folder + "/p.json", force: false)
    }
  }

  @Test(arguments: ["no stream", "no picture", "no codec", "no size", "no rate", "foreign codec"])
  func whatTheManifestDoesNotTellIsRefused(name: String) throws {
    var session = Self.session
    var words = "codec, size and frame rate of rung 0"
    switch name {
    case "no picture": (session.firstFrame, words) = (nil, "no picture was shown")
    case "no codec": session.rungs[0].codec = nil
    case "no size": session.rungs[0].width = nil
    case "no rate": session.rungs[0].frameRate = nil
    case "foreign codec": session.rungs[0].codec = "vvc1.1.L51"
    default: words = "the record is of no stream"
    }
    let record = name == "no stream" ? Sample.record() : Self.record(session)
    let failure = #expect(throws: Failure.self) { try P1203Input(record) }
    #expect(failure?.kind == .input && failure?.cause.contains(words) == true, "\(String(describing: failure))")
  }
}
