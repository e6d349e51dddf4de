/// Which kind of shader makes a view. One row per way; `--shading` names them.
public enum Shading: String, Sendable, Codable, CaseIterable {
  /// Every pixel for itself, through the rasteriser: the reference.
  case fragment
  /// Blocks of 2×2 pixels that share what hardly differs between them: chroma is read once a block.
  case compute

  /// The faster shading for the device, used unless the user chooses one, and why.
  public static func automatic(on device: GPUDeviceInfo) -> (shading: Shading, reason: String) {
    device.isSoftware
      ? (.compute, "the device renders on the CPU, which is quicker with fewer texture reads")
      : (.fragment, "the device is a GPU: the exact shader is the reference")
  }
}
