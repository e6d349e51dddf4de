internal import CFFmpeg
import Frames
import Logging
import Media
import Synchronization

/// The current decoder, the software decoder that may take over from it, and one beside it for single packets.
///
/// One thread at a time; `state` from any.
final class DecoderSlot {
  private(set) var video: VideoDecoder
  /// Of the packets that it takes.
  private(set) var format: PacketFormat
  /// Decoded the first packet while the clip was opened; nil where probing told what the clip is.
  let firstPacket: FirstPacketProbe?
  /// The current decoder. Any thread.
  var state: DecoderState { shared.withLock { $0 } }
  private let shared: Mutex<DecoderState>
  private let options: DecoderOptions
  private let allocator: PictureAllocator?
  private let leastSize: PictureSize?
  private let path: String
  /// Of a hardware decoder that software may take over from; nil of all others.
  private var history: PacketHistory?
  private var beside: VideoDecoder?
  /// Of the frame that was made last.
  private var lastFormat: StreamFormat?
  /// The last frame that came out since the decoder was flushed.
  private var lastOut: MediaTime?
  /// Frames up to here come a second time, from another decoder.
  private var repeatsUntil: MediaTime?

  /// Starts the decoder that was asked for, or the one that `auto` comes to.
  ///
  /// - Parameter leastSize: as `FrameReader`'s.
  init(
    _ format: PacketFormat, _ options: DecoderOptions, _ allocator: PictureAllocator?, leastSize: PictureSize?,
    firstPacket: FirstPacketProbe?, path: String
  ) throws(Failure) {
    let opened = try openDecoder(format, options, allocator, leastSize: leastSize, path: path)
    video = opened.video
    if opened.video.hardware != nil, options.mayFallBack { history = PacketHistory() }
    shared = Mutex(DecoderState(description: opened.video.description, reason: opened.reason))
    (self.format, self.options, self.allocator) = (format, options, allocator)
    (self.leastSize, self.firstPacket, self.path) = (leastSize, firstPacket, path)
    logOpened()
  }

  /// Packets of another format follow: they get a decoder of their own, by the same choice. The one before holds nothing any
  /// more: it was drained or flushed. Where there is none for that format nothing has changed.
  func change(to format: PacketFormat) throws(Failure) {
    let opened = try openDecoder(format, options, allocator, leastSize: leastSize, path: path)
    (video, self.format, beside, repeatsUntil) = (opened.video, format, nil, nil)
    history = opened.video.hardware != nil && options.mayFallBack ? PacketHistory() : nil
    shared.withLock {
      ($0.description, $0.reason, $0.sharingRefusal) = (opened.video.description, opened.reason, nil)
    }
    logOpened()
  }

  private func logOpened() {
    let reason = shared.withLock { $0.reason }
    decodeLog.debug(
      "opened a decoder",
      metadata: [
        "decoder": "\(video.description.name)", "on": "\(video.description.choice.rawValue)",
        "reason": "\(reason ?? "asked for")",
      ])
  }

  /// For sync samples that are shown while decoding goes on; opened when it is first wanted.
  func decoderBeside() throws(Failure) -> VideoDecoder {
    if let beside { return beside }
    var options = options
    options.isLowDelay = true
    let made = try VideoDecoder(
      format, codec: try softwareCodec(format, path), options: options, allocator: allocator, path: path)
    beside = made
    return made
  }

  /// A packet is about to be given to the decoder.
  func keep(_ read: ReadPacket) { history?.append(read) }

  /// A frame came out of the decoder, and is given out or passed over.
  func gave(_ time: MediaTime) { lastOut = time }

  /// A frame was made of the decoder's output.
  func made(_ frame: VideoFrame) {
    guard let format = frame.stream, format !== lastFormat else { return }
    lastFormat = format
    shared.withLock { state in
      if !state.formats.contains(where: { $0 === format }) { state.formats.append(format) }
    }
  }

  /// Discards the packets and frames in the decoder.
  func flush() {
    video.flush()
    history?.removeAll()
    (lastOut, repeatsUntil) = (nil, nil)
  }

  /// Makes a frame out of a hardware decoder ready to be drawn; does nothing to others.
  func bring(
    _ frame: UnsafeMutablePointer<AVFrame>, from video: VideoDecoder, allowsDeep: Bool
  ) throws(Failure) {
    guard let hardware = video.hardware else { return }
    try video.bring(frame, allowsDeep: allowsDeep)
    let refusal = hardware.sharingRefusal
    guard let refusal, shared.withLock({ $0.sharingRefusal }) == nil else { return }
    shared.withLock {
      $0.sharingRefusal = refusal
      $0.description.sharesMemory = false
    }
    decodeLog.debug("frames are copied back", metadata: ["reason": "\(refusal)"])
  }

  /// Falls back to software after a hardware decoder gave up. Throws, and changes nothing, where the user named the
  /// decoder.
  ///
  /// - Returns: the buffered packets, oldest first, owned by the caller: software replays them, and `isRepeat`
  ///   recognises frames delivered before.
  func takeOver(_ cause: String) throws(Failure) -> [ReadPacket] {
    let name = state.description.choice.rawValue
    guard let history, history.isWhole else {
      throw Failure(
        .unsupported, "cannot decode '\(path)' with \(name)", cause: cause, remedy: "use --decoder software")
    }
    let software = try VideoDecoder(
      format, codec: try softwareCodec(format, path), options: options, allocator: allocator, path: path)
    let packets = history.takeAll()
    self.history = nil
    repeatsUntil = lastOut
    video = software
    let place = lastOut.map { "after the frame at \($0.seconds) s" } ?? "before the first frame"
    shared.withLock {
      $0.description = software.description
      $0.reason = "\(name) gave up \(place): \(cause)"
    }
    decodeLog.debug("software takes over", metadata: ["reason": "\(state.reason ?? cause)"])
    return packets
  }

  /// Whether the frame at a time came already, or was left out, before another decoder took over.
  func isRepeat(_ time: MediaTime) -> Bool { repeatsUntil.map { time <= $0 } ?? false }

  /// The same of a frame that came out: none after the first new one is a repeat.
  func passRepeat(_ time: MediaTime) -> Bool {
    if isRepeat(time) { return true }
    repeatsUntil = nil
    return false
  }
}

/// The current decoder; a hardware decoder that gives up is replaced while frames are read.
struct DecoderState: Sendable {
  var description: DecoderDescription
  /// Why it decodes; nil when the user chose it and it works.
  var reason: String?
  var sharingRefusal: String?
  /// The formats of frames so far, each once, in order of first appearance.
  var formats: [StreamFormat] = []
}

/// The decoder that was asked for, or the one that `auto` comes to.
///
/// - Returns: the decoder, and why it is that one where that was left to us.
private func openDecoder(
  _ format: PacketFormat, _ options: DecoderOptions, _ allocator: PictureAllocator?, leastSize: PictureSize?,
  path: String
) throws(Failure) -> (video: VideoDecoder, reason: String?) {
  let codec = try softwareCodec(format, path)
  var reason: String?
  do throws(Failure) {
    let (session, decision) = try openHardware(format.codec, codec, options, allocator, path)
    reason = decision.reason
    if let session {
      let video = try VideoDecoder(
        format, codec: session.codec, options: options, allocator: allocator, hardware: session, path: path)
      return (video, reason)
    }
  } catch {
    guard options.mayFallBack else { throw error }
    reason = "\(error.attempt.split(separator: " ").last ?? "hardware") cannot: \(error.cause)"
  }
  let video = try VideoDecoder(
    format, codec: codec, options: options, allocator: allocator, leastSize: leastSize, path: path)
  return (video, reason)
}

/// FFmpeg's own decoder of a format.
private func softwareCodec(_ format: PacketFormat, _ path: String) throws(Failure) -> UnsafePointer<AVCodec> {
  if let codec = avcodec_find_decoder(format.codec) { return codec }
  throw Failure(
    .unsupported, "cannot decode '\(path)'",
    cause: "this FFmpeg has no decoder for codec '\(string(avcodec_get_name(format.codec)) ?? "unknown")'",
    remedy: "convert it, or use an FFmpeg built with that decoder")
}

/// Nil where software decodes.
private func openHardware(
  _ id: AVCodecID, _ codec: UnsafePointer<AVCodec>, _ options: DecoderOptions, _ allocator: PictureAllocator?,
  _ path: String
) throws(Failure) -> ((any HardwareSession)?, DecoderDecision) {
  let candidates = DecoderCandidate.all(
    options.hardware, id, allocator?.sharing, options.device ?? allocator?.sharing?.device)
  let decision = try DecoderDecision(
    options.choice, candidates, isShared: allocator?.sharing != nil, opensNext: true, path: path)
  guard let row = options.hardware.named(decision.choice) else { return (nil, decision) }
  let device = options.device ?? allocator?.sharing?.device
  return (try row.makeSession(id, on: device, allocator: allocator, path: path), decision)
}
