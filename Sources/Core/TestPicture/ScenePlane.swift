import Frames

/// One plane of one eye's picture: what rests, and what is drawn over it in each frame.
struct ScenePlane<Sample: SceneSample>: Sendable {
  let geometry: SceneGeometry
  private let resting: [Sample]
  private let sprites: [Sprite<Sample>]
  private let marks: CodeMarks
  private let codeValues: (dark: Sample, bright: Sample)
  private let converter: SampleConverter
  private let kind: Kind
  /// From top to bottom of the picture.
  private let flash: ClosedRange<Double>

  enum Kind { case luma, blue, red }

  /// `check` is called after each row, and throws to stop.
  init(
    _ specification: SceneSpecification, kind: Kind, colors: SceneColors, _ check: () throws -> Void
  ) throws {
    let shift = kind == .luma ? (0, 0) : specification.chromaShift
    let converter = SampleConverter(
      matrix: specification.matrix, range: specification.range, bitDepth: specification.bitDepth)
    let geometry = SceneGeometry(eye: specification.eyeSize, shift: shift, projection: specification.projection)
    let sample: (Color) -> Sample = { color in
      switch kind {
      case .luma: Sample(truncatingIfNeeded: converter.luma(color))
      case .blue: Sample(truncatingIfNeeded: converter.chroma(color).blue)
      case .red: Sample(truncatingIfNeeded: converter.chroma(color).red)
      }
    }
    let skyline = (0..<geometry.width).map { colors.skyline(geometry.horizonDirection(column: $0)) }
    resting = try [Sample](unsafeUninitializedCapacity: geometry.width * geometry.height) { buffer, count in
      for row in 0..<geometry.height {
        for column in 0..<geometry.width {
          let direction = geometry.direction(column: column, row: row)
          buffer[count] = sample(colors.color(direction, skyline: skyline[column]))
          count += 1
        }
        try check()
      }
    }
    sprites = SceneObject.all.map { Sprite($0, geometry: geometry, sample: sample) }
    marks = CodeMarks(specification.projection, width: geometry.width, height: geometry.height, isLuma: kind == .luma)
    let neutral = Sample(truncatingIfNeeded: converter.neutral)
    codeValues =
      kind == .luma
      ? (
        Sample(truncatingIfNeeded: converter.deepened(FrameCode.dark)),
        Sample(truncatingIfNeeded: converter.deepened(FrameCode.bright))
      )
      : (neutral, neutral)
    self.geometry = geometry
    self.converter = converter
    self.kind = kind
    flash = SceneFlash.band(specification.projection)
  }

  /// Draws everything but noise and code.
  func drawScene(at motion: SceneMotion, eye: Int, to base: UnsafeMutablePointer<Sample>, stride: Int) {
    let width = geometry.width
    let sky = motion.columns(degreesPerSecond: SceneMotion.skySpeed, width: width)
    let ground = motion.columns(degreesPerSecond: SceneMotion.groundSpeed, width: width)
    resting.withUnsafeBufferPointer { source in
      guard let first = source.baseAddress else { return }
      for row in 0..<geometry.height {
        let shift = geometry.isAboveHorizon(row: row) ? sky : ground
        let from = first + row * width
        let to = base + row * stride
        (to + shift).update(from: from, count: width - shift)
        to.update(from: from + width - shift, count: shift)
      }
    }
    if kind == .luma { drawMeridians(to: base, stride: stride) }
    for (object, sprite) in zip(SceneObject.all, sprites) {
      let turn = (object.longitude + (Double(eye) - 0.5) * -object.disparity * Double(motion.eyeCount - 1)) / 360
      let shift = Int((turn * Double(width)).rounded())
      sprite.draw(
        to: base, stride: stride, width: width,
        shift: shift + motion.columns(degreesPerSecond: object.speed, width: width))
    }
  }

  func drawCode(word: UInt32, to base: UnsafeMutablePointer<Sample>, stride: Int) {
    for mark in marks.rectangles {
      let value = word >> UInt32(mark.bit) & 1 == 1 ? codeValues.bright : codeValues.dark
      for row in mark.rows {
        (base + row * stride + mark.columns.lowerBound).update(repeating: value, count: mark.columns.count)
      }
    }
  }

  /// A bright band on every side; rows that lie in it as a whole.
  func drawFlash(to base: UnsafeMutablePointer<Sample>, stride: Int) {
    let height = Double(geometry.height)
    let (first, end) = (Int((flash.lowerBound * height).rounded(.up)), Int((flash.upperBound * height).rounded(.down)))
    for row in Range(from: first, to: max(first, end)) {
      (base + row * stride).update(repeating: codeValues.bright, count: geometry.width)
    }
  }

  /// Lines every 30° that stay while the scene turns; those ahead, behind and to the sides are darker.
  private func drawMeridians(to base: UnsafeMutablePointer<Sample>, stride: Int) {
    let thickness = max(1, geometry.width / 1600)
    let values = (0..<12).map { index in
      Sample(truncatingIfNeeded: converter.luma(Color(repeating: index % 3 == 0 ? 0.12 : 0.92)))
    }
    for row in 0..<geometry.height where !geometry.isNearPole(row: row) {
      for index in 0..<12 {
        let column = (index * geometry.width / 12 + geometry.width / 2) % geometry.width
        let start = min(max(0, column - thickness / 2), geometry.width - thickness)
        (base + row * stride + start).update(repeating: values[index], count: thickness)
      }
    }
  }
}

/// Where the cells of the frame code lie in a plane, in samples.
struct CodeMarks: Sendable {
  struct Rectangle {
    var bit: Int
    var columns: Range<Int>
    var rows: Range<Int>
  }

  private(set) var rectangles: [Rectangle] = []

  /// Luma cells go to the nearest sample; chroma is cleared wherever a cell touches it, so that no colour bleeds in.
  init(_ layout: FrameCode.Layout, width: Int, height: Int, isLuma: Bool) {
    for cell in FrameCode.cells(for: layout) {
      let left = (cell.u - cell.width / 2) * Double(width)
      let right = (cell.u + cell.width / 2) * Double(width)
      let top = (cell.v - cell.height / 2) * Double(height)
      let bottom = (cell.v + cell.height / 2) * Double(height)
      let firstColumn = Int(left.rounded(isLuma ? .toNearestOrAwayFromZero : .down))
      let endColumn = Int(right.rounded(isLuma ? .toNearestOrAwayFromZero : .up))
      let firstRow = max(0, Int(top.rounded(isLuma ? .toNearestOrAwayFromZero : .down)))
      let endRow = min(height, Int(bottom.rounded(isLuma ? .toNearestOrAwayFromZero : .up)))
      guard firstColumn < endColumn, firstRow < endRow else { continue }
      add(
        cell.bit, columns: Range(from: firstColumn, to: endColumn), rows: Range(from: firstRow, to: endRow),
        width: width)
    }
  }

  /// Splits what crosses the picture's left or right edge.
  private mutating func add(_ bit: Int, columns: Range<Int>, rows: Range<Int>, width: Int) {
    for turn in [-width, 0, width] {
      let part = Range(from: columns.lowerBound + turn, to: columns.upperBound + turn).clamped(to: 0..<width)
      if !part.isEmpty { rectangles.append(Rectangle(bit: bit, columns: part, rows: rows)) }
    }
  }
}

/// How far the scene has turned: a function of the frame number, in whole samples.
struct SceneMotion {
  static let skySpeed = 5.0
  static let groundSpeed = -4.0

  /// Nominal seconds since the first frame.
  let seconds: Double
  let eyeCount: Int

  /// Columns to the right, in 0 ..< width.
  func columns(degreesPerSecond: Double, width: Int) -> Int {
    let turns = seconds * degreesPerSecond / 360
    return modulo(Int(((turns - turns.rounded(.down)) * Double(width)).rounded()), width)
  }
}
