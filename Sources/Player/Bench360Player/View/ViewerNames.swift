import Ads
import Analytics
import Decode
import Frames
import GPU
import HTTP
import Media
import Playback
import Render
import Session
import Sound
import Streaming

// What the viewer needs of the modules below, so that it is a user of this one alone: values, what is told to it, and readers of small
// pictures. No frame is decoded, paced or drawn by these.

// Clips and their facts.
package typealias AudioTrack = Media.AudioTrack
package typealias Chapter = Media.Chapter
package typealias GeometryGuess = Session.GeometryGuess
package typealias Interruption = Frames.Interruption
package typealias NetworkOptions = Media.NetworkOptions
package typealias PictureGeometry = Render.PictureGeometry
package typealias RenderSession = Session.RenderSession
package typealias OpenedClip = Session.OpenedClip
package typealias SubtitleTrack = Media.SubtitleTrack

// Small pictures of clips that are not played.
package typealias BackgroundWork = Playback.BackgroundWork
package typealias KeyFrameReader = Decode.KeyFrameReader
package typealias ProbedClip = Media.ProbedClip

// What each refresh tells.
package typealias DisplayTick = Playback.DisplayTick
package typealias HeardSound = Playback.HeardSound
package typealias PlayLog = Playback.PlayLog
package typealias PlayTick = Playback.PlayTick
package typealias QueuedFrame = Playback.QueuedFrame
package typealias SoundLevels = Playback.SoundLevels

/// A view that was drawn, and read back where that was asked for.
package typealias DrawnView = GPU.FrameRing.Finished

// Hands.
package typealias LookAround = Playback.LookAround
package typealias LookEvent = Playback.LookEvent
package typealias LookRecorder = Playback.LookRecorder
package typealias LookRecording = Playback.LookRecording
package typealias ScrubSlider = Playback.ScrubSlider

// The window's surface.
package typealias QuadLayer = GPU.QuadLayer
package typealias SurfaceLosses = GPU.SurfaceLosses
package typealias TargetRegion = GPU.TargetRegion

// Streams and ads.
package typealias AdBreaks = Ads.AdBreaks
package typealias AdPlan = Ads.AdPlan
package typealias AnalyticsLog = Analytics.AnalyticsLog
package typealias LiveEdge = Streaming.LiveEdge
package typealias LoadedStream = Streaming.LoadedStream
package typealias PlayableAd = Ads.PlayableAd
package typealias StreamOptions = Streaming.StreamOptions
package typealias StreamRung = Streaming.StreamRung
package typealias StreamStatistics = Streaming.StreamStatistics
package typealias NetworkTrouble = HTTP.NetworkTrouble
package typealias WallTime = Streaming.WallTime

extension WallTime {
  package func advanced(by time: MediaTime) -> WallTime { self + time }
}
