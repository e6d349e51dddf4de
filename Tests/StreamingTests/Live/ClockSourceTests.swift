import Adaptation
import Decode
import Foundation
import Frames
import Media
import Origin
import Support
import TestPicture
import Testing

import Streaming

/// Servers whose clock is not the machine's, over sockets: each scheme of `UTCTiming` tells by how much.
@Suite(.tier(.test)) struct ClockSourceTests {
  /// A live ladder whose server's clock is so many seconds ahead of the machine's.
  private static func server(_ clock: LiveTimingTests.Clock, ahead: Double) throws -> ScriptedServer {
    let folder = try SharedLadders.flat().folder
    var options = LiveOptions()
    options.windowSeconds = 20
    let start = options.clock.now - 100_370_000_000 + Int64(ahead * 1e9)
    options.start = start
    let ladder = try LiveLadder(folder: folder, options)
    let reference = MonotonicTime.now.nanoseconds
    return try ScriptedServer { request, connection in
      let now = 100_370_000_000 + MonotonicTime.now.nanoseconds - reference
      let seconds = Double(start + now) / 1e9
      let date = Date(timeIntervalSince1970: seconds.rounded(.down))
      let format = DateFormatter()
      (format.locale, format.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(identifier: "GMT"))
      format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      let fields = ["Date: \(format.string(from: date))"]
      if request.path == "/time" {
        return connection.respond("200 OK", fields, body: Array(LiveDate.text(start + now).utf8))
      }
      if request.path == "/main.mpd" {
        let text = ladder.text("manifest.mpd", at: now)?.text ?? ""
        let edited = clock.edit(text, date: LiveDate.text(start + now))
        return connection.serve(Array(edited.utf8), request, fields)
      }
      // Segments of a round.
      var file = request.path
      if let match = file.wholeMatch(of: #//(hls-fmp4/.*)/(\d{5})\.m4s/#), let number = Int(match.output.2) {
        file = "/\(match.output.1)/0000\(number % 5).m4s"
      }
      guard let data = FileManager.default.contents(atPath: folder + file) else {
        return connection.respond("404 Not Found")
      }
      return connection.serve([UInt8](data), request, fields)
    }
  }

  @Test(arguments: LiveTimingTests.Clock.allCases, [7.4, -6.2])
  func theServersClockIsFollowed(clock: LiveTimingTests.Clock, ahead: Double) throws {
    let server = try Self.server(clock, ahead: ahead)
    let stream = try LoadedStream(server.url("/main.mpd"), LiveStage.options { $0.live.latency = 4 })
    defer { stream.stop() }
    let packets = try stream.packets(interruption: Interruption())
    let reader = try FrameReader(packets, packets.info, options: DecoderOptions())
    let frame = try #require(try reader.next())
    let edge = try #require(stream.liveEdge)
    // A busy machine answers late: the clock is behind by as much.
    #expect(
      abs(edge.clockOffset.seconds - ahead) < (clock == .head ? 0.6 : 0.1) + Patience.seconds / 100,
      "\(edge.clockOffset)")
    let latency = try #require(stream.latency(at: frame.presentationTime))
    #expect(latency > 3.9 && latency < 4 + Patience.seconds, "\(latency)")
    if clock == .head { #expect(server.requests.contains { $0.method == "HEAD" && $0.path == "/main.mpd" }) }
  }
}
