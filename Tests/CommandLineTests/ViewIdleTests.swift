import Foundation
import Frames
import Glibc
import Support
import Testing

extension ViewCommandTests {
  /// A player that stands still lets the processor rest.
  @Suite(
    .tier(.test),
    .enabled(if: VirtualDisplay.isAvailable, "Xvfb is not installed"),
    .enabled(if: TestDevice.isAvailable, "no Vulkan device"))
  struct ViewIdleTests {
    /// Paused, with a full buffer: the window looks a few times a second whether there is something to show, and no other thread runs.
    @Test func aPausedStreamWakesTheWindowAlone() throws {
      // Longer than the buffer of 25 s.
      var clip = SharedLadders.small()
      (clip.clip.frames, clip.clip.rate, clip.segmentSeconds) = (400, Ratio(10, 1), 4)
      clip.rungs.removeLast()
      let ladder = try SharedLadders.ladder("idle", clip)
      try TestFolders.withTemporary { site in
        let serving = try RunningProgram(["serve", ladder.folder], in: site)
        let url = try CommandTests.ServeTests.url(in: site)
        try TestFolders.withTemporary { folder in
          let stage = try ViewTests.Stage(
            [url + "hls-ts/main.m3u8"], in: folder, ["--audio", "null"])
          stage.shows("main.m3u8")
          let playing = try stage.number { $0 > 0 }
          #expect((playing ?? 0) > 0)
          try stage.press(.space)
          var (before, seen) = (try stage.running.wakeUps(), (window: 0, others: 0))
          let rests = try Patience.until(every: 2000) {
            let now = try stage.running.wakeUps()
            defer { before = now }
            seen = (now.window - before.window, now.others - before.others)
            return now != before && seen.window <= 20 && seen.others == 0
          }
          #expect(rests, "in two seconds: \(seen)")
          try stage.press(.end)
          #expect(try stage.number { $0 > 390 }.map { $0 > 390 } == true, "it hears keys all the same")
          #expect(try stage.close().status == 0)
        }
        serving.interrupt()
        #expect(try serving.wait().status == 0)
      }
    }
  }
}

extension RunningProgram {
  /// How often the system has let its first thread run, and all others together, after they had waited.
  fileprivate func wakeUps() throws -> (window: Int, others: Int) {
    let tasks = "/proc/\(identifier)/task"
    var (window, others) = (0, 0)
    for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
      // A thread may have ended meanwhile.
      guard let status = try? String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8),
        let count = status.firstMatch(of: /\nvoluntary_ctxt_switches:\s+(\d+)/).flatMap({ Int($0.output.1) })
      else { continue }
      if task == "\(identifier)" { window += count } else { others += count }
    }
    return (window, others)
  }
}
