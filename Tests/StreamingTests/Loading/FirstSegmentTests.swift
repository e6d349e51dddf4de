import Adaptation
import Decode
import Foundation
import Frames
import Support
import Testing

import Streaming

/// What a stream begins with.
@Suite(.tier(.test)) struct FirstSegmentTests {
  /// The server keeps the last bytes of the first segment back until the first picture is there.
  @Test(arguments: ["hls-fmp4/main.m3u8", "manifest.mpd"])
  func theFirstPictureIsDecodedWhileItsSegmentArrives(path: String) throws {
    let folder = try SharedLadders.flat().folder
    let (isDecoded, wasDecoded) = (Monitor(false), Monitor<Bool?>(nil))
    let origin = try HostileOrigin(folder) { request in
      guard request.path.hasSuffix("/00000.m4s"), request.path.contains("video-") else { return nil }
      return { request, connection in
        let bytes = [UInt8](FileManager.default.contents(atPath: folder + request.path) ?? Data())
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
        connection.send(bytes.dropLast(64))
        let end = MonotonicTime.now.advanced(byMilliseconds: Patience.seconds * 1000)
        let result = isDecoded.wait(until: end) { $0 ? true : nil } ?? false
        wasDecoded.withLock { $0 = $0 ?? result }
        connection.send(bytes.suffix(64))
        return true
      }
    }
    let stream = try LoadedStream(origin.server.url("/" + path), StreamStage.options(RandomController.choice(seed: 3)))
    defer { stream.stop() }
    let packets = try stream.packets(interruption: StreamStage.limit())
    let video = try FrameReader(packets, packets.info, options: DecoderOptions(threads: 1))
    let first = try video.next()
    isDecoded.withLock { $0 = true }
    #expect(first?.presentationTime == .zero)
    var count = 1
    while try video.next() != nil { count += 1 }
    #expect(count == 135 && wasDecoded.read { $0 } == true)
  }
}
