internal import CFFmpeg
import Frames

/// Who decodes, as it stands now; a hardware decoder that gives up is replaced while frames are read.
struct DecoderState: Sendable {
  var description: DecoderDescription
  /// Why it decodes; nil when somebody chose, and it does what it was chosen for.
  var reason: String?
  var sharingRefusal: String?
}

/// The decoder that was asked for, or the one that `auto` comes to.
///
/// - Returns: the decoder, and why it is that one where that was left to us.
func openDecoder(
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
    let decision = try DecoderDecision(.software, id, nil, nil, path)
    return (try HardwareSession(planting: planted, codec, allocator), decision)
  }
  let decision = try DecoderDecision(options.choice, id, allocator?.sharing, options.device, path)
  guard let row = HardwareDecoders.named(decision.choice) else { return (nil, decision) }
  let device = options.device ?? allocator?.sharing?.device
  return (try HardwareSession(row, id, on: device, allocator: allocator, path: path), decision)
}

extension FrameReader {
  /// Who decodes, at this moment. Any thread.
  public var decoder: DecoderDescription { decoderState.withLock { $0.description } }
  /// Why it is that one, where it is not simply what was asked for. Any thread.
  public var decoderReason: String? { decoderState.withLock { $0.reason } }
  /// Why a hardware decoder's frames are copied back though they could have been shared; nil when they were not. Any thread.
  public var sharingRefusal: String? { decoderState.withLock { $0.sharingRefusal } }

  /// Makes a frame out of a hardware decoder ready to be drawn; whatever came out of others is.
  func bring(_ frame: UnsafeMutablePointer<AVFrame>, from video: VideoDecoder) throws(Failure) {
    guard let hardware = video.hardware else { return }
    try video.bring(frame, allowsDeep: allowsDeepSamples)
    let refusal = hardware.sharingRefusal
    guard let refusal, decoderState.withLock({ $0.sharingRefusal }) == nil else { return }
    decoderState.withLock {
      $0.sharingRefusal = refusal
      $0.description.sharesMemory = false
    }
  }

  /// Lets software take over from a hardware decoder that gave up, from the packets that it was given last; frames that
  /// came already are left out. Refuses where the decoder was chosen by name.
  func replaceDecoder(_ cause: String) throws(Failure) {
    let name = decoder.choice.rawValue
    guard let history, history.isWhole, let software = try openSoftware?(stream) else {
      throw Failure(
        .unsupported, "cannot decode '\(info.path)' with \(name)", cause: cause, remedy: "use --decoder software")
    }
    for read in history.takeAll().reversed() { ahead.putBack(read) }
    self.history = nil
    owed.forget()
    repeatsUntil = lastOut
    isDraining = false
    video = software
    let place = lastOut.map { "after the frame at \($0.seconds) s" } ?? "before the first frame"
    decoderState.withLock {
      $0.description = software.description
      $0.reason = "\(name) gave up \(place): \(cause)"
    }
  }

  /// Whether the frame came already, from the decoder before.
  func wasOut() -> Bool {
    guard let repeatsUntil else { return false }
    if place.time <= repeatsUntil { return true }
    self.repeatsUntil = nil
    return false
  }

  /// Whether the frame of a packet came already, or was left out, before another decoder took over.
  func wasOut(_ stamp: Int64) -> Bool { repeatsUntil.map { mediaTime(stamp) <= $0 } ?? false }

  /// Whether anybody wants the samples of the frame that came out last.
  var wantsSamples: Bool {
    if case .before(let time) = skipping { return place.time >= time }
    return true
  }
}
