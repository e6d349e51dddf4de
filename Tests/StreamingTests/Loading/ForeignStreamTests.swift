import Adaptation
import Encode
import Frames
import Foundation
import Origin
import Support
import TestPicture
import Testing

import Streaming

/// Streams of servers of others: the same requests, the same bytes and the same pictures as from our own origin.
@Suite(.tier(.test)) struct ForeignStreamTests {
  @Test(.enabled("nginx is not installed") { ForeignOrigin.Server.nginx.isAvailable })
  func nginxServesAsOurOriginDoes() throws { try Self.compare(.nginx) }

  @Test(.enabled("Caddy is not installed") { ForeignOrigin.Server.caddy.isAvailable })
  func caddyServesAsOurOriginDoes() throws { try Self.compare(.caddy) }

  private static func requests(_ url: String, _ file: String) throws -> [String] {
    let choice = RandomController.choice(seed: 360, isRestless: true)
    let played = try StreamStage.play(url + file, StreamStage.options(choice))
    #expect(played.frames == StreamStage.frames && played.truth?.wrong == 0 && played.truth?.wrongRung == 0)
    return played.history.requests.map { request in
      let path = URL(string: request.url)?.path ?? ""
      return "\(path) \(request.range.map { "\($0)" } ?? "") \(request.times.status ?? 0) \(request.times.bytes)"
    }
  }

  private static func compare(_ server: ForeignOrigin.Server) throws {
    let ladder = try StreamStage.pictures()
    let (ours, theirs) = (try Origin.start(ladder.folder), try ForeignOrigin(server, serving: ladder.folder))
    for kind in [LadderIndex.Presentation.Kind.hlsFMP4, .hlsTS, .dash] {
      let file = try #require(ladder.index.presentations.first { $0.kind == kind }?.file)
      let (mine, other) = (try requests(ours.url, file), try requests(theirs.url, file))
      #expect(mine == other && mine.count > StreamStage.frames / 2, "\(kind.rawValue)")
    }
    try ours.stop()
  }
}
