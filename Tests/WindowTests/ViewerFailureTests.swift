import Foundation
import Frames
import GPU
import Render
import Support
import Testing
import Viewer

extension WindowTests {
  /// Half of a clip whose index comes first: its frames are shown, and the restart fails.
  @Test func decoderFailuresAreReportedAtOnce() throws {
    try Self.withHalfAClip { path in
      let watched = WatchedViewer()
      var toldInTime = false
      let isShown = try watched.watch([path], loops: true) {
        toldInTime = !$0.messages.isEmpty
        return toldInTime
      }
      #expect(isShown && toldInTime, "it was told while the window was open")
      #expect(watched.messages.count == 1 && watched.messages[0].hasPrefix("cannot loop"), "\(watched.messages)")
      #expect(watched.recent.count == 1 && watched.recent.first?.hasSuffix("/half.mp4") == true, "\(watched.recent)")
    }
  }

  /// The same half, played once: its end is not the clip's, and places before it can still be sought.
  @Test func anEarlyEndIsSaid() throws {
    try Self.withHalfAClip { path in
      let watched = WatchedViewer()
      let isShown = try watched.watch([path], loops: false) { $0.states.last?.hasPrefix("ended") == true }
      #expect(isShown && watched.states.last == "ended early" && !watched.states.contains("ended"))
      let message = watched.messages.first ?? ""
      #expect(
        watched.messages.count == 1 && message.hasPrefix("cannot play '\(path)' to its end: the file ends early after ")
      )
      #expect(message.contains(" of 64 frames: "), "\(watched.messages)")
    }
  }

  /// The index is whole, half of the pictures are missing.
  private static func withHalfAClip(_ body: (_ path: String) throws -> Void) throws {
    try TestFolders.withTemporary { folder in
      let whole = try Data(
        contentsOf: URL(
          filePath: try SharedClips.ffmpeg(
            "index-first.mp4", ["-i", try SharedClips.many("mp4"), "-c", "copy", "-movflags", "+faststart"])))
      let path = folder + "/half.mp4"
      try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
      try body(path)
    }
  }

  /// The next file cannot be opened: the clip's last picture stays, and the clip is watched once.
  @Test func theLastPictureStaysWhereTheNextFileIsBroken() throws {
    let (clip, broken) = (try SharedClips.many("mp4"), "broken")
    let watched = WatchedViewer()
    var toldAt: Int?
    let isShown = try watched.watch(
      [clip, broken], { $0.checkInput = Self.refusing(broken) },
      until: { watched in
        if !watched.messages.isEmpty { toldAt = toldAt ?? watched.states.count }
        return toldAt.map { watched.states.count > $0 + 30 } ?? false
      })
    #expect(isShown && watched.messages == ["cannot open 'broken': it is no video"])
    #expect(watched.watched == [clip] && watched.ended == 1, "one record")
    #expect(toldAt != nil && watched.states.suffix(30).allSatisfy { $0 == "ended" }, "\(watched.states.suffix(30))")
  }

  /// The same of a file whose opening takes so long that the clip is closed by then: it is shown again, and not watched again.
  @Test func theClipComesBackWhereTheNextFileFailsLate() throws {
    let (clip, broken) = (try SharedClips.many("mp4"), "broken")
    let watched = WatchedViewer()
    let isClosed = DispatchSemaphore(value: 0)
    watched.onEnd = { isClosed.signal() }
    let isShown = try watched.watch(
      [clip, broken],
      {
        $0.checkInput = { path, network, shouldStop throws(Failure) in
          guard path == broken else { return }
          while isClosed.wait(timeout: .now() + 0.01) != .success, !shouldStop() {}
          try Self.refusing(broken)(path, network, shouldStop)
        }
      },
      until: { $0.remembered == 3 })
    // Shown, the other one taken out, shown again.
    #expect(isShown && watched.remembered == 3 && watched.recent.count == 1, "\(watched.recent)")
    #expect(watched.messages == ["cannot open 'broken': it is no video"])
    #expect(watched.watched == [clip] && watched.ended == 1, "one record")
  }

  private static func refusing(_ file: String) -> Viewer.CheckInput {
    { path, _, _ throws(Failure) in
      if path == file { throw Failure(.media, "cannot open '\(file)'", cause: "it is no video") }
    }
  }

  /// One clip is too large for the device; the next is shown.
  @Test func clipsWithoutMemoryAreSkipped() throws {
    let (large, small) = (try SharedClips.many("mkv"), try SharedClips.many("mp4"))
    let watched = WatchedViewer()
    let isShown = try watched.watch(
      [large, small], loops: true,
      {
        $0.checkInput = { path, _, _ throws(Failure) in
          guard path == large else { return }
          throw Failure(
            failureKind(ofVulkanResult: -2), "cannot allocate a picture", cause: "out of device memory",
            remedy: "use a smaller clip or view")
        }
      },
      until: { $0.presented[small, default: 0] > 5 })
    #expect(isShown && watched.presented[large] == nil && watched.presented[small, default: 0] > 5)
    #expect(
      watched.messages.count == 1 && watched.messages[0].contains("out of device memory"), "\(watched.messages)")
  }
}
