internal import CFFmpeg
import Frames
import Media

/// The events of one track, one after the other as they stand in the file: libavformat and libavcodec read them and make
/// ASS of every format.
///
/// One thread at a time, and `interruption` from any; reading blocks. A stream of a clip is read with a position of its own in
/// the clip's bytes, and all other streams are left out: all of it is known before it is played, from the start on, wherever
/// the video is.
public final class SubtitleReader {
  public let track: SubtitleTrack
  public let script: SubtitleScript
  /// What should be known about how it was read, such as a guessed encoding; nil: nothing.
  public let note: String?
  private let source: Source
  private let stream: UnsafeMutablePointer<AVStream>
  private let decoder: SubtitleDecoder
  private let interruption: Interruption
  /// Where the clip's own timeline begins.
  private let origin: MediaTime
  /// The last event, while its end is unknown.
  private var pending: SubtitleEvent?
  private var waiting: [SubtitleEvent] = []
  private var (count, byteCount) = (0, 0)
  private var isAtEnd = false
  /// Events that were left out because they are longer than `eventByteLimit`.
  public private(set) var tooLong = 0

  /// Limits of a track, against files made to fill memory.
  public static let eventLimit = 100_000
  public static let byteLimit = 64 << 20
  /// Of one event; longer ones are left out.
  public static let eventByteLimit = 64 << 10
  /// How long an event without an end is shown when no other follows.
  static let longest = MediaTime(nanoseconds: 10_000_000_000)

  private enum Source {
    case clip(Demuxer)
    case file(SubtitleFile)

    var context: UnsafeMutablePointer<AVFormatContext> {
      switch self {
      case .clip(let file): file.context
      case .file(let file): file.context
      }
    }
  }

  /// Begins a track.
  ///
  /// Throws `.unsupported` for one that cannot be drawn, and what opening a file of its own fails with.
  ///
  /// - Parameter clip: that holds the track; nil where it is a file of its own.
  public convenience init(
    _ track: SubtitleTrack, of clip: ProbedClip?, interruption: Interruption = Interruption()
  ) throws(Failure) {
    let attempt = Self.attempt(track.file ?? clip?.info.path ?? "")
    if let refusal = track.refusal { throw Failure(.unsupported, attempt, cause: refusal) }
    if let name = track.file {
      try self.init(track, .file(try SubtitleFile(path: name, interruption: interruption)), name, interruption)
    } else {
      guard let clip else { throw Failure(.usage, attempt, cause: "the clip that holds them is not open") }
      let file = try Demuxer(clip, interruption: interruption)
      file.leaveOut(allBut: Set([track.streamIndex].compactMap { $0 }))
      try self.init(track, .clip(file), clip.info.path, interruption, origin: clip.videoStart)
    }
  }

  /// A piece of a track that is a file of its own, and was loaded.
  ///
  /// - Parameter name: of the stream, for messages.
  public convenience init(
    _ track: SubtitleTrack, piece bytes: [UInt8], of name: String, interruption: Interruption = Interruption()
  ) throws(Failure) {
    let file = try SubtitleFile(bytes, path: name, interruption: interruption)
    try self.init(track, .file(file), name, interruption)
  }

  private static func attempt(_ path: String) -> String { "cannot show subtitles of '\(path)'" }

  private init(
    _ track: SubtitleTrack, _ source: Source, _ path: String, _ interruption: Interruption, origin: MediaTime = .zero
  ) throws(Failure) {
    let attempt = Self.attempt(path)
    var note: String?
    let stream: UnsafeMutablePointer<AVStream>?
    switch source {
    case .file(let file):
      stream = file.context.pointee.nb_streams > 0 ? file.context.pointee.streams[0] : nil
      if file.encoding == .windows1252 { note = "'\(path)' is not UTF-8: it is read as Windows-1252" }
    case .clip(let file): stream = track.streamIndex.flatMap { file.stream($0) }
    }
    (self.source, self.origin) = (source, origin)
    guard let stream, stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE else {
      throw Failure(.media, attempt, cause: "the file has no such stream any more", remedy: "open it again")
    }
    self.stream = stream
    decoder = try SubtitleDecoder(stream, attempt: attempt)
    let isStyled = ["ass", "ssa", "eia_608"].contains(decoder.name)
    script = SubtitleScript(
      header: decoder.header, isStyled: isStyled, fonts: isStyled ? attachedFonts(source.context) : [])
    (self.track, self.note, self.interruption) = (track, note, interruption)
  }

  /// Nil at the end.
  ///
  /// Throws `.cancelled` once reading was stopped, and `.media` where there is too much of it.
  public func next() throws(Failure) -> SubtitleEvent? {
    while waiting.isEmpty, !isAtEnd { try read() }
    guard !waiting.isEmpty else { return nil }
    return waiting.removeFirst()
  }

  private func read() throws(Failure) {
    var packet = av_packet_alloc()
    defer { av_packet_free(&packet) }
    guard let packet else { throw failure(.failed, "out of memory") }
    guard try read(into: packet) else {
      isAtEnd = true
      if let pending { try add(pending) }
      pending = nil
      return
    }
    guard packet.pointee.stream_index == stream.pointee.index else { return }
    let stamp = bench_packet_stamp(packet)
    guard stamp != bench_nopts() else { return }
    let base = Ratio(stream.pointee.time_base)
    let packetStart = MediaTime(ticks: stamp, timeBase: base) - origin
    if var event = pending {
      event.end = min(max(packetStart, event.start), event.end)
      try add(event)
      pending = nil
    }
    guard packet.pointee.size <= Self.eventByteLimit else {
      tooLong += 1
      return
    }
    guard let decoded = decoder.decode(packet) else { return }
    let start = packetStart + decoded.delay
    let length = packet.pointee.duration > 0 ? MediaTime(ticks: packet.pointee.duration, timeBase: base) : nil
    let end = decoded.length.map { packetStart + $0 } ?? length.map { packetStart + $0 }
    for line in decoded.lines {
      guard line.utf8.count <= Self.eventByteLimit else {
        tooLong += 1
        continue
      }
      let event = SubtitleEvent(start: start, end: end ?? start + Self.longest, line: line)
      if end == nil, line == decoded.lines.last { pending = event } else { try add(event) }
    }
  }

  private func add(_ event: SubtitleEvent) throws(Failure) {
    guard event.end > event.start, !event.isEmpty else { return }
    count += 1
    byteCount += event.line.utf8.count
    guard count <= Self.eventLimit else {
      throw failure(.media, "there are more than \(Self.eventLimit) subtitles in it")
    }
    guard byteCount <= Self.byteLimit else {
      throw failure(.media, "there are more than \(Self.byteLimit >> 20) MiB of subtitles in it")
    }
    waiting.append(event)
  }

  private func read(into packet: UnsafeMutablePointer<AVPacket>) throws(Failure) -> Bool {
    guard !interruption.shouldStop else { throw failure(.cancelled, "reading was stopped or took too long") }
    switch source {
    case .clip(let file): return try file.read(into: packet)
    case .file(let file): return av_read_frame(file.context, packet) >= 0
    }
  }

  private func failure(_ kind: Failure.Kind, _ cause: String) -> Failure {
    Failure(
      kind, "cannot read all subtitles of '\(track.file ?? string(source.context.pointee.url) ?? "")'", cause: cause)
  }
}

/// TrueType and OpenType files that Matroska keeps beside its streams; few and small enough to be fonts.
private func attachedFonts(_ context: UnsafeMutablePointer<AVFormatContext>) -> [SubtitleScript.Font] {
  var (fonts, room): ([SubtitleScript.Font], Int) = ([], 64 << 20)
  for index in 0..<Int(context.pointee.nb_streams) where fonts.count < 64 {
    guard let stream = context.pointee.streams[index], let parameters = stream.pointee.codecpar,
      parameters.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT,
      [AV_CODEC_ID_TTF, AV_CODEC_ID_OTF].contains(parameters.pointee.codec_id),
      let data = parameters.pointee.extradata
    else { continue }
    let count = Int(parameters.pointee.extradata_size)
    guard count > 0, count <= room else { continue }
    room -= count
    let name = metadata(stream.pointee.metadata, "filename") ?? "font \(index)"
    fonts.append(SubtitleScript.Font(name: name, bytes: Array(UnsafeBufferPointer(start: data, count: count))))
  }
  return fonts
}
