import Frames

/// Counts of a pipeline since the clip was opened: a value.
struct DecodeCounts {
  /// Frames that came out of a decoder, delivered or not.
  var framesDecoded = 0
  /// Frames that the decoder calls damaged.
  var damagedPictures = 0
  private var isEarly: Bool { framesDecoded <= 30 }
  /// As after a wrong key: the first picture, or most of what follows.
  var startsDamaged: Bool {
    let damaged = damagedPictures + damagedPackets
    return isEarly && (framesDecoded == 1 && damagedPictures == 1 || damaged > 2 && damaged * 2 > acceptedPackets)
  }
  var acceptedPackets = 0
  /// Of accepted packets; nil: packets of this codec are not looked into.
  var coded: CodedFrames?
  /// That making the last frame of a hardware decoder ready took, ms; nil: there is none.
  var bringMilliseconds: Double?
  /// Packets or frames that the decoder rejected.
  var damagedPackets = 0
  /// Packets accepted before the first frame came out.
  private(set) var delayFrames: Int?
  var framesSinceFlush = 0
  /// No seek since the clip was opened or rewound: there must be frames.
  var readsFromStart = true
  /// From the start to the end no frame came.
  var isWithoutPictures = false

  /// A frame came out of the decoder that is fed packet by packet.
  mutating func frameCame() {
    if delayFrames == nil { delayFrames = max(0, acceptedPackets - 1) }
  }

  mutating func flushed() { (framesSinceFlush, readsFromStart) = (0, false) }
}

/// How long the consumer of frames has kept the decoder waiting.
struct ConsumerTime {
  /// In all, from each frame that was handed out to the call for the next one.
  private(set) var nanoseconds: Int64 = 0
  private var handedOut: MonotonicTime?

  /// The consumer has a frame.
  mutating func takes() { handedOut = handedOut ?? .now }

  /// The consumer wants the next one.
  mutating func asks() {
    if let handedOut { nanoseconds += MonotonicTime.now.nanoseconds - handedOut.nanoseconds }
    handedOut = nil
  }
}

/// Where a frame lies in presentation time.
struct FramePlace {
  var time = MediaTime.zero
  var duration = MediaTime.zero
  var end: MediaTime { time + duration }
}
