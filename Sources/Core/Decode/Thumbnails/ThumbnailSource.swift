import Frames
import Media

/// Small pictures along a timeline, wherever they come from: a clip's sync samples, or a thumbnail track.
///
/// One thread at a time; reading blocks.
public protocol ThumbnailSource: AnyObject {
  /// Which times share a picture, as far as that is known by now.
  var places: ThumbnailPlaces { get }

  /// The picture for a time; beside the clip's ends the first or the last. Nil where there is none.
  ///
  /// Throws `.cancelled` once reading was stopped; after any other failure the next picture may be asked for.
  func picture(at time: MediaTime) throws(Failure) -> SmallPicture?
}

/// Tells which picture belongs to a time without reading anything.
public enum ThumbnailPlaces: Sendable, Hashable {
  /// The nearest sync sample's; of two, the earlier.
  case syncSamples(SyncSampleIndex)
  /// That of the last start at or before the time, else the first one's. In ascending order.
  case starts([MediaTime])

  /// What all times of one picture have in common; nil while that is unknown.
  public func place(of time: MediaTime) -> MediaTime? {
    switch self {
    case .syncSamples(let index):
      let request = SeekRequest.nearest(to: time)
      return index.knowsSyncSamples(around: request) ? index.nearest(to: request) : nil
    case .starts(let starts):
      var (low, high) = (0, starts.count)
      while low < high {
        let middle = (low + high) / 2
        if starts[middle] <= time { low = middle + 1 } else { high = middle }
      }
      return low > 0 ? starts[low - 1] : starts.first
    }
  }
}

extension SeekRequest {
  /// Any distance is allowed: it lands on the nearest sync sample.
  static func nearest(to time: MediaTime) -> SeekRequest {
    let any = MediaTime(nanoseconds: .max)
    return SeekRequest(target: time, toleranceBefore: any, toleranceAfter: any).fromStart
  }
}

/// What thumbnails are to look like.
public struct ThumbnailOptions: Sendable, Hashable {
  /// Pixels from left to right, as the picture stands; the height follows, up to four times as much.
  public var width: Int
  /// How two eyes share the clip's picture, of which the left one's is shown; nil: as the file says.
  public var stereo: StereoLayout?
  /// Whether the clip's picture is neither stretched by its sample aspect ratio nor turned; nil: where the file says that
  /// it covers a sphere.
  public var isSpherical: Bool?
  /// Width over height of one eye's picture as it is shown; nil: 2:1, or that of its part, where the file says that it is an
  /// equirectangular sphere, else as its samples have it.
  public var aspect: Double?
  /// How a clip or track on the network is fetched.
  public var network = NetworkOptions()

  public init(
    width: Int = 160, stereo: StereoLayout? = nil, isSpherical: Bool? = nil, aspect: Double? = nil,
    network: NetworkOptions = NetworkOptions()
  ) {
    self.aspect = aspect
    self.network = network
    self.width = width
    self.stereo = stereo
    self.isSpherical = isSpherical
  }
}
