internal import CVulkan
import Frames

/// A picture that a decoder made on this device: views of its images, one for each plane. Read only; the images stay the
/// decoder's.
final class AdoptedPicture: PictureAllocation, GPUPicture, Sendable {
  let request: PictureRequest
  let planes = PlaneList()
  let textures: PictureTextures

  var samples: Samples { .textures(textures) }
  let strategy = UploadStrategy.shared

  init(_ picture: LentPicture, device: GPUDevice) throws(Failure) {
    let formats = picture.format.planes
    guard picture.images.count == formats.count || picture.images.count == 1 else {
      throw Failure(
        .unsupported, "cannot share a decoded picture",
        cause: "it has \(picture.images.count) images for \(formats.count) planes")
    }
    let isWhole = picture.images.count < formats.count
    var views: [GPUImage] = []
    for (index, format) in formats.enumerated() {
      views.append(
        try GPUImage(
          device: device, viewing: picture.images[isWhole ? 0 : index], plane: isWhole ? index : nil,
          size: format.size(of: picture.size), format: textureFormat(format)))
    }
    textures = PictureTextures(
      format: picture.format, size: picture.size, images: views, handover: LentHandover(picture))
    request = PictureRequest(format: picture.format, size: picture.size, codedSize: picture.size, alignment: 1)
  }

  /// The decoder's images go back by themselves, with its frame.
  func release() {}
}

/// Images that a decoder on this device reads and writes as well: each submission waits for the one before.
private final class LentHandover: Handover, Sendable {
  nonisolated(unsafe) private let images: [VkImage]
  private let state: any LentPictureState

  init(_ picture: LentPicture) {
    images = picture.images
    state = picture.state
  }

  func begin() -> Passage {
    var passage = Passage()
    for (image, now) in zip(images, state.begin()) {
      let layout = VkImageLayout(rawValue: now.layout)
      passage.images.append(PassingImage(image: image, layouts: (layout, layout), family: now.family))
      passage.waits.append(TimelineValue(timeline: now.timeline, value: now.value))
      passage.signals.append(TimelineValue(timeline: now.timeline, value: now.value + 1))
    }
    return passage
  }

  func end(isSubmitted: Bool) { state.end(isSubmitted: isSubmitted) }
}
