import Frames
import Media

/// The seek that is under way, and who waits for its end. Pure.
struct PlayerSeeks {
  /// Where the clip was left, or is to begin.
  private(set) var left: MediaTime?
  private var seek: Int?
  /// A picture that is waited for: of the place that was sought, or of the view after it.
  private var image: Image?

  struct Image {
    let id: Int
    let request: SeekRequest
  }

  mutating func begin(at place: MediaTime) { (left, seek, image) = (place, nil, nil) }
  mutating func leave(at place: MediaTime) { left = place }

  /// Another seek begins. Returns what it supersedes.
  ///
  /// - Parameter image: of a picture that is wanted.
  mutating func begin(_ id: Int, image request: SeekRequest?) -> [Int] {
    defer { (seek, image) = (request == nil ? id : nil, request.map { Image(id: id, request: $0) }) }
    return [seek, image?.id].compactMap { $0 }
  }

  var isWaiting: Bool { seek != nil || image != nil }

  /// The seek is over. Returns the number of the one that was waited for.
  mutating func takeSeek() -> Int? {
    defer { seek = nil }
    return seek
  }

  /// Of the picture that is wanted; nil: none is.
  var wantedImage: SeekRequest? { image?.request }

  mutating func takeImage() -> Int? {
    defer { image = nil }
    return image?.id
  }
}
