import Foundation
import Run
import Support
import Testing

@Suite struct DensitySearchTests {
  /// Every number is tried until the search ends; which numbers.
  private static func search(
    limit: Int, guess: Int, _ holds: (Int) -> Bool
  ) -> (most: Int, tries: [Int]) {
    var search = DensitySearch(limit: limit)
    var tries: [Int] = []
    while let streams = search.next, tries.count < 1000 {
      tries.append(streams)
      search.note(streams, holds: holds(streams))
      search.guess = guess
    }
    return (search.most, tries)
  }

  @Test func everyNumberIsFoundFromEveryGuess() {
    for capacity in 0...70 {
      for guess in [2, 3, 9, 40, 200] {
        let (most, tries) = Self.search(limit: 64, guess: guess) { $0 <= capacity }
        #expect(most == min(capacity, 64), "capacity \(capacity), guess \(guess): \(tries)")
        #expect(tries.count <= 18 && tries.allSatisfy { (1...64).contains($0) }, "\(capacity), \(guess): \(tries)")
      }
    }
  }

  /// A good guess costs few tries: one stream, the guess, one more, and both again.
  @Test func aGoodGuessIsShort() {
    #expect(Self.search(limit: 256, guess: 12) { $0 <= 12 }.tries == [1, 12, 13, 12, 13])
    #expect(Self.search(limit: 256, guess: 13) { $0 <= 12 }.tries == [1, 13, 7, 10, 11, 12, 12, 13])
  }

  /// The answer held twice, and one more failed twice.
  @Test func theAnswerIsConfirmed() {
    for capacity in 1...40 {
      let (most, tries) = Self.search(limit: 256, guess: 5) { $0 <= capacity }
      #expect(tries.count { $0 == most } == 2 && tries.count { $0 == most + 1 } == 2, "\(tries)")
    }
  }

  /// Close to the limit it is luck whether a try holds: the search ends all the same, and the answer is close.
  @Test func luckNearTheLimitMovesTheAnswerByOne() {
    var random = SeededGenerator(for: "luckNearTheLimitMovesTheAnswerByOne")
    for _ in 0..<2000 {
      let capacity = Int.random(in: 2...60, using: &random)
      let guess = Int.random(in: 2...80, using: &random)
      let (most, tries) = Self.search(limit: 256, guess: guess) { streams in
        abs(streams - capacity) == 0 ? Bool.random(using: &random) : streams < capacity
      }
      #expect(abs(most - capacity) <= 1 && tries.count <= 24, "capacity \(capacity): \(tries)")
    }
  }

  /// Where the second try contradicts the first, a third decides.
  @Test func aThirdTryDecides() {
    var results = [true, true, false, false, true][...]
    let (most, tries) = Self.search(limit: 2, guess: 2) { _ in results.popFirst() ?? false }
    #expect(tries == [1, 2, 2, 2, 1] && most == 1, "\(tries)")
  }
}
