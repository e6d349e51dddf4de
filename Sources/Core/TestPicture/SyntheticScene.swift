import Frames

/// The moving test picture of one specification. Building it takes about a second for 3840×1920; drawing a frame takes
/// milliseconds and depends on nothing but the specification and the frame's number.
///
/// Immutable: any thread may draw, into planes that are its own.
public final class SyntheticScene: Sendable {
  private let specification: SceneSpecification
  private let drawing: any SceneDrawing

  /// Throws `Failure` of kind `.usage` for an invalid specification. `check` is called after each row, and throws to stop.
  public init(_ specification: SceneSpecification, _ check: () throws -> Void = {}) throws {
    try specification.validate()
    self.specification = specification
    drawing =
      specification.bitDepth > 8
      ? try Drawing<UInt16>(specification, check) : try Drawing<UInt8>(specification, check)
  }

  /// Draws frame `number` into Y, Cb and Cr planes of the specification's size, chroma and depth; samples deeper than 8
  /// bits are two bytes in host order.
  public func draw(frame number: Int, into planes: PlaneList) {
    precondition(planes.count == 3, "three planes make a picture")
    let bytesPerSample = specification.bitDepth > 8 ? 2 : 1
    for (index, plane) in planes.enumerated() {
      let shift = index == 0 ? (horizontal: 0, vertical: 0) : specification.chromaShift
      precondition(
        plane.rows >= specification.size.height >> shift.vertical
          && plane.rowBytes >= (specification.size.width >> shift.horizontal) * bytesPerSample
          && plane.bytesPerRow % bytesPerSample == 0,
        "the plane is too small for the picture")
    }
    drawing.draw(frame: number, into: planes)
  }
}

private protocol SceneDrawing: Sendable {
  func draw(frame number: Int, into planes: PlaneList)
}

private struct Drawing<Sample: SceneSample>: SceneDrawing {
  private let specification: SceneSpecification
  private let planes: [ScenePlane<Sample>]
  private let grain: Grain

  init(_ specification: SceneSpecification, _ check: () throws -> Void) throws {
    let colors = SceneColors(seed: specification.seed)
    self.specification = specification
    planes = try [.luma, .blue, .red].map { try ScenePlane(specification, kind: $0, colors: colors, check) }
    grain = Grain(specification)
  }

  func draw(frame number: Int, into targets: PlaneList) {
    let motion = SceneMotion(
      seconds: Double(number) * Double(specification.rate.denominator) / Double(specification.rate.numerator),
      eyeCount: specification.eyeCount)
    let word =
      specification.rung.map { FrameCode.word(for: number % FrameCode.ladderCapacity, rung: $0) }
      ?? FrameCode.word(for: number % FrameCode.capacity)
    for (index, (plane, target)) in zip(planes, targets).enumerated() {
      let first = target.base.assumingMemoryBound(to: Sample.self)
      let stride = target.bytesPerRow / MemoryLayout<Sample>.stride
      for eye in 0..<specification.eyeCount {
        let origin =
          specification.stereo == .sideBySide ? eye * plane.geometry.width : eye * plane.geometry.height * stride
        let base = first + origin
        plane.drawScene(at: motion, eye: eye, to: base, stride: stride)
        if index == 0 { grain.add(frame: number, eye: eye, geometry: plane.geometry, to: base, stride: stride) }
        if specification.flashPeriod.map({ number % $0 == 0 }) ?? false { plane.drawFlash(to: base, stride: stride) }
        plane.drawCode(word: word, to: base, stride: stride)
      }
    }
  }
}
