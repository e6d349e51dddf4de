internal import CFFmpeg

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
    if isOpening, !count(string(url) ?? "") { return bench_averror_exit() }
    guard let options else {
      var none: OpaquePointer?
      defer { av_dict_free(&none) }
      add(to: &none)
      return openByDefault(context, io, url, flags, &none)
    }
    add(to: options)
    return openByDefault(context, io, url, flags, options)
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
