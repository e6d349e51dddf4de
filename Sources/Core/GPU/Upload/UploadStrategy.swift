import Frames

/// How decoded samples reach the memory that shaders sample. One row per way; `--upload` names them.
public enum UploadStrategy: String, Sendable, Codable, CaseIterable {
  /// A hardware decoder's samples are sampled from memory that it shares: the CPU sees none of them. With `cuda` the GPU
  /// copies them once, within its own memory.
  case shared
  /// The decoder writes into the images that are sampled: nothing is copied.
  case direct
  /// The decoder writes into memory that the GPU copies to optimal images.
  case staged
  /// The decoder writes into its own memory; the CPU copies rows into memory as of `staged`.
  case copy

  /// The strategies that upload samples from the CPU's memory.
  public static let ofHostMemory = allCases.filter { $0 != .shared }

  /// Why `device` cannot; nil when it can.
  public func obstacle(on device: GPUDevice) -> String? { upload.obstacle(on: device) }

  var upload: any Upload {
    switch self {
    case .shared: SharedUpload()
    case .direct: DirectUpload()
    case .staged: StagedUpload()
    case .copy: CopyUpload()
    }
  }
}

/// One way of uploading: where decoders write, and what the GPU then finds there.
protocol Upload: Sendable {
  /// Property flags of the memory that its pictures lie in; nil: decoders use their own.
  var memory: UInt32? { get }
  func obstacle(on device: GPUDevice) -> String?
  /// Memory of one picture for a decoder to write into; nil: decoders use their own.
  func makeMemory(_ request: PictureRequest, on device: GPUDevice) throws(Failure) -> PictureMemory?
}
