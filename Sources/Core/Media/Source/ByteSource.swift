import Frames
import HTTP
import Logging

/// Where the bytes of an input come from: one type for each kind of place.
///
/// A source has no position: several demuxers can read one, each from a place of its own. Any thread.
package protocol ByteSource: AnyObject, Sendable {
  /// As the user named the input; messages name it so.
  var path: String { get }
  /// As libavformat names it: names in a playlist are relative to this one.
  var url: String { get }
  /// The protocols by which it may name other inputs, separated by commas.
  var allowedProtocols: String { get }
  /// It is fetched by a URL.
  var isRemote: Bool { get }
  /// The bytes; nil: libavformat fetches them from `url` by its own protocols.
  var bytes: (any RandomAccessBytes)? { get }
  /// Why reading failed last, where the source knows more than an error of FFmpeg's tells.
  var failure: String? { get }
  /// The problem that a reader's retries wait for; nil while requests succeed.
  var trouble: NetworkTrouble? { get }
}

extension ByteSource {
  package var failure: String? { nil }
  package var trouble: NetworkTrouble? { nil }
}

/// Bytes that are read at any offset. Any thread.
package protocol RandomAccessBytes: AnyObject, Sendable {
  /// How many there are by now: a file may grow. A negative number is an error of FFmpeg's.
  var count: Int64 { get }
  /// Reads at most `count` bytes at an offset into memory of the caller's.
  ///
  /// - Returns: how many were read, at least one; 0 at the end; a negative number is an error of FFmpeg's.
  ///
  /// A read that has to wait ends early, with FFmpeg's error of an exit, once the interruption asks to stop.
  func read(
    at offset: Int64, into buffer: UnsafeMutableRawPointer, count: Int, unless interruption: Interruption?
  ) -> Int
  /// They can be read at any offset; else from the first to the last only.
  var isSeekable: Bool { get }
}

extension RandomAccessBytes {
  package var isSeekable: Bool { true }

  package func read(at offset: Int64, into buffer: UnsafeMutableRawPointer, count: Int) -> Int {
    read(at: offset, into: buffer, count: count, unless: nil)
  }
}

/// The source of an input as the user names it: a file, or a URL. Opens a file, and what lies on a web server, unless it is a
/// playlist or manifest; throws why that cannot be.
package func byteSource(
  _ path: String, network: NetworkOptions, interruption: Interruption
) throws(Failure) -> any ByteSource {
  let location = MediaLocation(path)
  guard location.isRemote else { return try FileSource(path, interruption: interruption) }
  mediaLog.debug("open a network input", metadata: ["url": "\(redactingSecrets(ofArgument: path))"])
  if isWeb(location), !namesPlaylist(location.path),
    let source = try HTTPSource.open(path, network: network, interruption: interruption)
  {
    return source
  }
  // libavformat's own requests have no policy.
  guard network.policy == .named else {
    throw Failure(
      .unsupported, "cannot open '\(path)'", cause: "a document named it, and FFmpeg's own requests may reach any host",
      remedy: "if you trust it, name it yourself")
  }
  return NetworkSource(path)
}
