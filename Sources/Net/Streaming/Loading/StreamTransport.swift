import Frames
import HTTP

/// What carries the requests of a stream, and the time in which it does: sockets and the machine's clock, or a simulated link on a
/// virtual clock. Each thread makes requests one after the other: one thread for the video, and one for each track of sound and of
/// subtitles.
package protocol StreamTransport: AnyObject, Sendable {
  /// Seconds since the stream was opened.
  var now: Double { get }
  /// The machine's time of day.
  var wall: WallTime { get }
  /// Waits; false once the interruption asks to stop.
  func pause(seconds: Double, unless interruption: Interruption) -> Bool
  /// Waits until the picture has used up `media` seconds of what is loaded, but for `seconds` at most; false once the interruption asks to
  /// stop. A paused picture uses up nothing.
  func pause(
    using media: Double, of store: any LoadedSegments, atMost seconds: Double, unless interruption: Interruption
  ) -> Bool
  /// Waits until the store has room.
  func waitForRoom(in store: any LoadedSegments, unless interruption: Interruption)
  /// Waits until playing goes on elsewhere, or ends: false then.
  func waitForTurn(of store: any LoadedSegments, after turn: Int) -> Bool
  /// Begins a request; what hinders it is thrown by `head`.
  func start(_ request: ResourceRequest) -> any ResourceTransfer
  /// Returns whether the address's server has sent a requested resource in this session.
  func wasReached(_ address: StreamAddress) -> Bool
  /// Records that the address's server has sent a requested resource.
  func reached(_ address: StreamAddress)
  /// Connections so far are of no use any more: requests over them fail as lost, later ones open new connections.
  func renew()
}

extension StreamTransport {
  package func waitForRoom(in store: any LoadedSegments, unless interruption: Interruption) {
    store.waitForRoom(unless: interruption)
  }

  package func waitForTurn(of store: any LoadedSegments, after turn: Int) -> Bool { store.waitForTurn(after: turn) }

  /// Without connections there is nothing to renew.
  package func renew() {}
}

/// One request of a resource, or of a part of it.
package struct ResourceRequest: Sendable, Hashable {
  package var address: StreamAddress
  /// The first byte that is asked for, and the last; nil: to the end.
  package var first: Int64 = 0
  package var last: Int64?
  /// A playlist or manifest, which may come compressed.
  package var isText = false
  /// The user named it, not the manifest: it may lie anywhere, and has its own credentials.
  package var isNamed = false
  /// The header alone.
  package var isHead = false
  /// JSON that is sent with POST; nil: GET.
  package var question: String?
  /// What the server is told; nil: nothing.
  package var report: CMCDReport?
  /// All of it may take so long, in seconds; nil: any time.
  package var wholeSeconds: Double?

  package init(_ address: StreamAddress) { self.address = address }

  package var hasRange: Bool { first > 0 || last != nil }
}

/// A request under way. One thread.
package protocol ResourceTransfer: AnyObject {
  func head(unless interruption: Interruption) throws(HTTPProblem) -> ResourceHead
  /// The next bytes of the body; 0 at its end, nil where none came by `instant`, in seconds since the stream was opened.
  func read(
    into target: UnsafeMutableRawBufferPointer, by instant: Double, unless interruption: Interruption
  ) throws(HTTPProblem) -> Int?
  func cancel()
  /// What it took, once it has ended or was cancelled.
  func times() -> TransferTimes
}

/// What a response says before its body.
package struct ResourceHead: Sendable {
  /// Nil for a success.
  package var problem: HTTPProblem?
  /// After redirects.
  package var address: StreamAddress
  /// Where in the resource the body begins.
  package var first: Int64
  /// Of the body, where the server tells.
  package var length: Int64?
  package var validator: HTTPValidator
  /// `text/html`; empty where the server does not name it.
  package var mediaType = ""
  /// The server's time of day, in whole seconds.
  package var date: WallTime?

  package init(
    problem: HTTPProblem? = nil, address: StreamAddress, first: Int64, length: Int64?, validator: HTTPValidator
  ) {
    (self.problem, self.address, self.first) = (problem, address, first)
    (self.length, self.validator) = (length, validator)
  }
}

/// The instants of a request, in seconds since the stream was opened, and what came.
public struct TransferTimes: Sendable, Hashable {
  public var queued: Double
  /// Nil on a reused connection, as the next two.
  public var nameLookedUp: Double?
  public var connected: Double?
  public var secured: Double?
  public var firstByte: Double?
  public var ended: Double
  public var status: Int?
  /// Of bodies as they were received, before decoding.
  public var bytes: Int64
  public var headerBytes: Int64
  public var isReused: Bool
  /// `1.1`, `2`; nil where no response came.
  public var httpVersion: String?

  public init(queued: Double, ended: Double) {
    (self.queued, self.ended, bytes, headerBytes, isReused) = (queued, ended, 0, 0, false)
  }
}
