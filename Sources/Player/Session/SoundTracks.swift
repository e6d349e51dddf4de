import Decode
import Frames
import Media
import Streaming

/// The sound of what a session plays: the tracks of a clip, or those of a stream. Any thread.
public struct SoundTracks: Sendable {
  public let tracks: [AudioTrack]
  /// The clip has no other picture than a black one.
  public let isSoundOnly: Bool
  /// The clip's time of the first frame.
  public let start: MediaTime
  private let origin: Origin

  private enum Origin {
    case clip(ProbedClip)
    case stream(LoadedStream)
  }

  /// Nil for a live clip, of which a second reader would be at another place.
  init?(_ clip: ProbedClip?, _ stream: LoadedStream?) {
    if let stream {
      (tracks, isSoundOnly, start, origin) = (stream.audio, false, stream.start, .stream(stream))
    } else if let clip, !clip.info.isLive {
      (tracks, isSoundOnly, start, origin) = (clip.info.audio, clip.info.isSoundOnly, .zero, .clip(clip))
    } else {
      return nil
    }
  }

  /// It is loaded over a network while it plays: readers wait for nothing, and playing begins once there is enough.
  public var isLoaded: Bool { if case .stream = origin { true } else { false } }

  /// A reader of one of the tracks; of a stream, which begins to load it where the picture is.
  ///
  /// Throws as `AudioReader.init` does.
  public func reader(
    _ number: Int, format: SoundFormat, interruption: Interruption
  ) throws(Failure) -> AudioReader {
    switch origin {
    case .clip(let clip):
      try AudioReader(
        tracks[number], of: clip, sampleRate: format.sampleRate, layout: format.layout, interruption: interruption)
    case .stream(let stream):
      try AudioReader(
        tracks[number], of: try stream.sound(number, interruption: interruption), sampleRate: format.sampleRate,
        layout: format.layout)
    }
  }
}

extension RenderSession {
  /// The clip's sound; nil where a second reading of it is not possible.
  public var sound: SoundTracks? { SoundTracks(reader.clip, stream) }
}

extension OpenedClip {
  /// The clip's sound; nil where a second reading of it is not possible.
  public var sound: SoundTracks? { SoundTracks(clip, stream) }
}
