internal import CFFmpeg
import Frames
import Media

/// A file of subtitles, read whole and opened from memory: its text opens no other file.
///
/// One thread at a time.
final class SubtitleFile {
  /// The longest file accepted as subtitles.
  static let byteLimit = 16 << 20
  let context: UnsafeMutablePointer<AVFormatContext>
  let encoding: TextEncoding
  private let input: SourceContext

  /// SRT, WebVTT or ASS, by its content, else by its name's ending.
  ///
  /// Throws `.input` where it cannot be read, `.media` where it is none of these.
  convenience init(path: String, interruption: Interruption) throws(Failure) {
    try self.init(
      try readBytes(path, byteLimit: Self.byteLimit, interruption: interruption), path: path,
      interruption: interruption)
  }

  /// - Parameter bytes: of the file.
  init(_ bytes: [UInt8], path: String, interruption: Interruption) throws(Failure) {
    let attempt = "cannot read subtitles from '\(path)'"
    let (decoded, encoding) = TextEncoding.utf8(bytes)
    self.encoding = encoding
    guard let format = Self.format(decoded, path: path) else {
      throw Failure(
        .media, attempt, cause: "it is neither SRT, WebVTT nor ASS", remedy: "name a file of one of these formats")
    }
    let isWebVTT = string(format.pointee.name) == "webvtt"
    guard let text = isWebVTT ? WebVTT.cues(decoded) : decoded else {
      throw Failure(.media, attempt, cause: "its first line is not 'WEBVTT'", remedy: "name a WebVTT file of text")
    }
    let source = MemorySource(text, name: path)
    guard let input = SourceContext(source, interruption: interruption), let context = avformat_alloc_context() else {
      throw Failure(.failed, attempt, cause: "out of memory")
    }
    context.pointee.pb = input.context
    let errors = FFmpegErrors()
    // avformat_open_input frees the context when it fails.
    var opened: UnsafeMutablePointer<AVFormatContext>? = context
    let status = avformat_open_input(&opened, nil, format, nil)
    guard status >= 0, let opened else {
      if interruption.shouldStop { throw Failure(.cancelled, attempt, cause: "reading was stopped or took too long") }
      throw Failure(.media, attempt, cause: errors.reason(status), remedy: "it is damaged")
    }
    self.input = input
    self.context = opened
  }

  deinit {
    var closing: UnsafeMutablePointer<AVFormatContext>? = context
    avformat_close_input(&closing)
  }

  private static let demuxers = ["srt", "webvtt", "ass"]

  private static func format(_ text: [UInt8], path: String) -> UnsafePointer<AVInputFormat>? {
    let count = min(text.count, 1 << 16)
    var head = Array(text[..<count]) + [UInt8](repeating: 0, count: Int(AVPROBE_PADDING_SIZE))
    let found = head.withUnsafeMutableBufferPointer { buffer in
      var data = AVProbeData()
      data.buf = buffer.baseAddress
      data.buf_size = Int32(count)
      return av_probe_input_format(&data, 1)
    }
    if let found, let name = string(found.pointee.name), demuxers.contains(name) { return found }
    switch SideSubtitles.track(named: path).codec {
    case "subrip": return av_find_input_format("srt")
    case "webvtt": return av_find_input_format("webvtt")
    case "ass": return av_find_input_format("ass")
    default: return nil
    }
  }
}

extension WebVTT {
  /// A file with the same cues and nothing else: at styles, regions and malformed times, libavformat's reader stops. Where
  /// on the screen cues want to be is left out, which libavcodec does not tell anyway.
  ///
  /// Nil: the text is not WebVTT.
  fileprivate static func cues(_ text: [UInt8]) -> [UInt8]? {
    let lines = lines(text)
    guard let first = lines.first, isSignature(first) else { return nil }
    var result = Array("WEBVTT\n".utf8)
    eachBlock(lines) { block in
      guard let timings = block.timings, timings.end > timings.start else { return true }
      let (start, end) = (timestamp(milliseconds(timings.start)), timestamp(milliseconds(timings.end)))
      result += Array("\n\(start) --> \(end)\n".utf8)
      for line in block.payload { result += line + [0x0A] }
      return true
    }
    return result
  }
}
