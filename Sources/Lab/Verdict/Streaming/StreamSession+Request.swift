extension StreamSession {
  /// One attempt to load one resource, or a part of it.
  public struct Request: Hashable, Sendable, Codable {
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
      /// An HLS multivariant playlist or a DASH MPD.
      case manifest
      /// An HLS media playlist.
      case playlist
      /// A DASH `sidx` box.
      case index
      case key
      /// The time of day, for a live manifest.
      case clock
      /// An `EXT-X-MAP` or a DASH initialization segment.
      case initialization
      case segment
    }

    public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
      /// The whole response came, with a status of success.
      case finished
      /// It came not, in part only, or with a status of failure: `problem` says which.
      case failed
      /// The controller gave it up for another rung: `abandonedFor`.
      case abandoned
      /// No longer needed, as at the end of the trial or after a seek.
      case cancelled
    }

    /// Bytes of a resource, both ends inclusive; without `last` to its end.
    public struct Range: Hashable, Sendable, Codable {
      public var first: Int
      @Nullable public var last: Int?

      public init(first: Int, last: Int? = nil) {
        self.first = first
        self.last = last
      }
    }

    public var kind: Kind
    /// Without user, password, query and fragment.
    public var url: String
    /// Nil where the resource belongs to none: a manifest, audio, subtitles.
    @Nullable public var rung: Int?
    /// Place in the media timeline; nil for any other kind.
    @Nullable public var segment: Int?
    /// Of the segment.
    @Nullable public var mediaSeconds: Double?
    /// 0 is the first try of the resource.
    public var attempt: Int
    /// Nil: the whole resource.
    @Nullable public var range: Range?
    public var times: Times
    public var transfer: Transfer
    public var outcome: Outcome
    /// A sentence without secrets; nil where it finished.
    @Nullable public var problem: String?
    /// Media ahead of the picture when it was queued, s.
    @Nullable public var bufferBefore: Double?
    /// And when it had ended, with its segment if that is whole, s.
    @Nullable public var bufferAfter: Double?
    /// The rung that it was abandoned for.
    @Nullable public var abandonedFor: Int?
    /// When the first picture of this segment from this rung was on screen; nil: none was. It tells used bytes from wasted ones.
    @Nullable public var firstShown: Double? {
      didSet { _firstShown.wrappedValue = firstShown.map(roundedToMicroseconds) }
    }

    public init(
      kind: Kind, url: String, rung: Int? = nil, segment: Int? = nil, mediaSeconds: Double? = nil, attempt: Int = 0,
      range: Range? = nil, times: Times, transfer: Transfer, outcome: Outcome, problem: String? = nil,
      bufferBefore: Double? = nil, bufferAfter: Double? = nil, abandonedFor: Int? = nil,
      firstShown: Double? = nil
    ) {
      (self.kind, self.url, self.attempt) = (kind, url, attempt)
      (self.times, self.transfer, self.outcome) = (times, transfer, outcome)
      self.rung = rung
      self.segment = segment
      self.mediaSeconds = mediaSeconds.map(roundedToMicroseconds)
      self.range = range
      self.problem = problem
      self.bufferBefore = bufferBefore.map(roundedToMicroseconds)
      self.bufferAfter = bufferAfter.map(roundedToMicroseconds)
      self.abandonedFor = abandonedFor
      self.firstShown = firstShown.map(roundedToMicroseconds)
    }

    /// Instants of a request in this order, of the last hop where it was redirected; nil where it did not come so far, or had
    /// nothing to do: a reused connection looks up no name, plain HTTP secures nothing.
    public struct Times: Hashable, Sendable, Codable {
      /// The player asked for it.
      public var queued: Double
      @Nullable public var nameLookedUp: Double?
      @Nullable public var connected: Double?
      /// The TLS handshake was done.
      @Nullable public var secured: Double?
      /// Of the response.
      @Nullable public var firstByte: Double?
      /// Its last byte, or when it failed or was given up.
      public var ended: Double

      public init(
        queued: Double, nameLookedUp: Double? = nil, connected: Double? = nil, secured: Double? = nil,
        firstByte: Double? = nil, ended: Double
      ) {
        (self.queued, self.ended) = (roundedToMicroseconds(queued), roundedToMicroseconds(ended))
        self.nameLookedUp = nameLookedUp.map(roundedToMicroseconds)
        self.connected = connected.map(roundedToMicroseconds)
        self.secured = secured.map(roundedToMicroseconds)
        self.firstByte = firstByte.map(roundedToMicroseconds)
      }
    }

    /// What came over the connection.
    public struct Transfer: Hashable, Sendable, Codable {
      /// Nil where no response came.
      @Nullable public var status: Int?
      /// Of bodies, as received: before any decoding, with those of redirects.
      public var bytes: Int
      public var headerBytes: Int
      /// Whether the connection was open before this request.
      public var isReused: Bool
      /// `1.1`, `2`; nil where no response came.
      @Nullable public var httpVersion: String?

      public init(
        status: Int? = nil, bytes: Int = 0, headerBytes: Int = 0, isReused: Bool = false, httpVersion: String? = nil
      ) {
        (self.bytes, self.headerBytes, self.isReused) = (bytes, headerBytes, isReused)
        self.status = status
        self.httpVersion = httpVersion
      }
    }
  }
}
