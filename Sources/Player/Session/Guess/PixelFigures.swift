import Frames

/// What a small picture shows of a sphere, as figures. Pure.
///
/// In an equirectangular picture the left edge continues the right one, and the top and bottom rows each show one point.
public struct PixelFigures: Sendable, Hashable, Codable {
  /// Difference of brightness between the left and the right edge, over that of each edge and places near it: the median of rows
  /// with detail, the most of both eyes. About 0 where the edges continue each other, about 1 and more where they do not. Nil: there
  /// is too little detail at the edges.
  public var seam: Double?
  /// Standard deviation of brightness along the top or bottom row, over that of the rows in the middle; the most of both eyes. Nil:
  /// the middle has no detail.
  public var poles: Double?
  /// Correlation of the two eyes' pictures; nil for one eye, and where they have no detail.
  public var eyes: Double?

  /// - Parameters:
  ///   - picture: of the whole coded picture, made small.
  ///   - stereo: how its eyes are arranged.
  public init(_ picture: SmallPicture, stereo: StereoLayout) {
    let whole = Brightness(picture)
    let eyes = whole.eyes(stereo)
    let seams = eyes.map(\.seam)
    seam = seams.contains { $0 == nil } ? nil : seams.compactMap { $0 }.max()
    let spreads = eyes.map(\.poles)
    poles = spreads.contains { $0 == nil } ? nil : spreads.compactMap { $0 }.max()
    self.eyes = eyes.count == 2 ? correlation(eyes[0].blocks, eyes[1].blocks, leastDeviation: 4) : nil
  }

  public init(seam: Double?, poles: Double?, eyes: Double? = nil) {
    (self.seam, self.poles, self.eyes) = (seam, poles, eyes)
  }
}

/// Brightness of one eye's picture, 0 to 255, row by row.
private struct Brightness {
  var width: Int
  var height: Int
  var samples: [Double]

  init(_ picture: SmallPicture) {
    (width, height) = (picture.size.width, picture.size.height)
    samples = (0..<width * height).map { place in
      let (red, green, blue) = (picture.rgba[place * 4], picture.rgba[place * 4 + 1], picture.rgba[place * 4 + 2])
      return 0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)
    }
  }

  private init(width: Int, height: Int, samples: [Double]) {
    (self.width, self.height, self.samples) = (width, height, samples)
  }

  func eyes(_ stereo: StereoLayout) -> [Brightness] {
    switch stereo {
    case .mono: [self]
    case .topBottom:
      [0, height / 2].map { (top: Int) -> Brightness in
        let own = samples[Range(from: top * width, to: (top + height / 2) * width)]
        return Brightness(width: width, height: height / 2, samples: Array(own))
      }
    case .sideBySide:
      [0, width / 2].map { (left: Int) -> Brightness in
        let own = (0..<height).flatMap { (row: Int) -> ArraySlice<Double> in
          let start = row * width + left
          return samples[Range(from: start, to: start + width / 2)]
        }
        return Brightness(width: width / 2, height: height, samples: own)
      }
    }
  }

  /// The poles' rows, in which all places are alike, are left out.
  private var rows: Range<Int> { Range(from: height / 10, to: height - height / 10) }

  private func sample(_ column: Int, _ row: Int) -> Double { samples[row * width + column] }

  /// How much brightness varies from row to row along a column: none in a plain one, nor in an even gradient.
  private func detail(_ column: Int) -> Double {
    deviation(rows.dropLast().map { sample(column, $0 + 1) - sample(column, $0) })
  }

  /// Columns that stand for the edges: lines drawn along an edge, as frames and meridians are, lie outside of them.
  private var edges: (left: Int, right: Int) { (2, width - 3) }

  var seam: Double? {
    guard width >= 32, height >= 32, min(detail(edges.left), detail(edges.right)) >= 1.5 else { return nil }
    // A plain background has equal edges too: only rows count that change near their edges.
    let detailed = rows.map { (row: $0, near: changeNearEdges(of: $0)) }.filter { $0.near >= 4 }
    guard detailed.count * 8 >= rows.count else { return nil }
    let isPlain = [edges.left, edges.right].contains { column in deviation(detailed.map { sample(column, $0.row) }) < 8
    }
    guard !isPlain else { return nil }
    let pairs = (0..<3).flatMap { left in (0..<3).map { (left, width - 1 - $0) } }
    return pairs.map { left, right in
      median(detailed.map { abs(sample(left, $0.row) - sample(right, $0.row)) / $0.near })
    }.min()
  }

  /// The mean difference between each edge and the places 1/16 and 1/8 of the width away from it.
  private func changeNearEdges(of row: Int) -> Double {
    let (left, right) = (sample(edges.left, row), sample(edges.right, row))
    return [width / 16, width / 8].reduce(0.0) { sum, distance in
      sum + abs(left - sample(edges.left + distance, row)) + abs(right - sample(edges.right - distance, row))
    } / 4
  }

  private func row(_ number: Int) -> [Double] { Array(samples[Range(from: number * width, to: (number + 1) * width)]) }

  var poles: Double? {
    guard width >= 16, height >= 16 else { return nil }
    let usual = median(Range(from: height / 3, to: 2 * height / 3).map { deviation(row($0)) })
    guard usual >= 4 else { return nil }
    return max(deviation(row(0)), deviation(row(height - 1))) / usual
  }

  /// 16 × 8 means: parallax does not move them.
  var blocks: [Double] {
    let (columns, rows) = (16, 8)
    guard width >= columns, height >= rows else { return [] }
    return (0..<rows).flatMap { row in
      (0..<columns).map { column in
        let xs = Range(from: column * width / columns, to: (column + 1) * width / columns)
        let ys = Range(from: row * height / rows, to: (row + 1) * height / rows)
        let sum = ys.reduce(0.0) { sum, y in xs.reduce(sum) { $0 + samples[y * width + $1] } }
        return sum / Double(xs.count * ys.count)
      }
    }
  }
}

/// Not of an empty list.
private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

private func deviation(_ values: [Double]) -> Double {
  guard !values.isEmpty else { return 0 }
  let mean = values.reduce(0, +) / Double(values.count)
  return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
}

/// Nil where one of them deviates less than that from its mean.
private func correlation(_ a: [Double], _ b: [Double], leastDeviation: Double) -> Double? {
  let (spreadA, spreadB) = (deviation(a), deviation(b))
  guard a.count == b.count, spreadA >= leastDeviation, spreadB >= leastDeviation else { return nil }
  let (meanA, meanB) = (a.reduce(0, +) / Double(a.count), b.reduce(0, +) / Double(b.count))
  let product = zip(a, b).reduce(0) { $0 + ($1.0 - meanA) * ($1.1 - meanB) } / Double(a.count)
  return product / (spreadA * spreadB)
}
