/// p-values adjusted for being asked together, in the given order: rejecting those below α keeps the chance of any false
/// rejection below α, however the questions depend on each other.
///
/// The i-th smallest of m is multiplied by m + 1 − i, is at least the one before it, and at most 1 (Holm, "A simple
/// sequentially rejective multiple test procedure", 1979).
public func holm(_ ps: [Double]) -> [Double] {
  var adjusted = ps
  var largest = 0.0
  for (i, index) in ps.indices.sorted(by: { ps[$0] < ps[$1] }).enumerated() {
    largest = max(largest, min(1, ps[index] * Double(ps.count - i)))
    adjusted[index] = largest
  }
  return adjusted
}
