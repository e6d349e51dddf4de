import Frames
import Support
import Viewer

extension WindowTests {
  /// A running viewer and its reports.
  final class WatchedViewer {
    var messages: [String] = []
    var recent: [String] = []
    /// New frames on screen, by file.
    var presented: [String: Int] = [:]
    /// Of each refresh.
    var states: [String] = []
    /// Clips that were watched, and how often each was remembered as shown.
    var watched: [String] = []
    /// Of each of them; 0 for what is no stream.
    var rungs: [Int] = []
    var ended = 0
    var remembered = 0
    var onEnd: () -> Void = {}

    /// Runs until `isEnough`, at most four minutes; returns whether a frame was shown.
    func watch(
      _ files: [String], loops: Bool = false, _ change: (inout Viewer.Options) -> Void = { _ in },
      until isEnough: @escaping (WatchedViewer) -> Bool
    ) throws -> Bool {
      _ = try WindowTests.display.get()
      let end = MonotonicTime.now.advanced(byMilliseconds: 240_000)
      var options = Viewer.Options()
      options.session.targetSize = PictureSize(width: 320, height: 180)
      options.settings.repeats = loops ? .one : .off
      // A machine of tests has no device.
      options.sound.output = .null(.init())
      options.onMessage = { [unowned self] in messages.append($0) }
      options.files.remember = { [unowned self] in
        remembered += $0.paths.isEmpty ? 0 : 1
        recent = $0.paths
      }
      options.watch = { [unowned self] session, path, _ in
        watched.append(path)
        rungs.append(session.stream?.rungs.count ?? 0)
        return Viewer.Watcher(
          onFrame: { _ in },
          onTick: { [unowned self] in
            presented[path, default: 0] += $0.frame == nil ? 0 : 1
            states.append("\($0.state)")
          },
          onEnd: { [unowned self] _, _, _ in
            ended += 1
            onEnd()
          })
      }
      options.shouldQuit = { [unowned self] in isEnough(self) || MonotonicTime.now > end }
      change(&options)
      return try Viewer(files: files, options: options).run()
    }
  }
}
