import Decode
import Foundation
import Frames
import Media
import Support
import Testing

/// Packets of audio tracks, from the same reading of the file as the video: ffprobe tells which there are.
@Suite(.tier(.test)) struct SubscribedTrackTests {
  private struct Packet: Hashable {
    var stamp: Int64?
    var byteCount: Int
  }

  /// A clip with tone: four seconds, B-frames, sync samples every second.
  private static func clip(_ container: String) throws -> String {
    try SharedClips.file("tone.\(container)") { path in
      let made = try CommandOutput.of(
        "ffmpeg",
        ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=64x64:r=25:d=4", "-f", "lavfi", "-i", "sine=d=4"]
          + ["-c:v", "libx264", "-g", "25", "-bf", "2", "-c:a", "aac", path])
      try #require(made.status == 0, "\(made.errors)")
    }
  }

  private static func judged(_ path: String) throws -> [Packet] {
    let told = try CommandOutput.of(
      "ffprobe",
      ["-v", "error", "-select_streams", "a:0", "-show_entries", "packet=pts,size", "-of", "csv=p=0", path])
    return told.text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ",")
      guard fields.count >= 2, let size = Int(fields[1]) else { return nil }
      return Packet(stamp: Int64(fields[0]), byteCount: size)
    }
  }

  /// Takes packets that are at hand, or all that are left.
  private static func take(_ reader: FrameReader, _ track: Int, atMost limit: Int = .max) throws -> [Packet] {
    var taken: [Packet] = []
    while taken.count < limit, let read = try reader.nextPacket(of: track) {
      taken.append(Packet(stamp: read.presentationStamp, byteCount: read.byteCount))
      free(read.packet)
    }
    return taken
  }

  private static func audio(_ info: MediaInfo) throws -> Int {
    try #require(info.streams.first { $0.kind == "audio" }).index
  }

  @Test(arguments: ["mp4", "mkv", "ts"])
  func packetsComeInOrderWhileFramesAreRead(container: String) throws {
    let path = try Self.clip(container)
    let judged = try Self.judged(path)
    let (reader, plain) = (try FrameReader(path: path), try FrameReader(path: path))
    let track = try Self.audio(reader.info)
    #expect(reader.subscribe(to: track))
    var (frames, packets): ([MediaTime], [Packet]) = ([], [])
    while let frame = try reader.next() {
      frames.append(frame.presentationTime)
      packets += try Self.take(reader, track, atMost: 2)
    }
    packets += try Self.take(reader, track)
    #expect(packets == judged && judged.count > 100)
    #expect(try frames == plain.allFrames().map(\.presentationTime))
    #expect(reader.droppedPackets(of: track) == 0)

    // The same again, the track alone: the video waits.
    try reader.rewind()
    let again = try Self.take(reader, track)
    // MP4 goes to the video's first time, before which a packet of priming samples lies.
    #expect(again == judged.suffix(again.count) && again.count >= judged.count - 1)
    #expect(try reader.allFrames().map(\.presentationTime) == frames)
  }

  @Test func aConsumerThatIsBehindHasTheNewest() throws {
    let path = try Self.clip("mkv")
    let judged = try Self.judged(path)
    let reader = try FrameReader(path: path)
    let track = try Self.audio(reader.info)
    #expect(reader.subscribe(to: track, byteLimit: 2000))
    _ = try reader.allFrames()
    let packets = try Self.take(reader, track)
    #expect(packets == judged.suffix(packets.count) && !packets.isEmpty)
    #expect(packets.reduce(0) { $0 + $1.byteCount } <= 2000)
    #expect(reader.droppedPackets(of: track) == judged.count - packets.count)
  }

  @Test func aSeekGoesOnThere() throws {
    let path = try Self.clip("mkv")
    let reader = try FrameReader(path: path)
    let track = try Self.audio(reader.info)
    #expect(reader.subscribe(to: track))
    _ = try reader.next()
    _ = try reader.seek(SeekRequest(target: MediaTime(seconds: 2)))
    let packets = try Self.take(reader, track)
    let judged = try Self.judged(path)
    #expect(packets == judged.suffix(packets.count))
    // Matroska counts in milliseconds.
    #expect(try #require(packets.first?.stamp) > 1500)
  }

  @Test func onlyOtherTracksCanBeSubscribedTo() throws {
    let reader = try FrameReader(path: try Self.clip("mkv"))
    #expect(!reader.subscribe(to: reader.info.video.streamIndex) && !reader.subscribe(to: 9))
    #expect(try reader.nextPacket(of: 9) == nil)
  }
}
