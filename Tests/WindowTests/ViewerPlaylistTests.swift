import Bench360Player
import Foundation
import Frames
import Playlists
import Support
import Testing
import Viewer

extension WindowTests {
  /// Two clips of 3 s whose pictures take long to decode.
  private static func clips() throws -> [String] {
    let first = try SharedClips.synthetic("list-a.mp4") {
      ($0.projection, $0.size, $0.frames) = (.flat, PictureSize(width: 1920, height: 960), 90)
    }
    let second = try SharedClips.file("list-b.mp4") { try FileManager.default.copyItem(atPath: first, toPath: $0) }
    return [first, second]
  }

  /// The queue's clips follow each other in their order, again and again; each begins with pictures decoded before its turn, and the
  /// gap is told.
  @Test func aPlaylistPlaysWithoutGaps() throws {
    let paths = try Self.clips()
    let watched = WatchedViewer()
    var gaps: [ClipGap] = []
    var ready: [Int] = []
    let isShown = try watched.watch(paths) { options in
      options.settings.repeats = .all
      options.files.playlist.onGap = { gaps.append($0) }
      let watch = options.watch
      options.watch = { session, path, pace in
        var watcher = watch?(session, path, pace)
        let onTick = watcher?.onTick
        var isFirst = true
        watcher?.onTick = { tick in
          if isFirst { ready.append(tick.framesReceived) }
          isFirst = false
          onTick?(tick)
        }
        return watcher ?? Viewer.Watcher(onFrame: { _ in }, onTick: { _ in }, onEnd: { _, _, _ in })
      }
    } until: { _ in
      gaps.count == 2
    }
    #expect(isShown && watched.watched == paths + [paths[0]], "\(watched.watched)")
    #expect(gaps.allSatisfy { $0.milliseconds > -100 && $0.milliseconds < 10_000 }, "\(gaps)")
    // As many as the viewer decodes ahead: what is decoded while a clip is made ready for the window is far less.
    #expect(ready.count == 3 && ready.dropFirst().allSatisfy { $0 >= 8 }, "decoded before their turn: \(ready)")
    #expect(watched.messages.isEmpty, "\(watched.messages)")
  }

  /// The sound of a clip is opened while the one before it plays, and that may fail: it is told once, and both are played.
  @Test func aPreparedClipWhoseSoundCannotBeHeardIsPlayed() throws {
    let silent = try SharedClips.many("mp4")
    let loud = try SharedClips.synthetic("list-loud.mp4") {
      ($0.size, $0.projection, $0.hasAudio) = (PictureSize(width: 160, height: 90), .flat, true)
    }
    let watched = WatchedViewer()
    let isShown = try watched.watch([silent, loud]) { options in
      options.sound.output = .device(name: "no device has this name")
    } until: {
      $0.presented[loud, default: 0] > 3
    }
    #expect(isShown && watched.watched == [silent, loud], "\(watched.watched)")
    #expect(
      watched.messages.count == 1 && watched.messages[0].contains("no device has this name"), "\(watched.messages)")
  }

  /// A clip that lies in two places is played from the second one, in the geometry that the playlist says.
  @Test func whatAPlaylistSaysIsTaken() throws {
    let path = try SharedClips.many("mp4")
    var item = PlaylistItem("/missing/a.mp4", title: "A tour")
    item.alternatives = [path]
    item.projection = .equirectangular
    item.start = MediaTime(seconds: 1)
    var (projections, places): ([String], [Double]) = ([], [])
    var options = Viewer.Options()
    options.session.targetSize = PictureSize(width: 320, height: 180)
    options.sound.output = .off
    let end = MonotonicTime.now.advanced(byMilliseconds: 60_000)
    options.watch = { session, _, _ in
      projections.append(session.renderer.geometry.projection.rawValue)
      return Viewer.Watcher(
        onFrame: { _ in }, onTick: { if let frame = $0.frame { places.append(frame.presentationTime.seconds) } },
        onEnd: { _, _, _ in })
    }
    var messages: [String] = []
    options.onMessage = { messages.append($0) }
    options.shouldQuit = { places.contains { $0 > 1.5 } || MonotonicTime.now > end }
    _ = try WindowTests.display.get()
    #expect(try Viewer(items: [item], options: options).run())
    #expect(projections == ["equirectangular"] && messages.count == 1, "\(messages)")
    #expect(places.contains { $0 > 1.5 } && !places.contains { $0 > 0.25 && $0 < 0.95 }, "\(places)")
  }
}
