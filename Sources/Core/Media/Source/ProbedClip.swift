internal import CFFmpeg
import Frames
import HTTP

/// An open clip and its probed description: further demuxers of it, each with a position of its own, share its bytes
/// and do not probe again. Any thread.
///
/// The bytes stay open until the last reading and the last reference to this are gone.
public final class ProbedClip: Sendable {
  public let info: MediaInfo
  let source: any ByteSource
  let network: NetworkOptions
  private let streams: [ProbedStream]

  /// - Parameter file: that `info` describes. What probing found is copied: the file may be read on.
  package init(_ file: Demuxer, _ info: MediaInfo) throws(Failure) {
    (self.info, source, network) = (info, file.source, file.network)
    var streams: [ProbedStream] = []
    for index in 0..<Int(file.context.pointee.nb_streams) {
      guard let stream = file.stream(index), let probed = ProbedStream(stream) else {
        throw Failure(.failed, "cannot open '\(file.path)'", cause: "out of memory")
      }
      streams.append(probed)
    }
    self.streams = streams
  }

  /// Opens and probes, as `probe` does.
  public convenience init(
    path: String, network: NetworkOptions = NetworkOptions(), interruption: Interruption = Interruption()
  ) throws(Failure) {
    try checkInput(path)
    let file = try Demuxer(path: path, network: network, interruption: interruption)
    try self.init(file, try describe(file).info)
  }

  /// The problem that its readers' retries wait for; nil while requests succeed.
  package var trouble: NetworkTrouble? { source.trouble }

  /// Where the video begins on the file's own clock: frames have their times from there.
  package var videoStart: MediaTime {
    let index = info.video.streamIndex
    guard streams.indices.contains(index), let start = streams[index].start else { return .zero }
    return start
  }

  /// Containers whose header names the streams and whose packets carry their times.
  private static let tellingHeaders = ["mov,mp4,m4a,3gp,3g2,mj2", "matroska,webm", "mpegts"]

  /// Spares libavformat the probing of an input of this clip that was opened once more; false where it must probe: streams are
  /// named behind the header, as those of MPEG program streams and playlists are, or times are told by what probing decodes.
  func spareProbing(of context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    guard Self.tellingHeaders.contains(info.container), Int(context.pointee.nb_streams) >= streams.count else {
      return false
    }
    let pairs = streams.enumerated().map { (probed: $1, stream: context.pointee.streams[$0]) }
    guard pairs.allSatisfy({ pair in pair.stream.map { pair.probed.fits($0) } ?? false }) else { return false }
    for pair in pairs {
      guard let stream = pair.stream, pair.probed.copyParameters(to: stream) else { return false }
    }
    // libavformat takes the parameters over into its parsers when it probes: it is allowed to read nothing for that.
    let limits = (context.pointee.probesize, context.pointee.max_ts_probe, context.pointee.fps_probe_size)
    (context.pointee.probesize, context.pointee.max_ts_probe, context.pointee.fps_probe_size) = (32, 0, 0)
    context.pointee.skip_estimate_duration_from_pts = 1
    defer {
      (context.pointee.probesize, context.pointee.max_ts_probe, context.pointee.fps_probe_size) = limits
    }
    guard avformat_find_stream_info(context, nil) >= 0 else { return false }
    for pair in pairs { if let stream = pair.stream { pair.probed.copyTimes(to: stream) } }
    return true
  }
}

/// Probed parameters of one stream. Immutable.
private final class ProbedStream: Sendable {
  nonisolated(unsafe) private let parameters: UnsafeMutablePointer<AVCodecParameters>
  private let timeBase: AVRational
  private let (startTime, duration): (Int64, Int64)
  private let (averageRate, realRate): (AVRational, AVRational)

  /// Nil: out of memory.
  init?(_ stream: UnsafeMutablePointer<AVStream>) {
    guard let parameters = avcodec_parameters_alloc() else { return nil }
    self.parameters = parameters
    timeBase = stream.pointee.time_base
    (startTime, duration) = (stream.pointee.start_time, stream.pointee.duration)
    (averageRate, realRate) = (stream.pointee.avg_frame_rate, stream.pointee.r_frame_rate)
    guard avcodec_parameters_copy(parameters, stream.pointee.codecpar) >= 0 else { return nil }
  }

  deinit {
    var owned: UnsafeMutablePointer<AVCodecParameters>? = parameters
    avcodec_parameters_free(&owned)
  }

  var start: MediaTime? { optionalStamp(startTime).map { MediaTime(ticks: $0, timeBase: Ratio(timeBase)) } }

  /// Whether a header names this stream.
  func fits(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    let other = stream.pointee.codecpar.pointee
    return other.codec_type == parameters.pointee.codec_type && other.codec_id == parameters.pointee.codec_id
      && av_cmp_q(stream.pointee.time_base, timeBase) == 0
  }

  func copyParameters(to stream: UnsafeMutablePointer<AVStream>) -> Bool {
    avcodec_parameters_copy(stream.pointee.codecpar, parameters) >= 0
  }

  func copyTimes(to stream: UnsafeMutablePointer<AVStream>) {
    (stream.pointee.start_time, stream.pointee.duration) = (startTime, duration)
    (stream.pointee.avg_frame_rate, stream.pointee.r_frame_rate) = (averageRate, realRate)
  }
}
