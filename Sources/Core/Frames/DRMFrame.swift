/// A picture as a driver describes it: FFmpeg's `AVDRMFrameDescriptor` as plain values, unchecked.
public struct DRMFrame: Sendable, Hashable {
  public struct Object: Sendable, Hashable {
    public var descriptor: Int32
    public var byteCount: Int
    public var modifier: UInt64

    public init(descriptor: Int32, byteCount: Int, modifier: UInt64) {
      self.descriptor = descriptor
      self.byteCount = byteCount
      self.modifier = modifier
    }
  }

  /// One image, of one plane or more.
  public struct Layer: Sendable, Hashable {
    /// Four letters in little-endian order, one of Linux' `DRM_FORMAT` numbers.
    public var format: UInt32
    /// As the driver says it; `planes` may hold more.
    public var planeCount: Int
    public var planes: [DMABufPlane]

    public init(format: UInt32, planeCount: Int, planes: [DMABufPlane]) {
      self.format = format
      self.planeCount = planeCount
      self.planes = planes
    }
  }

  /// As the driver says it; the lists may hold more.
  public var objectCount: Int
  public var layerCount: Int
  public var objects: [Object]
  public var layers: [Layer]

  public init(objectCount: Int, objects: [Object], layerCount: Int, layers: [Layer]) {
    self.objectCount = objectCount
    self.objects = objects
    self.layerCount = layerCount
    self.layers = layers
  }

  /// Where the planes of a picture lie, checked against the memory that they lie in.
  public struct Layout: Sendable, Hashable {
    public var format: PictureFormat
    public var objects: [Object]
    public var planes: [DMABufPlane]
  }

  /// The layout of a 4:2:0 picture with interleaved chroma, whose planes come as a layer each, or as one layer.
  ///
  /// Throws `.unsupported` for any other format, for planes besides those of the samples (such as compression
  /// metadata), and for offsets or pitches that point outside the memory. The frame stays usable after a failure.
  ///
  /// - Parameters:
  ///   - format: what the samples are.
  ///   - size: of the picture in the memory, in luma samples.
  public func layout(format: PictureFormat, size: PictureSize) throws(Failure) -> Layout {
    guard (1...4).contains(objectCount), objectCount <= objects.count else {
      throw refusal("it names \(objectCount) objects")
    }
    guard (1...4).contains(layerCount), layerCount <= layers.count else {
      throw refusal("it names \(layerCount) layers")
    }
    let objects = Array(objects.prefix(objectCount))
    for object in objects {
      guard object.descriptor >= 0, object.byteCount >= 0 else { throw refusal("an object has no memory") }
      // The modifier for "unknown": no other driver could read the image.
      guard object.modifier != Self.unknownModifier else { throw refusal("it does not say how its texels lie") }
    }
    let planes = try planes(of: format, Array(layers.prefix(layerCount)))
    for (plane, row) in zip(planes, format.planes) {
      try check(plane, row.size(of: size), row.bytesPerTexel, objects)
    }
    return Layout(format: format, objects: objects, planes: planes)
  }

  private static let unknownModifier: UInt64 = 0x00ff_ffff_ffff_ffff

  private func planes(of format: PictureFormat, _ layers: [Layer]) throws(Failure) -> [DMABufPlane] {
    let isDeep = format.isDeep
    if layers.count == 1, Self.composed(format).contains(layers[0].format) {
      guard layers[0].planeCount == 2, layers[0].planes.count >= 2 else {
        throw refusal("its layer has \(layers[0].planeCount) planes, not those of luma and chroma alone")
      }
      return Array(layers[0].planes.prefix(2))
    }
    guard layers.map(\.format) == (isDeep ? [fourCC("R16 "), fourCC("GR32")] : [fourCC("R8  "), fourCC("GR88")]) else {
      let names = layers.map { Self.text($0.format) }.joined(separator: " and ")
      throw refusal("its layers are \(names), which do not hold \(format.name)")
    }
    var planes: [DMABufPlane] = []
    for layer in layers {
      guard layer.planeCount == 1, let plane = layer.planes.first else {
        throw refusal("a layer has \(layer.planeCount) planes: it is compressed, or is not what it says")
      }
      planes.append(plane)
    }
    return planes
  }

  private func check(
    _ plane: DMABufPlane, _ size: PictureSize, _ bytesPerTexel: Int, _ objects: [Object]
  ) throws(Failure) {
    guard objects.indices.contains(plane.object) else { throw refusal("a plane lies in object \(plane.object)") }
    let bytes = objects[plane.object].byteCount
    guard plane.offset >= 0, plane.pitch >= size.width * bytesPerTexel, plane.pitch <= 1 << 20 else {
      throw refusal("a plane has offset \(plane.offset) and pitch \(plane.pitch)")
    }
    // Some drivers do not tell how large an object is.
    let (end, overflow) = plane.offset.addingReportingOverflow(
      plane.pitch * (size.height - 1) + size.width * bytesPerTexel)
    guard !overflow, bytes == 0 || end <= bytes else {
      throw refusal("a plane ends behind its memory of \(bytes) bytes")
    }
  }

  private static func composed(_ format: PictureFormat) -> [UInt32] {
    format.isDeep ? ["P010", "P012", "P016"].map(fourCC) : [fourCC("NV12")]
  }

  private static func text(_ format: UInt32) -> String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: format >> (8 * $0)) }
    return "'" + String(decoding: bytes.map { (32...126).contains($0) ? $0 : 63 }, as: UTF8.self) + "'"
  }

  private func refusal(_ cause: String) -> Failure {
    Failure(.unsupported, "cannot share a decoded picture", cause: "the driver's description cannot be used: \(cause)")
  }
}

/// Four letters as one of Linux' `DRM_FORMAT` numbers.
public func fourCC(_ letters: String) -> UInt32 {
  letters.utf8.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
}
