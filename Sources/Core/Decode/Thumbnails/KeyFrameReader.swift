internal import CFFmpeg
import Frames
import Media

/// Thumbnails of a clip's sync samples, with a position in its bytes and a decoder of its own, so that playing is not disturbed.
///
/// Each takes one packet and one thread to decode: smaller where the codec can do that, and without loop filters. Deep,
/// HDR and R'G'B' samples are brought to 8 bits by libswscale, which does not map tones. One thread at a time;
/// `interruption` may be used from any.
public final class KeyFrameReader: ThumbnailSource {
  public let info: MediaInfo
  /// Frames that came out of the decoder so far.
  public var framesDecoded: Int { reader.framesDecoded }
  /// Of the last frame, as it came out of the decoder: less than the clip's where the codec decodes small pictures.
  public private(set) var decodedSize: PictureSize?
  /// Of the last frame.
  private var lastDuration = MediaTime.zero
  /// Why the clip has no picture at all: found out once, since all of it is decoded for that.
  private var emptiness: Failure?
  private let reader: FrameReader
  private let shaper: ThumbnailShaper

  /// - Parameters:
  ///   - clip: that is open, whether it is played meanwhile or not.
  ///   - options: whose `network` is the clip's.
  public init(
    of clip: ProbedClip, options: ThumbnailOptions = ThumbnailOptions(), interruption: Interruption = Interruption()
  ) throws(Failure) {
    reader = try FrameReader(
      of: clip, options: DecoderOptions(threads: 1, cacheBytes: 0), interruption: interruption,
      leastSize: { ThumbnailShape($0, picture: $0.size, options: options).leastPicture })
    info = clip.info
    shaper = ThumbnailShaper(options)
    reader.loadIndex()
  }

  /// Where there are pictures, as far as that is known by now.
  public var places: ThumbnailPlaces { .syncSamples(reader.index) }

  /// The sync sample nearest to `time`, made small; nil where the clip has none to decode. Blocks while it is decoded.
  public func picture(at time: MediaTime) throws(Failure) -> SmallPicture? {
    if let emptiness { throw emptiness }
    guard let frame = try frame(at: time) else { return nil }
    decodedSize = frame.size
    lastDuration = frame.duration
    return try shaper.picture(of: frame, info)
  }

  /// Where the clip ends; where nothing in the file says so, the end of the last frame that can be found.
  public func end() throws(Failure) -> MediaTime {
    if let duration = reader.duration { return duration }
    guard let last = try picture(at: MediaTime(nanoseconds: .max)) else { return .zero }
    return last.time + lastDuration
  }

  private func frame(at time: MediaTime) throws(Failure) -> VideoFrame? {
    // Any frame at hand would lie in the window, and so would any that decoding on from it gives.
    reader.forgetFrames()
    do throws(Failure) {
      return try reader.seek(.nearest(to: time))
    } catch {
      if reader.isWithoutPictures { emptiness = error }
      throw error
    }
  }
}
