import Frames
import Overlay
import Playback
import Testing
import Viewer

/// The level of a clip without pictures.
@Suite struct LevelMeterTests {
  /// The widths of the bars, as shares of their tracks.
  private static func shares(_ hud: HUD) -> [Double] {
    let canvas = hud.canvas(HUDRoom(PictureSize(width: 1280, height: 720)), measure: ControlStage.measure)
    let boxes = canvas.items.compactMap { item -> Canvas.Box? in
      if case .rectangle(let box, _, _, _) = item { box } else { nil }
    }.filter { $0.height > 10 }
    guard let whole = boxes.map(\.width).max() else { return [] }
    return boxes.filter { $0.width != whole && $0.width > 2 }.map { $0.width / whole }
  }

  /// Half of full scale is −6 dB of 60, a tenth −20; bars fall by 30 dB a second.
  @Test func barsFollowThePeaksAndFallSlowly() throws {
    var hud = HUD()
    let start = MonotonicTime(nanoseconds: 1_000_000_000)
    let later = start.advanced(byMilliseconds: 500)
    var changes = [hud.show(level: .init(left: 0.5, right: 0.1), at: start)]
    var shares = Self.shares(hud)
    try #require(shares.count == 2)
    #expect(abs(shares[0] - 0.9) < 0.001 && abs(shares[1] - 2.0 / 3) < 0.001, "\(shares)")
    changes.append(hud.show(level: .init(left: 0, right: 0.1), at: later))
    shares = Self.shares(hud)
    #expect(abs(shares[0] - 0.65) < 0.001 && abs(shares[1] - 2.0 / 3) < 0.001, "\(shares)")
    // Nothing new to draw.
    changes.append(hud.show(level: .init(left: 0, right: 0.1), at: later))
    changes.append(hud.show(level: nil, at: later))
    #expect(Self.shares(hud).isEmpty)
    changes.append(hud.show(level: nil, at: later))
    #expect(changes == [true, true, false, true, false])
  }
}
