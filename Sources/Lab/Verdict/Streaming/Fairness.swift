/// How evenly players share what they compete for.
public enum Fairness {
  /// Jain's index of fairness, (Σx)² ÷ (n · Σx²): 1 where all have the same, 1/n where one has all. It does not depend on the unit.
  ///
  /// R. Jain, D.-M. Chiu and W. Hawe, "A Quantitative Measure of Fairness and Discrimination for Resource Allocation in Shared Computer
  /// Systems", DEC-TR-301, 1984.
  ///
  /// - Parameter shares: what each has, not negative.
  /// - Returns: nil where there is none, where all have nothing, and for a share that is negative or not finite.
  public static func jain(_ shares: [Double]) -> Double? {
    guard let largest = shares.max(), largest > 0, shares.allSatisfy({ $0 >= 0 && $0.isFinite }) else { return nil }
    // Of the largest share, so that no square overflows or vanishes.
    let parts = shares.map { $0 / largest }
    let sum = parts.reduce(0, +)
    return min(1, sum * sum / (Double(parts.count) * parts.reduce(0) { $0 + $1 * $1 }))
  }
}
