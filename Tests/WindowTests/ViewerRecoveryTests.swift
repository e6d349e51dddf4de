import Foundation
import Frames
import GPU
import Render
import Support
import Testing
import Viewer

extension WindowTests {
  /// A device or a surface that is lost while a clip is watched.
  private func watch(
    _ path: String, losing losses: PlantedLosses, until isEnough: (_ presented: Int) -> Bool,
    messages: (String) -> Void
  ) throws -> Bool {
    _ = try Self.display.get()
    let end = MonotonicTime.now.advanced(byMilliseconds: 60_000)
    var presented = 0
    return try withoutActuallyEscaping(isEnough) { isEnough in
      try withoutActuallyEscaping(messages) { messages in
        var options = Viewer.Options()
        options.session.validates = true
        options.session.targetSize = PictureSize(width: 320, height: 180)
        options.machine.losses = losses
        options.settings.repeats = .one
        options.onMessage = messages
        options.watch = { _, _, _ in
          Viewer.Watcher(
            onFrame: { _ in }, onTick: { presented += $0.frame == nil ? 0 : 1 }, onEnd: { _, _, _ in })
        }
        options.shouldQuit = { isEnough(presented) || MonotonicTime.now > end }
        return try Viewer(files: [path], options: options).run()
      }
    }
  }

  private static func clip() throws -> String {
    try SharedClips.synthetic("viewer-recovery.mp4") {
      $0.projection = .flat
      ($0.size, $0.frames, $0.gop) = (PictureSize(width: 320, height: 180), 60, 12)
    }
  }

  @Test func lostDevicesAreReopened() throws {
    var messages: [String] = []
    let losses = PlantedLosses()
    losses.loseDevice(afterSubmits: 20)
    var most = 0
    let isShown = try watch(
      Self.clip(), losing: losses,
      until: {
        most = max(most, $0); return $0 > 50
      }
    ) { messages.append($0) }
    #expect(isShown && most > 50)
    #expect(messages.count == 1 && messages.first?.contains("the device was lost") == true, "\(messages)")
  }

  @Test func lostSurfacesAreRecreated() throws {
    var messages: [String] = []
    let losses = PlantedLosses()
    losses.loseSurface(afterPresents: 20)
    let isShown = try watch(Self.clip(), losing: losses, until: { $0 > 50 }) { messages.append($0) }
    #expect(isShown && messages.count == 1, "\(messages)")
  }

  /// Where it is lost again and again there is an end, with a reason.
  @Test func repeatedDeviceLossEndsTheViewer() throws {
    var messages: [String] = []
    let losses = PlantedLosses()
    losses.loseDevice(afterSubmits: 10)
    let failure = #expect(throws: Failure.self) {
      _ = try watch(
        Self.clip(), losing: losses,
        until: { _ in
          false
        }
      ) {
        messages.append($0)
        losses.loseDevice(afterSubmits: 10)
      }
    }
    #expect(failure?.kind == .deviceLost && messages.count == 4, "\(messages)")
  }
}
