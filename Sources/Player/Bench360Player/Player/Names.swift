import Decode
import Frames
import GPU
import Media
import Overlay
import Render
import Sound

// What a program that embeds a player needs of the modules below, so that it imports this one alone.

/// What went wrong: the attempt, the cause, and what to do.
public typealias Failure = Frames.Failure
/// A time or a duration, in nanoseconds.
public typealias MediaTime = Frames.MediaTime
/// Width and height in pixels.
public typealias PictureSize = Frames.PictureSize
/// A language of tracks, such as `en` or `zh-Hant`.
public typealias Language = Media.Language
/// Where a view of a sphere looks: pan, tilt, roll and field of view in degrees.
public typealias SphereView = Render.Camera
/// How a picture lies on a plane or a sphere.
public typealias Projection = Render.Projection
/// How a picture holds those of both eyes.
public typealias StereoLayout = Frames.StereoLayout
/// A list of items drawn over the picture.
public typealias Canvas = Overlay.Canvas
/// Size and weight of text on a canvas.
public typealias TextStyle = Overlay.TextStyle
/// A Vulkan surface of the caller's own window.
public typealias SurfaceSource = GPU.SurfaceSource
/// Where sound is heard.
public typealias SoundOutput = Sound.AudioOutputChoice
/// Keys of ClearKey by their identifiers, and where a licence server is.
public typealias ContentKeys = Media.ContentKeys
/// Which track of sound, and which subtitles are wanted.
public typealias AudioWish = Decode.AudioWish
public typealias SubtitleWish = Decode.SubtitleWish

extension MediaTime {
  /// Any distance: of a seek that may land wherever it is fastest.
  public static var unlimited: MediaTime { MediaTime(nanoseconds: .max) }
}
