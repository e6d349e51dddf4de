import Bench360Player
import Frames
import Testing
import Window

@Suite struct PointerHandTests {
  private func at(_ milliseconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(milliseconds * 1e6)) }
  private func place(_ x: Double, _ y: Double = 100) -> PointerPlace { PointerPlace(x: x, y: y) }

  @Test func aButtonThatIsDownDrags() {
    var hand = PointerHand()
    #expect(hand.moved(to: place(10)) == nil, "no button is down")
    #expect(hand.button(true, at: at(0)) == .grab(place(10)))
    #expect(hand.moved(to: place(30)) == .drag(place(30)))
    #expect(hand.place == place(30))
    #expect(hand.button(false, at: at(50)) == .letGo)
    #expect(hand.moved(to: place(40)) == nil)
    #expect(hand.button(false, at: at(60)) == nil, "pressed elsewhere")
  }

  @Test func twoClicksSoonAndNearAreADoubleClick() {
    func second(after milliseconds: Double, _ x: Double) -> PointerHand.Gesture? {
      var hand = PointerHand()
      _ = hand.moved(to: place(100))
      _ = hand.button(true, at: at(0))
      _ = hand.button(false, at: at(50))
      _ = hand.moved(to: place(x))
      return hand.button(true, at: at(milliseconds))
    }
    #expect(second(after: 300, 104) == .doubleClick(place(104)))
    #expect(second(after: 500, 104) == .grab(place(104)), "too late")
    #expect(second(after: 300, 120) == .grab(place(120)), "elsewhere")
  }

  @Test func threeClicksAreADoubleClickAndOneMore() {
    var hand = PointerHand()
    var gestures: [PointerHand.Gesture?] = []
    for click in 0..<3 {
      gestures.append(hand.button(true, at: at(Double(click) * 100)))
      gestures.append(hand.button(false, at: at(Double(click) * 100 + 50)))
    }
    let nowhere = place(0, 0)
    #expect(gestures == [.grab(nowhere), .letGo, .doubleClick(nowhere), nil, .grab(nowhere), .letGo])
  }
}
