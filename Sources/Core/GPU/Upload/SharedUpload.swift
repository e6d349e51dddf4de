import Frames

/// Nothing passes through the CPU's memory: a hardware decoder's samples come in images that both devices know.
struct SharedUpload: Upload {
  var memory: UInt32? { nil }

  func obstacle(on device: GPUDevice) -> String? {
    device.sharing == nil ? "the device shares no memory with decoders" : nil
  }

  func makeMemory(_ request: PictureRequest, on device: GPUDevice) throws(Failure) -> PictureMemory? { nil }
}

/// A picture that the GPU reads in place; any decoder may have written it.
protocol GPUPicture {
  var samples: Samples { get }
  var strategy: UploadStrategy { get }
}
