import Frames

/// How decoded samples reach the memory that shaders sample. One row per way; `--upload` names them.
public enum UploadStrategy: String, Sendable, Codable, CaseIterable {
  /// The decoder writes into the images themselves: nothing is copied.
  case direct
  /// The CPU copies rows into staging memory, the GPU copies that into optimal images: what everybody else pays.
  case copy
}
