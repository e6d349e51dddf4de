import Frames
import Support
import Testing
import Viewer

extension WindowTests {
  /// The keys of a keyboard, with Shift and without, in any order, one at each refresh: a viewer in use. What they draw is another test's.
  @Test func keysInAnyOrderAreAnswered() throws {
    try TestFolders.withTemporary { folder in
      let (display, clip) = (try WindowTests.display.get(), try SharedClips.many("mp4"))
      var order = SeededGenerator(for: "keysInAnyOrderAreAnswered")
      // X's codes of q to ], a to l and z to full stop; q quits.
      let keys = (Array(25...35) + Array(38...46) + Array(52...60)).flatMap { [($0, 0), ($0, 1)] }
        .shuffled(using: &order)
      let title = clip.split(separator: "/").last.map { "\($0) — bench360" } ?? ""
      let watched = WatchedViewer()
      var (pressed, after) = (0, 0)
      var missed: [String] = []
      let isShown = try watched.watch([clip], loops: true, { $0.settings.screenshotFolder = folder }) { viewer in
        guard viewer.states.count > 3 else { return false }
        guard pressed < keys.count else {
          after += 1
          return after > 60
        }
        let (code, shift) = keys[pressed]
        pressed += 1
        // X's clock; GLFW drops a key that was pressed at the time of another.
        do {
          try display.act("press \(code) \(1000 * pressed) \(shift)", on: title)
        } catch { missed.append("\(code), \(shift): \(error)") }
        return false
      }
      #expect(isShown && pressed == keys.count && after > 60, "\(pressed) of \(keys.count), \(watched.messages)")
      #expect(missed.isEmpty)
      // Of the view and of the whole frame, which tells that keys arrive.
      #expect(
        watched.messages.count == 2 && watched.messages.allSatisfy { $0.hasPrefix("wrote ") }, "\(watched.messages)")
    }
  }
}
