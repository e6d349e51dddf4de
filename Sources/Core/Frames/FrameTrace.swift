/// Where one frame was at which instant, from the file to the display. A stage that it did not pass is nil.
///
/// Plain numbers only, so that a list of them is one block of memory.
public struct FrameTrace: Hashable, Sendable {
  /// Counts the frames of its trial from 0.
  public var index: Int
  /// From the start of the clip; loops do not add to it.
  public var presentationTime: MediaTime
  /// What its picture shows: synthetic clips carry their number.
  public var numberShown: Int?
  public var decoding = Decoding()
  public var queueing = Queueing()
  public var upload = Upload()
  /// Given to the GPU → its completion noticed.
  public var flight: TimeSpan?
  public var gpu = GPU()
  public var display = Display()

  /// From the file to the frame.
  public struct Decoding: Hashable, Sendable {
    /// Its packet is read from the container.
    public var demux: TimeSpan?
    /// Packet handed to the decoder → frame received.
    public var decode: TimeSpan?
    /// The metric: `decode` less the time that the consumer kept the decoder waiting.
    public var latencyMilliseconds: Double?
  }

  /// Among the decoded frames that wait.
  public struct Queueing: Hashable, Sendable {
    /// Put into the queue of decoded frames, or waiting for room in it → taken out.
    public var span: TimeSpan?
    /// Frames left waiting when this one was taken out.
    public var depth: Int?
  }

  /// Rows moved by the CPU.
  public struct Upload: Hashable, Sendable {
    /// Nil when none were.
    public var span: TimeSpan?
    /// The metric: 0 when no rows were moved, nil when nothing was uploaded.
    public var milliseconds: Double?
  }

  /// From GPU timestamps.
  public struct GPU: Hashable, Sendable {
    /// On the CPU's clock: the copy, and the draw.
    public var upload: TimeSpan?
    public var render: TimeSpan?
    /// The metrics, as the GPU counted them.
    public var uploadMilliseconds: Double?
    public var renderMilliseconds: Double?
  }

  /// On the display, or why it never was there.
  public struct Display: Hashable, Sendable {
    /// Where it is known when the display showed it: from the first refresh that did until the first that showed another
    /// frame.
    public var present: TimeSpan?
    /// The refresh that it was meant for, where it was never to be seen on any, and why.
    public var unseen: Unseen?
    /// Since the frame before it was presented.
    public var intervalMilliseconds: Double?
  }

  /// A frame that was decoded and not shown.
  public struct Unseen: Hashable, Sendable, Codable {
    public enum Reason: String, Sendable, Codable { case dropped, skipped }

    public var reason: Reason
    public var due: MonotonicTime

    public init(_ reason: Reason, due: MonotonicTime) {
      self.reason = reason
      self.due = due
    }
  }

  /// A frame that has passed no stage yet.
  public init(index: Int, presentationTime: MediaTime) {
    self.index = index
    self.presentationTime = presentationTime
  }

  /// All its spans.
  public var spans: [TimeSpan] {
    [
      decoding.demux, decoding.decode, queueing.span, upload.span, flight, gpu.upload, gpu.render, display.present,
    ].compactMap { $0 }
  }
}

/// One flat object a frame, as the parent process reads it.
extension FrameTrace: Codable {
  // Short, for a long trial has a hundred thousand of these.
  private enum Key: String, CodingKey {
    case index = "i"
    case presentationTime = "t"
    case numberShown = "n"
    case demux = "d"
    case decode = "c"
    case decodeLatency = "l"
    case queue = "q"
    case queueDepth = "w"
    case upload = "u"
    case uploadTime = "um"
    case flight = "f"
    case present = "p"
    case unseen = "x"
    case gpuUpload = "gu"
    case gpuRender = "gr"
    case gpuUploadTime = "gum"
    case gpuRenderTime = "grm"
    case interval = "m"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    func value<Value: Decodable>(_ key: Key) throws -> Value? { try values.decodeIfPresent(Value.self, forKey: key) }
    self.init(
      index: try values.decode(Int.self, forKey: .index),
      presentationTime: try values.decode(MediaTime.self, forKey: .presentationTime))
    numberShown = try value(.numberShown)
    decoding = Decoding(
      demux: try value(.demux), decode: try value(.decode), latencyMilliseconds: try value(.decodeLatency))
    queueing = Queueing(span: try value(.queue), depth: try value(.queueDepth))
    upload = Upload(span: try value(.upload), milliseconds: try value(.uploadTime))
    flight = try value(.flight)
    gpu = GPU(
      upload: try value(.gpuUpload), render: try value(.gpuRender), uploadMilliseconds: try value(.gpuUploadTime),
      renderMilliseconds: try value(.gpuRenderTime))
    display = Display(
      present: try value(.present), unseen: try value(.unseen), intervalMilliseconds: try value(.interval))
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(index, forKey: .index)
    try values.encode(presentationTime, forKey: .presentationTime)
    try values.encodeIfPresent(numberShown, forKey: .numberShown)
    try values.encodeIfPresent(decoding.demux, forKey: .demux)
    try values.encodeIfPresent(decoding.decode, forKey: .decode)
    try values.encodeIfPresent(decoding.latencyMilliseconds, forKey: .decodeLatency)
    try values.encodeIfPresent(queueing.span, forKey: .queue)
    try values.encodeIfPresent(queueing.depth, forKey: .queueDepth)
    try values.encodeIfPresent(upload.span, forKey: .upload)
    try values.encodeIfPresent(upload.milliseconds, forKey: .uploadTime)
    try values.encodeIfPresent(flight, forKey: .flight)
    try values.encodeIfPresent(display.present, forKey: .present)
    try values.encodeIfPresent(display.unseen, forKey: .unseen)
    try values.encodeIfPresent(gpu.upload, forKey: .gpuUpload)
    try values.encodeIfPresent(gpu.render, forKey: .gpuRender)
    try values.encodeIfPresent(gpu.uploadMilliseconds, forKey: .gpuUploadTime)
    try values.encodeIfPresent(gpu.renderMilliseconds, forKey: .gpuRenderTime)
    try values.encodeIfPresent(display.intervalMilliseconds, forKey: .interval)
  }
}

/// From one instant of CLOCK_MONOTONIC to another that is not before it.
public struct TimeSpan: Hashable, Sendable, Codable {
  public let start: MonotonicTime
  public let end: MonotonicTime

  /// An end before the start is taken for the start.
  public init(_ start: MonotonicTime, _ end: MonotonicTime) {
    self.start = start
    self.end = max(start, end)
  }

  public init(_ start: MonotonicTime, milliseconds: Double) {
    self.init(start, MonotonicTime(nanoseconds: start.nanoseconds + Int64((milliseconds * 1e6).rounded())))
  }

  public var nanoseconds: Int64 { end.nanoseconds - start.nanoseconds }

  public init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    let start = MonotonicTime(nanoseconds: try values.decode(Int64.self))
    self.init(start, MonotonicTime(nanoseconds: start.nanoseconds + (try values.decode(Int64.self))))
  }

  /// Start and length in nanoseconds.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(start.nanoseconds)
    try values.encode(nanoseconds)
  }
}

/// Every frame of one trial.
public struct TrialTrace: Hashable, Sendable {
  public var scenario: String
  public var variant: String?
  /// Counts the trials of its scenario and variant from 1.
  public var number: Int
  /// How many there were to be.
  public var total: Int
  /// False when the trial was cut short.
  public var isComplete: Bool
  public var frames: [FrameTrace]
  /// What the trial did that belongs to no frame, by name, in order.
  public var phases: [Phase]
  public var gpuClock: GPUClock?
  /// When the stream was opened that was played: its record counts from there. Nil where none was.
  public var streamOpened: MonotonicTime?
  /// Empty where none was heard.
  public var sound = Sound()

  public struct Phase: Hashable, Sendable, Codable {
    public var name: String
    public var span: TimeSpan

    public init(name: String, span: TimeSpan) {
      self.name = name
      self.span = span
    }
  }

  /// The clip's sound, as far as it was heard.
  public struct Sound: Hashable, Sendable, Codable {
    /// Sound without a break, and the gaps in it, in order.
    public var stretches: [Phase] = []
    /// Of the pictures for which both instants are known.
    public var offsets: [Offset] = []

    /// Sound heard − picture seen, in milliseconds; positive: sound was late.
    public struct Offset: Hashable, Sendable, Codable {
      /// When the picture was seen.
      public var instant: MonotonicTime
      public var milliseconds: Double

      public init(instant: MonotonicTime, milliseconds: Double) {
        self.instant = instant
        self.milliseconds = milliseconds
      }
    }

    public init() {}
  }

  /// How instants of the GPU came to lie on the CPU's clock.
  public enum GPUClock: String, Sendable, Codable {
    /// The driver reads both clocks at once.
    case calibrated
    /// It does not: the end of the draw was taken for the instant at which its completion was noticed.
    case placed
  }

  public init(
    scenario: String, variant: String?, number: Int, total: Int, isComplete: Bool, frames: [FrameTrace],
    phases: [Phase] = [], gpuClock: GPUClock? = nil
  ) {
    self.scenario = scenario
    self.variant = variant
    self.number = number
    self.total = total
    self.isComplete = isComplete
    self.frames = frames
    self.phases = phases
    self.gpuClock = gpuClock
  }

  /// The first instant of all; nil when nothing happened.
  public var start: MonotonicTime? {
    (frames.flatMap(\.spans) + (phases + sound.stretches).map(\.span)).map(\.start).min()
  }
}
