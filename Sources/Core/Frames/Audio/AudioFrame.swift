/// Consecutive decoded samples with the time of the first one.
public struct AudioFrame: Sendable {
  /// Of the first sample, on the clip's own timeline, as `VideoFrame.presentationTime` is; loops do not add to it.
  public var presentationTime: MediaTime
  public var format: SoundFormat
  /// Interleaved; its length is a multiple of the channels.
  public var samples: [Float]

  /// - Parameter samples: interleaved; a multiple of the format's channels.
  public init(presentationTime: MediaTime, format: SoundFormat, samples: [Float]) {
    precondition(samples.count % format.channelCount == 0)
    (self.presentationTime, self.format, self.samples) = (presentationTime, format, samples)
  }

  public var sampleFrames: Int { samples.count / format.channelCount }
  public var duration: MediaTime { format.duration(of: sampleFrames) }
  public var end: MediaTime { presentationTime + duration }
}
