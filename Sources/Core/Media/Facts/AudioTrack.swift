import Frames

/// One stream of sound of a clip's file. A value; nothing here is open.
public struct AudioTrack: Sendable, Hashable, Codable {
  public var streamIndex: Int
  /// FFmpeg's name of the format: `aac`, `opus`, `pcm_s16le`.
  public var codec: String
  public var language: Language?
  /// The author's title.
  public var title: String?
  /// Sample frames per second; 0 where the file does not tell.
  public var sampleRate: Int
  /// In the file; 0 where it does not tell.
  public var channels: Int
  /// What its channels are for; nil: no layout of ours, so that it is played mixed down to stereo.
  public var layout: SoundLayout?
  /// Played unless the user asks for another track.
  public var isDefault: Bool
  /// In the language that it was made in.
  public var isOriginal: Bool
  /// Tells what the picture shows, for people who cannot see it.
  public var isDescriptive: Bool
  /// Meant to be played even to people who chose another track.
  public var isForced: Bool
  /// Two of its channels do not turn with the view, beside ambisonic ones that do.
  public var isHeadLocked: Bool
  /// Of each channel of `layout`, its place among those of the file; nil: in the file's own order. Of ambisonics only.
  public var channelMap: [Int]?
  /// Why it cannot be played; nil: it can.
  public var refusal: String?

  public init(
    streamIndex: Int, codec: String, language: Language? = nil, title: String? = nil, sampleRate: Int = 48000,
    channels: Int = 2, layout: SoundLayout? = .stereo, isDefault: Bool = false, isOriginal: Bool = false,
    isDescriptive: Bool = false, isForced: Bool = false, channelMap: [Int]? = nil, refusal: String? = nil
  ) {
    (self.streamIndex, self.codec) = (streamIndex, codec)
    (self.language, self.title) = (language, title)
    (self.sampleRate, self.channels, self.layout) = (sampleRate, channels, layout)
    (self.isDefault, self.isOriginal) = (isDefault, isOriginal)
    (self.isDescriptive, self.isForced) = (isDescriptive, isForced)
    isHeadLocked = layout == .ambisonicAndStereo
    (self.channelMap, self.refusal) = (channelMap, refusal)
  }

  /// For people: `English, stereo (stream 1)`, `German, descriptive, 5.1, "Hörfilm" (stream 3)`.
  public var name: String {
    let words = [
      language?.name ?? "unknown language", isDescriptive ? "descriptive" : nil, isForced ? "forced" : nil, channelName,
      title.map { "\"\($0)\"" },
    ]
    return words.compactMap { $0 }.joined(separator: ", ") + " (stream \(streamIndex))"
  }

  private var channelName: String? {
    switch layout {
    case .ambisonicAndStereo: "ambisonic with head-locked stereo"
    case .some(let layout): layout.rawValue
    case nil: channels > 0 ? "\(channels) channels" : nil
    }
  }
}
