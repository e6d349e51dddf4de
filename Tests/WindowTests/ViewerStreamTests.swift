import Adaptation
import Encode
import Foundation
import Frames
import Origin
import Streaming
import Support
import Testing
import Viewer

extension WindowTests {
  /// The third segment of a second is asked for when one second is left, however long the start took.
  private static let littleAhead: StreamOptions? = ControllerChoice("lowest").map { lowest in
    var options = StreamOptions(controller: lowest)
    options.load = LoadPolicy(minimum: 2, maximum: 2)
    return options
  }

  /// A stream whose server keeps a segment back for longer than is loaded ahead, and breaks others off.
  @Test func aStreamGoesOnAfterAnOutage() throws {
    let ladder = try SharedLadders.flat()
    let file = try #require(ladder.index.presentations.first { $0.kind == .hlsFMP4 }?.file)
    var options = OriginOptions()
    options.faults = try FaultFile.rules(
      Data(
        """
        {
          "schema": "bench360-faults/1",
          "faults": [
            {"kind": "stall", "path": "**/video-0/*3.m4s", "nth_of_path": 1, "seconds": 3},
            {"kind": "reset", "path": "**/video-0/*4.m4s", "nth_of_path": [1, 2], "after": 2000}
          ]
        }
        """.utf8))
    let origin = try Origin.start(ladder.folder, options: options)
    let watched = WatchedViewer()
    let isShown = try watched.watch(
      [origin.url + file],
      { $0.files.streaming = Self.littleAhead },
      until: { $0.states.last?.hasPrefix("ended") == true || !$0.messages.isEmpty })
    try origin.stop()
    #expect(isShown && watched.messages == [], "\(watched.messages)")
    let changes = zip(["opening"] + watched.states, watched.states).filter { $0 != $1 }.map(\.1)
    #expect(changes.contains("stalled") && changes.suffix(2) == ["playing", "ended"], "\(changes)")
    let broken = origin.log.count { $0.faults != nil }
    #expect(broken == 3, "\(origin.log.map(\.path))")
  }

  /// The user pauses while the picture waits for its media: what comes does not play until the user wants it to.
  @Test func aPauseDuringAnOutageIsHonoured() throws {
    let ladder = try SharedLadders.flat()
    let file = try #require(ladder.index.presentations.first { $0.kind == .hlsFMP4 }?.file)
    var options = OriginOptions()
    options.faults = try FaultFile.rules(
      Data(
        """
        {
          "schema": "bench360-faults/1",
          "faults": [{"kind": "stall", "path": "**/video-0/*3.m4s", "nth_of_path": 1, "seconds": 4}]
        }
        """.utf8))
    let origin = try Origin.start(ladder.folder, options: options)
    let display = try WindowTests.display.get()
    /// - Parameter time: of X's clock, in milliseconds; GLFW drops a key that was pressed at the same time before.
    func pressSpace(at time: Int) {
      try? display.act("keydown 65 \(time) 0", on: "main.m3u8 — bench360")
      try? display.act("keyup 65 \(time + 50) 0", on: "main.m3u8 — bench360")
    }
    let watched = WatchedViewer()
    var stream: LoadedStream?
    var loaded = MediaTime.zero
    /// How often the state was there when the user had paused, once media had come.
    var (pressed, paused, resumed) = (false, 0, false)
    let isShown = try watched.watch(
      [origin.url + file],
      { options in
        options.files.streaming = Self.littleAhead
        let watch = options.watch
        options.watch = { session, path, pace in
          stream = session.stream
          return watch?(session, path, pace)
            ?? Viewer.Watcher(onFrame: { _ in }, onTick: { _ in }, onEnd: { _, _, _ in })
        }
      },
      until: { watched in
        if !pressed, watched.states.last == "stalled" {
          pressed = true
          loaded = stream?.loadedEnd ?? .zero
          pressSpace(at: 1000)
        }
        if pressed, !resumed, watched.states.last == "paused", let stream, stream.loadedEnd > loaded {
          paused += 1
          if paused == 60 {
            resumed = true
            pressSpace(at: 2000)
          }
        }
        return watched.states.last?.hasPrefix("ended") == true || !watched.messages.isEmpty
      })
    stream = nil
    try origin.stop()
    #expect(isShown && watched.messages == [] && resumed, "\(watched.messages)")
    let changes = zip(["opening"] + watched.states, watched.states).filter { $0 != $1 }.map(\.1)
    #expect(changes.suffix(4) == ["stalled", "paused", "playing", "ended"], "\(changes)")
  }

  /// A playlist of this machine adapts as one of a server does: its rungs can be chosen. Keys lie beside its folder; its name has a blank.
  @Test func aPlaylistOfThisMachineIsAStream() throws {
    let ladder = try SharedLadders.ladder("viewer-aes") { $0.encryption = .aes128(rotation: 2) }
    let file = try #require(ladder.index.presentations.first { $0.kind == .hlsTS }?.file)
    let path = ladder.path("hls-ts/my list.m3u8")
    if !FileManager.default.fileExists(atPath: path) {
      try FileManager.default.copyItem(atPath: ladder.path(file), toPath: path)
    }
    let watched = WatchedViewer()
    let isShown = try watched.watch(
      [path],
      { options in options.files.streaming = ControllerChoice("fixed:1").map { StreamOptions(controller: $0) } },
      until: { $0.states.last?.hasPrefix("ended") == true || !$0.messages.isEmpty })
    #expect(isShown && watched.messages == [], "\(watched.messages)")
    #expect(watched.watched == [path] && watched.rungs == [ladder.index.rungs.count])
  }
}
