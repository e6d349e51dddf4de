internal import CFFmpeg
import Frames
import Media

/// A file of subtitles, read whole and opened from memory: whatever its text says, nothing else is opened.
///
/// One thread at a time.
final class SubtitleFile {
  /// Longer ones are no subtitles.
  static let byteLimit = 16 << 20
  let context: UnsafeMutablePointer<AVFormatContext>
  let encoding: TextEncoding
  private let input: MemoryInput

  /// SRT, WebVTT or ASS, by what stands in it, else by its name's ending.
  ///
  /// Throws `.input` where it cannot be read, `.media` where it is none of these.
  init(path: String, interruption: Interruption) throws(Failure) {
    let bytes = try readBytes(path, byteLimit: Self.byteLimit, interruption: interruption)
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
    guard let input = MemoryInput(text, interruption: interruption), let context = avformat_alloc_context() else {
      throw Failure(.failed, attempt, cause: "out of memory")
    }
    context.pointee.pb = input.context
    captureLog()
    // avformat_open_input frees the context when it fails.
    var opened: UnsafeMutablePointer<AVFormatContext>? = context
    let status = avformat_open_input(&opened, nil, format, nil)
    guard status >= 0, let opened else {
      if interruption.shouldStop { throw Failure(.cancelled, attempt, cause: "reading was stopped or took too long") }
      throw Failure(.media, attempt, cause: ffmpegReason(status), remedy: "it is damaged")
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
  /// Nil: it is no WebVTT.
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

/// Bytes in memory for libavformat to read.
private final class MemoryInput {
  private(set) var context: UnsafeMutablePointer<AVIOContext>?
  private let bytes: [UInt8]
  private let interruption: Interruption
  private var position = 0
  private static let bufferSize = 1 << 15

  /// Nil: out of memory.
  init?(_ bytes: [UInt8], interruption: Interruption) {
    (self.bytes, self.interruption) = (bytes, interruption)
    guard let buffer = av_malloc(Self.bufferSize) else { return nil }
    context = avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0, Unmanaged.passUnretained(self).toOpaque(),
      { opaque, buffer, count in
        guard let opaque, let buffer else { return bench_averror_einval() }
        return Unmanaged<MemoryInput>.fromOpaque(opaque).takeUnretainedValue().read(into: buffer, Int(count))
      }, nil,
      { opaque, offset, whence in
        guard let opaque else { return Int64(bench_averror_einval()) }
        return Unmanaged<MemoryInput>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
      })
    guard context != nil else {
      av_free(buffer)
      return nil
    }
  }

  deinit {
    // The buffer may have been replaced by another one.
    if let buffer = context?.pointee.buffer { av_free(buffer) }
    avio_context_free(&context)
  }

  private func read(into buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
    guard !interruption.shouldStop else { return bench_averror_exit() }
    let count = min(count, bytes.count - position)
    guard count > 0 else { return bench_averror_eof() }
    bytes.withUnsafeBufferPointer { source in
      if let base = source.baseAddress { buffer.update(from: base + position, count: count) }
    }
    position += count
    return Int32(count)
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    if whence & AVSEEK_SIZE != 0 { return Int64(bytes.count) }
    let base: Int64
    switch whence & ~AVSEEK_FORCE {
    case SEEK_SET: base = 0
    case SEEK_CUR: base = Int64(position)
    case SEEK_END: base = Int64(bytes.count)
    default: return Int64(bench_averror_einval())
    }
    let (place, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, place >= 0, place <= Int64(bytes.count) else { return Int64(bench_averror_einval()) }
    position = Int(place)
    return place
  }
}
