import Frames
import Playback
import Testing

/// Each limit of the look-ahead by itself, at its edge.
struct LoadControlTests {
  private static func time(_ milliseconds: Int64) -> MediaTime { MediaTime(nanoseconds: milliseconds * 1_000_000) }

  private static func load(_ frames: Int, bytes: Int = 0, time: MediaTime = .zero) -> LoadControl.Load {
    LoadControl.Load(frames: frames, bytes: bytes, time: time, lastBytes: frames == 0 ? 0 : bytes / frames)
  }

  @Test func framesAreLimited() {
    let control = LoadControl(frames: 8)
    for frames in 0..<8 { #expect(control.allowsOneMore(over: Self.load(frames))) }
    #expect(!control.allowsOneMore(over: Self.load(8)))
  }

  /// As many bytes as the newest frame has are expected of the next.
  @Test func bytesAreLimited() {
    let control = LoadControl(frames: 100, bytes: 1000)
    #expect(control.allowsOneMore(over: Self.load(3, bytes: 750)))
    #expect(!control.allowsOneMore(over: Self.load(3, bytes: 753)))
  }

  @Test func timeIsLimited() {
    let control = LoadControl(frames: 100, time: Self.time(500))
    #expect(control.allowsOneMore(over: Self.load(5, time: Self.time(499))))
    #expect(!control.allowsOneMore(over: Self.load(5, time: Self.time(500))))
    #expect(LoadControl(frames: 100).allowsOneMore(over: Self.load(5, time: MediaTime(seconds: 3600))))
  }

  /// A player needs two frames to go on, however large and long they are.
  @Test func twoFramesAreAllowedInAnyCase() {
    let control = LoadControl(frames: 1, bytes: 1, time: .zero)
    #expect(control.allowsOneMore(over: Self.load(0)))
    #expect(control.allowsOneMore(over: Self.load(1, bytes: 1000, time: Self.time(1000))))
    #expect(!control.allowsOneMore(over: Self.load(2)))
  }
}
