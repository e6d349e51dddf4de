import Decode
import Frames
import Media
import Render
import Session
import TestPicture
import Verdict

/// Holds a clip's frames against what they must be: as decoded, sample for sample, and as drawn, within a tolerance.
///
/// Decoding of today's codecs is defined bit by bit, so that a hardware decoder's samples must be the software decoder's;
/// only their layout differs. Drawing is held against the double-precision reference of the software decoder's frame.
package struct FrameVerification {
  /// One of this many frames is drawn and compared.
  static let drawInterval = 16
  /// Decibels, weighted by the sphere, over pixels on a grid. Rounding alone gives 58.9, and devices that filter with
  /// weights of eight bits stay above 48. Another picture lies below, and so does damage: values that are off by 64 in
  /// a six-hundredth of the view.
  static let leastPSNR = 40.0
  private static let pixelLimit = 1 << 13

  private let expected: ExpectedFrames
  private let digest: FrameDigest
  package private(set) var wrong = 0
  /// The first mismatch, for the message.
  package private(set) var firstWrong: String?
  /// Frames that have no checksum of their own: the file's is of the frame scaled to the first one's size and format, as the
  /// ffmpeg tool writes it.
  package private(set) var scaled = 0
  private var first: (size: PictureSize, format: PictureFormat, byteCount: Int)?

  package init?(_ expected: ExpectedFrames) {
    guard let digest = FrameDigest(expected.hash) else { return nil }
    self.expected = expected
    self.digest = digest
  }

  /// Frame `index` of the clip as the software decoder has it, and as the decoder under test has it.
  package mutating func check(_ frame: VideoFrame, software: VideoFrame, index: Int) {
    let bytes = software.planarBytes
    let reference = digest.hexadecimal(of: bytes)
    if first == nil { first = (software.size, software.format, bytes.count) }
    if let sums = expected.sums {
      guard index < sums.count else { return note("frame \(index) has no checksum: there are \(sums.count)") }
      let sum = sums[index]
      if isScaled(sum, software, reference) {
        scaled += 1
      } else if sum.byteCount != bytes.count {
        return note("frame \(index) has \(bytes.count) bytes in software, not \(sum.byteCount)")
      } else if sum.checksum != reference {
        return note("frame \(index) has the \(expected.hash) \(reference) in software, not \(sum.checksum)")
      }
    }
    guard frame.presentationTime == software.presentationTime else {
      return note("frame \(index) has the time \(frame.presentationTime), not \(software.presentationTime)")
    }
    // Samples that stay on the device are seen in views only, converted ones are no longer the decoder's.
    guard frame.isInHostMemory, frame.convertedFrom == software.convertedFrom else { return }
    let found = digest.hexadecimal(of: frame.planarBytes)
    if found != reference { note("decoded frame \(index) has the \(expected.hash) \(found), not \(reference)") }
  }

  private func isScaled(_ sum: ExpectedFrames.Sum, _ software: VideoFrame, _ reference: String) -> Bool {
    guard let first, sum.checksum != reference, sum.byteCount == first.byteCount else { return false }
    return software.size != first.size || software.format != first.format
  }

  /// A view of frame `index` that was read back.
  package mutating func check(_ pixels: [UInt8], reference: ExactTwin, index: Int, seed: UInt64) {
    let error = ViewError(of: pixels, reference: reference, seed: seed, pixelLimit: Self.pixelLimit)
    guard error.weightedPSNR < Self.leastPSNR else { return }
    note(
      "the rendered view of frame \(index) is \(ReportText.number(error.weightedPSNR)) dB from the software decoder's, less "
        + "than \(ReportText.number(Self.leastPSNR))")
  }

  /// One of the decoders ended before the other.
  mutating func note(_ text: String) {
    wrong += 1
    firstWrong = firstWrong ?? text
  }
}

extension VideoFrame {
  /// All samples as FFmpeg's planar format of the same depth has them, without padding: interleaved chroma is taken apart,
  /// and samples in the high bits are brought down.
  package var planarBytes: [UInt8] {
    picture.planes.enumerated().flatMap { index, plane -> [UInt8] in
      let bytes = format.sampleShift == 0 ? plane.packedBytes() : lowered(plane.packedBytes())
      guard format.planes[index].components == 2 else { return bytes }
      let width = format.bitDepth > 8 ? 2 : 1
      return [0, width].flatMap { start in
        stride(from: start, to: bytes.count, by: 2 * width).flatMap { bytes[Range(from: $0, to: $0 + width)] }
      }
    }
  }

  /// Little-endian samples of two bytes.
  private func lowered(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count - 1, by: 2).flatMap { place -> [UInt8] in
      let sample = (UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8) >> UInt16(format.sampleShift)
      return [UInt8(sample & 0xFF), UInt8(sample >> 8)]
    }
  }
}

extension Trial {
  /// Decodes the clip once more, by the same decoder and beside it in software, draws some of its frames on the same device,
  /// and counts what is wrong. After the measurement, because hashing a frame takes longer than decoding one.
  func verify(_ expected: ExpectedFrames) throws(Failure) {
    guard var verification = FrameVerification(expected), !shouldStop else { return }
    stage("check frames")
    let settings = request.settings
    // The trial's own may have ended its feed.
    let interruption = laterInterruption()
    var options = settings.decoder
    (options.choice, options.isAutomatic, options.device) = (.software, false, nil)
    let software = try FrameReader(path: request.input, options: options, interruption: interruption)
    let session =
      request.scenario.needsDevice
      ? try RenderSession(path: request.input, options: settings.sessionOptions(), interruption: interruption) : nil
    let reader: FrameReader
    if let session {
      reader = session.reader
    } else {
      reader = try FrameReader(path: request.input, options: settings.decoder, interruption: interruption)
    }
    let rate = reader.info.video.frameRate.value ?? 25
    let target = frameTarget(rate: rate)
    for index in 0..<target where !shouldStop {
      let (reference, frame) = (try next(software.next), try next(reader.next))
      guard let reference, let frame else {
        if (reference == nil) != (frame == nil), !shouldStop {
          verification.note("the \(frame == nil ? "decoder" : "software decoder") ends after \(index) frames")
        }
        break
      }
      if let source = reference.convertedFrom, expected.sums != nil {
        throw Failure(
          .unsupported, "cannot check the frames of '\(request.input)'",
          cause: "libswscale makes \(reference.format.name) of its \(source), of which the checksums are",
          remedy: "give --expect software")
      }
      verification.check(frame, software: reference, index: index)
      if let session, index % FrameVerification.drawInterval == 0 {
        let camera = camera(atFrame: index, rate: rate)
        var views = try session.renderer.render(frame, camera: camera, wantsPixels: true)
        views += try session.renderer.drain()
        if let pixels = views.last?.pixels {
          verification.check(
            pixels,
            reference: ExactTwin(
              frame: reference, geometry: session.renderer.geometry, camera: camera,
              target: session.renderer.targetSize, chromaBlock: session.shading == .compute ? 2 : 1),
            index: index, seed: settings.repetition.seed)
        }
      }
      progress(Double(index) / Double(target))
    }
    count(.wrongFrame, verification.wrong)
    if verification.scaled > 0 {
      facts.warnings.append(
        .init(
          code: .leftOut,
          text:
            "\(verification.scaled) of the frames were not compared with '\(expected.name)': the clip changes its format, and "
            + "the file's checksums are of frames that were scaled to the first one's",
          remedy: "add '-autoscale 0' to the ffmpeg command that makes it, or give --expect software"))
    }
    if let text = verification.firstWrong { facts.warnings.append(.init(code: .wrongFrame, text: text)) }
  }
}
