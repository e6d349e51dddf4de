internal import CFFmpeg
import Glibc

/// What libavformat may ask for while it opens an input, and how: each file and URL passes here on its way to libavformat's own
/// protocols.
///
/// Bounds how often: a playlist that names itself would be asked for until memory ends. Used by the thread that opens or reads.
final class RequestLimits {
  /// Requests for one and the same URL while opening: a DASH representation in one file is asked for several times.
  static let sameLimit = 512
  /// Requests in all while opening.
  static let openingLimit = 4096

  private let network: NetworkOptions
  private let openByDefault: IOOpen
  private var counts: [String: Int] = [:]
  private var total = 0
  /// Why a request was refused; nil while none was.
  private(set) var refusal: String?
  /// A local file that the input names and that is not there, once no other was found and libavformat waits for a later one; nil: none.
  private(set) var awaited: String?
  /// The first one that was not there while opening.
  private var missing: String?
  private var hasMedia = false
  /// Requests are counted while this holds.
  var isOpening = true {
    didSet { if !isOpening { counts = [:] } }
  }

  typealias IOOpen =
    @convention(c) (
      UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
      UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32

  /// Takes over `context`'s requests; it must outlive the context. Nil where libavformat has none to take over.
  init?(_ context: UnsafeMutablePointer<AVFormatContext>, _ network: NetworkOptions) {
    guard let openByDefault = context.pointee.io_open else { return nil }
    self.network = network
    self.openByDefault = openByDefault
    context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    context.pointee.io_open = { context, io, url, flags, options in
      guard let opaque = context?.pointee.opaque else { return bench_averror_einval() }
      let limits = Unmanaged<RequestLimits>.fromOpaque(opaque).takeUnretainedValue()
      return limits.open(context, io, url, flags, options)
    }
  }

  private func open(
    _ context: UnsafeMutablePointer<AVFormatContext>?,
    _ io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?, _ url: UnsafePointer<CChar>?, _ flags: Int32,
    _ options: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 {
    guard isOpening else { return request(context, io, url, flags, options) }
    let name = string(url) ?? ""
    guard count(name), !waits(for: name) else { return bench_averror_exit() }
    let status = request(context, io, url, flags, options)
    note(name, status)
    return status
  }

  private func request(
    _ context: UnsafeMutablePointer<AVFormatContext>?,
    _ io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?, _ url: UnsafePointer<CChar>?, _ flags: Int32,
    _ options: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 {
    guard let options else {
      var none: OpaquePointer?
      defer { av_dict_free(&none) }
      add(to: &none)
      return openByDefault(context, io, url, flags, &none)
    }
    add(to: options)
    return openByDefault(context, io, url, flags, options)
  }

  private func note(_ name: String, _ status: Int32) {
    guard !namesPlaylist(name) else { return }
    hasMedia = hasMedia || status >= 0
    // Of the protocol of files; servers have errors of their own.
    if status == -ENOENT { missing = missing ?? String(lastPart(of: name)) }
  }

  /// A live playlist is loaded again once its segments could not be opened. Its file does not change: libavformat would wait for ever.
  private func waits(for name: String) -> Bool {
    guard let missing, !hasMedia, namesPlaylist(name) else { return false }
    awaited = missing
    return true
  }

  private func add(to options: UnsafeMutablePointer<OpaquePointer?>) {
    for option in network.protocolOptions { av_dict_set(options, option.name, option.value, 0) }
  }

  /// Whether one more request may be made.
  private func count(_ url: String) -> Bool {
    total += 1
    let same = (counts[url] ?? 0) + 1
    counts[url] = same
    if same > Self.sameLimit {
      refusal =
        refusal ?? "it names itself or one thing over and over: '\(lastPart(of: url))' was asked for \(same) times"
    } else if total > Self.openingLimit {
      refusal = refusal ?? "it names more than \(Self.openingLimit) things to be opened"
    }
    return refusal == nil
  }

  private func lastPart(of url: String) -> Substring {
    url.prefix { $0 != "?" }.split(separator: "/").last ?? url[...]
  }
}
