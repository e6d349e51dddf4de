/// How a picture's samples lie in memory: one row per format that shaders read without conversion.
public struct PictureFormat: Hashable, Sendable {
  /// FFmpeg's name of the pixel format.
  public let name: String
  public let planes: [PlaneFormat]
  /// Significant bits of a sample.
  public let bitDepth: Int
  /// Zero bits below the significant ones: 0 where samples sit in the low bits of their bytes, 6 for P010.
  public let sampleShift: Int

  public static let yuv420p = planar(.both, bitDepth: 8)
  public static let nv12 = interleaved("nv12", bitDepth: 8, sampleShift: 0)

  public static let p010 = interleaved("p010le", bitDepth: 10, sampleShift: 6)
  /// The output of hardware decoders for 12 bits, in the high bits; a real 16-bit picture would lose its low four bits.
  public static let p016 = interleaved("p016le", bitDepth: 12, sampleShift: 4)

  /// Formats the shaders read without conversion. FFmpeg's deprecated full-range `yuvj` formats are these with full
  /// range.
  public static let all: [PictureFormat] =
    [8, 10, 12].flatMap { bitDepth in
      [.both, .horizontal, .none].map { planar($0, bitDepth: bitDepth) } + [grey(bitDepth: bitDepth)]
    } + [.nv12, .p010, .p016]

  /// The row with FFmpeg's name; nil for formats that libswscale must convert first.
  public static func named(_ name: String) -> PictureFormat? {
    all.first { $0.name == name }
  }

  /// In which directions there are fewer chroma samples than luma samples, half as many each.
  public enum Subsampling: Hashable, Sendable, CaseIterable { case none, horizontal, both }

  /// Three planes: 4:4:4, 4:2:2 or 4:2:0.
  public static func planar(_ subsampling: Subsampling, bitDepth: Int) -> PictureFormat {
    let digits =
      switch subsampling {
      case .none: "444"
      case .horizontal: "422"
      case .both: "420"
      }
    let chroma = PlaneFormat(components: 1, bitDepth: bitDepth, subsampling)
    return PictureFormat(
      name: "yuv\(digits)p" + depthSuffix(bitDepth),
      planes: [PlaneFormat(components: 1, bitDepth: bitDepth, .none), chroma, chroma], bitDepth: bitDepth,
      sampleShift: 0)
  }

  /// Luma alone.
  public static func grey(bitDepth: Int) -> PictureFormat {
    PictureFormat(
      name: "gray" + depthSuffix(bitDepth), planes: [PlaneFormat(components: 1, bitDepth: bitDepth, .none)],
      bitDepth: bitDepth, sampleShift: 0)
  }

  /// 4:2:0 in two planes.
  private static func interleaved(_ name: String, bitDepth: Int, sampleShift: Int) -> PictureFormat {
    PictureFormat(
      name: name,
      planes: [
        PlaneFormat(components: 1, bitDepth: bitDepth, .none), PlaneFormat(components: 2, bitDepth: bitDepth, .both),
      ], bitDepth: bitDepth, sampleShift: sampleShift)
  }

  private static func depthSuffix(_ bitDepth: Int) -> String { bitDepth > 8 ? "\(bitDepth)le" : "" }

  /// Cb and Cr alternate in one plane.
  public var isChromaInterleaved: Bool { planes.count == 2 }
  /// There is luma only.
  public var isGrey: Bool { planes.count == 1 }
  /// Two bytes a sample.
  public var isDeep: Bool { bitDepth > 8 }
  /// One chroma sample belongs to a block of 2 × 2 luma samples.
  public var isSubsampledBothWays: Bool {
    planes.count > 1 && planes[1].horizontalShift > 0 && planes[1].verticalShift > 0
  }
  /// Greatest value of a sample as a fraction of the greatest that its bytes hold: what a texture reads there.
  public var fullScale: Double {
    let bytes = planes[0].bytesPerComponent
    return Double(((1 << bitDepth) - 1) << sampleShift) / Double((1 << (8 * bytes)) - 1)
  }

  public static func == (a: PictureFormat, b: PictureFormat) -> Bool { a.name == b.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// One plane of a format.
public struct PlaneFormat: Hashable, Sendable {
  /// Samples per texel: 1, or 2 where chroma is interleaved.
  public let components: Int
  public let bytesPerComponent: Int
  public let horizontalShift: Int
  public let verticalShift: Int

  public var bytesPerTexel: Int { components * bytesPerComponent }

  init(components: Int, bitDepth: Int, _ subsampling: PictureFormat.Subsampling) {
    self.components = components
    bytesPerComponent = bitDepth > 8 ? 2 : 1
    horizontalShift = subsampling == .none ? 0 : 1
    verticalShift = subsampling == .both ? 1 : 0
  }

  /// Size of this plane in texels for a picture of `size`; odd sizes round up.
  public func size(of picture: PictureSize) -> PictureSize {
    PictureSize(
      width: (picture.width + (1 << horizontalShift) - 1) >> horizontalShift,
      height: (picture.height + (1 << verticalShift) - 1) >> verticalShift)
  }
}

/// Width and height in pixels.
public struct PictureSize: Hashable, Sendable, Codable, CustomStringConvertible {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var description: String { "\(width)x\(height)" }

  /// Parses `1280x720`; nil unless both are between 1 and 65,536.
  public init?(_ text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
      (1...65536).contains(width), (1...65536).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }
}
