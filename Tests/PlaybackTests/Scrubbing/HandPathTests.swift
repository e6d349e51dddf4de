import Frames
import Playback
import Support
import Testing

@Suite struct HandPathTests {
  private func time(_ milliseconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: Int64(milliseconds * 1e6)) }
  private func at(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds) }

  @Test func lagIsTheTimeToWhereThePictureBelongs() throws {
    var path = HandPath()
    #expect(path.lag(of: at(0)...at(1), at: time(0)) == nil, "there is no way")
    for (milliseconds, place) in [(0.0, 0.0), (100, 1), (200, 1), (300, 3)] {
      path.add(at(place), at: time(milliseconds))
    }
    func lag(_ low: Double, _ high: Double, at now: Double) throws -> Double {
      try #require(path.lag(of: at(low)...at(high), at: time(now)))
    }
    #expect(try abs(lag(0.2, 0.3, at: 80) - 50) < 1e-6, "it was there until 30")
    #expect(try abs(lag(2, 2.5, at: 200) - 50) < 1e-6, "it will be there from 250 on")
    #expect(try lag(0.9, 1.1, at: 150) == 0, "it rests there")
    #expect(try abs(lag(5, 6, at: 100) - 200) < 1e-6, "never: the nearest place is the last")
    #expect(try abs(lag(-2, -1, at: 100) - 100) < 1e-6)
  }

  /// Beside a hand that is looked at in every tenth of a millisecond.
  @Test func itIsTheNearestOfAllMoments() throws {
    var random = SeededGenerator(for: "itIsTheNearestOfAllMoments")
    for _ in 0..<40 {
      var points: [(Double, Double)] = []
      var path = HandPath()
      for index in 0..<12 {
        points.append((Double(index) * 10, Double.random(in: 0...10, using: &random)))
        path.add(at(points[index].1), at: time(points[index].0))
      }
      let low = Double.random(in: points.map(\.1).min()!...points.map(\.1).max()!, using: &random)
      let high = low + Double.random(in: 0...1, using: &random)
      let now = Double.random(in: 0...110, using: &random)
      // Of moments at which it surely is there, and at which it may be.
      var (sure, near) = (Double.infinity, Double.infinity)
      for step in 0...1100 {
        let moment = Double(step) / 10
        let index = min(Int(moment / 10), 10)
        let share = moment / 10 - Double(index)
        let place = points[index].1 + (points[index + 1].1 - points[index].1) * share
        if place >= low, place <= high { sure = min(sure, abs(moment - now)) }
        if place >= low - 0.11, place <= high + 0.11 { near = min(near, abs(moment - now)) }
      }
      let lag = try #require(path.lag(of: at(low)...at(high), at: time(now)))
      #expect(near <= lag + 0.11 && lag <= sure + 1e-6, "\(lag), \(near), \(sure)")
    }
  }
}
