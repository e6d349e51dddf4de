import Frames

/// A series of numbers as a line of characters, the lowest one for the smallest number.
enum Sparkline {
  private static let blocks = Array("▁▂▃▄▅▆▇█")
  private static let ascii = Array("_.-~=+*#")

  /// Above `width` numbers each character stands for the median of several. Empty if there is no number.
  static func text(_ values: [Double], width: Int = 60, isASCII: Bool = false) -> String {
    let finite = values.filter(\.isFinite)
    let count = min(finite.count, max(width, 1))
    let cells = (0..<count).compactMap { cell in
      Distribution.median(
        Array(finite[Range(from: cell * finite.count / count, to: (cell + 1) * finite.count / count)]))
    }
    guard let low = cells.min(), let high = cells.max() else { return "" }
    let ramp = isASCII ? ascii : blocks
    return String(
      cells.map { value in
        guard high > low else { return ramp[ramp.count / 2] }
        let place = (value / 2 - low / 2) / (high / 2 - low / 2)
        return ramp[min(ramp.count - 1, max(0, Int(saturating: place * Double(ramp.count))))]
      })
  }
}
