import Foundation
import Frames
import GPU
import Render
import Support
import Testing
import Viewer

extension WindowTests {
  /// A running viewer and its reports.
  private final class Watched {
    var messages: [String] = []
    var recent: [String] = []
    /// New frames on screen, by file.
    var presented: [String: Int] = [:]
    /// Of each refresh.
    var states: [String] = []

    /// Runs until `isEnough`, at most half a minute; returns whether a frame was shown.
    func watch(
      _ files: [String], loops: Bool, check: (@Sendable (String, () -> Bool) throws(Failure) -> Void)? = nil,
      until isEnough: @escaping (Watched) -> Bool
    ) throws -> Bool {
      _ = try WindowTests.display.get()
      let end = MonotonicTime.now.advanced(byMilliseconds: 30_000)
      var options = Viewer.Options()
      options.session.targetSize = PictureSize(width: 320, height: 180)
      options.settings.loops = loops
      options.checkInput = check
      options.onMessage = { [unowned self] in messages.append($0) }
      options.files.remember = { [unowned self] in recent = $0.paths }
      options.watch = { [unowned self] _, path, _ in
        Viewer.Watcher(
          onFrame: { _ in },
          onTick: { [unowned self] in
            presented[path, default: 0] += $0.frame == nil ? 0 : 1
            states.append("\($0.state)")
          },
          onEnd: { _, _ in })
      }
      options.shouldQuit = { [unowned self] in isEnough(self) || MonotonicTime.now > end }
      return try Viewer(files: files, options: options).run()
    }
  }

  /// Half of a clip whose index comes first: its frames are shown, and the restart fails.
  @Test func decoderFailuresAreReportedAtOnce() throws {
    try TestFolders.withTemporary { folder in
      let whole = try Data(
        contentsOf: URL(
          filePath: try SharedClips.ffmpeg(
            "index-first.mp4", ["-i", try SharedClips.many("mp4"), "-c", "copy", "-movflags", "+faststart"])))
      let path = folder + "/half.mp4"
      try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
      let watched = Watched()
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
    try TestFolders.withTemporary { folder in
      let whole = try Data(
        contentsOf: URL(
          filePath: try SharedClips.ffmpeg(
            "index-first-once.mp4", ["-i", try SharedClips.many("mp4"), "-c", "copy", "-movflags", "+faststart"])))
      let path = folder + "/half.mp4"
      try whole.prefix(whole.count / 2).write(to: URL(filePath: path))
      let watched = Watched()
      let isShown = try watched.watch([path], loops: false) { $0.states.last?.hasPrefix("ended") == true }
      #expect(isShown && watched.states.last == "ended early" && !watched.states.contains("ended"))
      let message = watched.messages.first ?? ""
      #expect(
        watched.messages.count == 1 && message.hasPrefix("cannot play '\(path)' to its end: the file ends early after ")
      )
      #expect(message.contains(" of 64 frames: "), "\(watched.messages)")
    }
  }

  /// One clip is too large for the device; the next is shown.
  @Test func clipsWithoutMemoryAreSkipped() throws {
    let (large, small) = (try SharedClips.many("mkv"), try SharedClips.many("mp4"))
    let watched = Watched()
    let isShown = try watched.watch(
      [large, small], loops: true,
      check: { path, _ throws(Failure) in
        guard path == large else { return }
        throw Failure(
          failureKind(ofVulkanResult: -2), "cannot allocate a picture", cause: "out of device memory",
          remedy: "use a smaller clip or view")
      },
      until: { $0.presented[small, default: 0] > 5 })
    #expect(isShown && watched.presented[large] == nil && watched.presented[small, default: 0] > 5)
    #expect(
      watched.messages.count == 1 && watched.messages[0].contains("out of device memory"), "\(watched.messages)")
  }
}
