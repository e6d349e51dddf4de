internal import CFFmpeg
import Frames
import Media

/// The pictures that a decoder has given out, each used again once its last holder let go: in the steady state a frame
/// allocates nothing. One thread at a time; the pictures themselves may go anywhere.
///
/// A picture without a holder gives its samples back to the decoder when the next one is taken, or at `sweep`.
final class DecodedPictures {
  private struct Entry {
    var picture: HostPicture
    let reference: FrameReference
  }
  private var entries: [Entry] = []

  /// Takes over the references that `frame` holds and leaves it empty; nil when memory is short.
  func take(
    _ frame: UnsafeMutablePointer<AVFrame>, planes: PlaneList, allocation: PictureAllocation?
  ) -> HostPicture? {
    if let free = sweep() {
      entries[free].reference.move(frame)
      entries[free].picture.refill(planes: planes, allocation: allocation)
      return entries[free].picture
    }
    guard let reference = FrameReference() else { return nil }
    reference.move(frame)
    let picture = HostPicture(planes: planes, owner: reference, allocation: allocation)
    entries.append(Entry(picture: picture, reference: reference))
    return picture
  }

  /// Releases the samples of all pictures without a holder; returns the index of one of them.
  @discardableResult
  func sweep() -> Int? {
    var free: Int?
    for index in entries.indices where isKnownUniquelyReferenced(&entries[index].picture) {
      entries[index].picture.refill(planes: PlaneList(), allocation: nil)
      entries[index].reference.drop()
      free = index
    }
    return free
  }
}

/// Keeps a decoder's samples alive.
private final class FrameReference {
  private var frame: UnsafeMutablePointer<AVFrame>?

  init?() {
    guard let made = av_frame_alloc() else { return nil }
    frame = made
  }

  deinit {
    av_frame_free(&frame)
  }

  func move(_ other: UnsafeMutablePointer<AVFrame>) {
    av_frame_move_ref(frame, other)
  }

  func drop() {
    av_frame_unref(frame)
  }
}
