internal import CFFmpeg
import Frames
import Media
import Synchronization

/// The decoder at work, the software that may take over from it, and one beside it for single packets.
///
/// One thread at a time; `state` from any.
final class DecoderSlot {
  private(set) var video: VideoDecoder
  /// Decoded the first packet while the clip was opened; nil where probing told what the clip is.
  let firstPacket: FirstPacketProbe?
  /// Who decodes, at this moment. Any thread.
  var state: DecoderState { shared.withLock { $0 } }
  private let shared: Mutex<DecoderState>
  private let path: String
  /// Of a hardware decoder that software may take over from; nil of all others.
  private var history: PacketHistory?
  /// Nil where no other decoder takes over.
  private var openSoftware: ((UnsafeMutablePointer<AVStream>) throws(Failure) -> VideoDecoder)?
  /// Makes a decoder like `video`, but for one packet at a time.
  private let openBeside: (UnsafeMutablePointer<AVStream>) throws(Failure) -> VideoDecoder
  private var beside: VideoDecoder?
  /// The last frame that came out since the decoder was flushed.
  private var lastOut: MediaTime?
  /// Frames up to here come a second time, from another decoder.
  private var repeatsUntil: MediaTime?

  /// Starts the decoder that was asked for, or the one that `auto` comes to.
  ///
  /// - Parameter leastSize: as `FrameReader`'s.
  init(
    _ stream: UnsafeMutablePointer<AVStream>, _ codec: UnsafePointer<AVCodec>, _ options: DecoderOptions,
    _ allocator: PictureAllocator?, leastSize: PictureSize?, firstPacket: FirstPacketProbe?, path: String
  ) throws(Failure) {
    let opened = try openDecoder(stream, codec, options, allocator, leastSize: leastSize, path: path)
    video = opened.video
    if opened.video.hardware != nil, options.mayFallBack {
      history = PacketHistory()
      openSoftware = { (stream) throws(Failure) in
        try VideoDecoder(stream: stream, codec: codec, options: options, allocator: allocator, path: path)
      }
    }
    openBeside = { (stream) throws(Failure) in
      var options = options
      options.isLowDelay = true
      return try VideoDecoder(stream: stream, codec: codec, options: options, allocator: allocator, path: path)
    }
    shared = Mutex(DecoderState(description: opened.video.description, reason: opened.reason))
    (self.firstPacket, self.path) = (firstPacket, path)
  }

  /// For sync samples that are shown while decoding goes on; opened when it is first wanted.
  func decoderBeside(_ stream: UnsafeMutablePointer<AVStream>) throws(Failure) -> VideoDecoder {
    if let beside { return beside }
    let made = try openBeside(stream)
    beside = made
    return made
  }

  /// A packet is about to be given to the decoder.
  func keep(_ read: ReadPacket) { history?.append(read) }

  /// A frame came out of the decoder, and is given out or passed over.
  func gave(_ time: MediaTime) { lastOut = time }

  /// Forgets what the decoder holds.
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
  }

  /// Lets software take over from a hardware decoder that gave up. Refuses where the decoder was chosen by name; nothing has
  /// changed then.
  ///
  /// - Returns: the packets that the decoder was given last, which are the caller's, the oldest first: decoding goes on there,
  ///   and frames that came already are told by `isRepeat`.
  func takeOver(_ cause: String, _ stream: UnsafeMutablePointer<AVStream>) throws(Failure) -> [ReadPacket] {
    let name = state.description.choice.rawValue
    guard let history, history.isWhole, let software = try openSoftware?(stream) else {
      throw Failure(
        .unsupported, "cannot decode '\(path)' with \(name)", cause: cause, remedy: "use --decoder software")
    }
    let packets = history.takeAll()
    self.history = nil
    repeatsUntil = lastOut
    video = software
    let place = lastOut.map { "after the frame at \($0.seconds) s" } ?? "before the first frame"
    shared.withLock {
      $0.description = software.description
      $0.reason = "\(name) gave up \(place): \(cause)"
    }
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

/// Who decodes, as it stands now; a hardware decoder that gives up is replaced while frames are read.
struct DecoderState: Sendable {
  var description: DecoderDescription
  /// Why it decodes; nil when the user chose it and it works.
  var reason: String?
  var sharingRefusal: String?
}

/// The decoder that was asked for, or the one that `auto` comes to.
///
/// - Returns: the decoder, and why it is that one where that was left to us.
private func openDecoder(
  _ stream: UnsafeMutablePointer<AVStream>, _ codec: UnsafePointer<AVCodec>, _ options: DecoderOptions,
  _ allocator: PictureAllocator?, leastSize: PictureSize?, path: String
) throws(Failure) -> (video: VideoDecoder, reason: String?) {
  var reason: String?
  do throws(Failure) {
    let (session, decision) = try openHardware(
      stream.pointee.codecpar.pointee.codec_id, codec, options, allocator, path)
    reason = decision.reason
    if let session {
      let video = try VideoDecoder(
        stream: stream, codec: session.codec, options: options, allocator: allocator, hardware: session, path: path)
      return (video, reason)
    }
  } catch {
    guard options.mayFallBack else { throw error }
    reason = "\(error.attempt.split(separator: " ").last ?? "hardware") cannot: \(error.cause)"
  }
  let video = try VideoDecoder(
    stream: stream, codec: codec, options: options, allocator: allocator, leastSize: leastSize, path: path)
  return (video, reason)
}

/// Nil where software decodes.
private func openHardware(
  _ id: AVCodecID, _ codec: UnsafePointer<AVCodec>, _ options: DecoderOptions, _ allocator: PictureAllocator?,
  _ path: String
) throws(Failure) -> (HardwareSession?, DecoderDecision) {
  if let planted = options.planted {
    let decision = try DecoderDecision(.software, [], isShared: false, opensNext: true, path: path)
    return (try HardwareSession(planting: planted, codec, allocator), decision)
  }
  let candidates = DecoderCandidate.all(id, allocator?.sharing, options.device ?? allocator?.sharing?.device)
  let decision = try DecoderDecision(
    options.choice, candidates, isShared: allocator?.sharing != nil, opensNext: true, path: path)
  guard let row = HardwareDecoders.named(decision.choice) else { return (nil, decision) }
  let device = options.device ?? allocator?.sharing?.device
  return (try HardwareSession(row, id, on: device, allocator: allocator, path: path), decision)
}
