/// How a picture's samples lie in memory: one row per format that shaders read without conversion.
public struct PictureFormat: Hashable, Sendable {
  /// FFmpeg's name of the pixel format.
  public let name: String
  public let planes: [PlaneFormat]
  /// Significant bits of a sample.
  public let bitDepth: Int

  public static let yuv420p = PictureFormat(
    name: "yuv420p", planes: [.luma8, .chroma8(components: 1), .chroma8(components: 1)], bitDepth: 8)
  public static let nv12 = PictureFormat(
    name: "nv12", planes: [.luma8, .chroma8(components: 2)], bitDepth: 8)

  /// Everything the shaders take directly. FFmpeg's deprecated full-range `yuvj420p` is `yuv420p` with full range.
  public static let all: [PictureFormat] = [.yuv420p, .nv12]

  public static func named(_ name: String) -> PictureFormat? {
    all.first { $0.name == name }
  }

  /// Cb and Cr alternate in one plane.
  public var isChromaInterleaved: Bool { planes.count == 2 }

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

  public static let luma8 = PlaneFormat(components: 1, bytesPerComponent: 1, horizontalShift: 0, verticalShift: 0)
  public static func chroma8(components: Int) -> PlaneFormat {
    PlaneFormat(components: components, bytesPerComponent: 1, horizontalShift: 1, verticalShift: 1)
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
