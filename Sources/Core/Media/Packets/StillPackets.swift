package import CFFmpeg
import Frames

/// Black pictures for as long as a clip without video sounds, so that it is played as any other. One thread at a time.
package final class StillPackets: PacketSource {
  package let path: String
  package let format: PacketFormat
  private let length: Int64
  /// Of `rawvideo`; every packet shares its bytes.
  private let picture: UnsafeMutablePointer<AVPacket>
  private var next: Int64 = 0

  /// A second: black pictures need not come often.
  static let rate = 10
  static let size = PictureSize(width: 640, height: 360)

  /// - Parameter info: of a clip without video, as `describeSound` tells it.
  package init(_ info: MediaInfo) throws(Failure) {
    (path, length) = (info.path, Int64(info.video.frameCount ?? 0))
    let bytes = Self.size.width * Self.size.height * 3 / 2
    var owned = av_packet_alloc()
    guard let picture = owned, av_new_packet(picture, Int32(bytes)) >= 0, let data = picture.pointee.data else {
      av_packet_free(&owned)
      throw Failure(.memory, "cannot play '\(info.path)'", cause: "out of memory")
    }
    let luma = Self.size.width * Self.size.height
    data.update(repeating: 16, count: luma)
    (data + luma).update(repeating: 128, count: bytes - luma)
    self.picture = picture
    format = try PacketFormat(timeBase: AVRational(num: 1, den: Int32(Self.rate))) { parameters in
      (parameters.codec_type, parameters.codec_id) = (AVMEDIA_TYPE_VIDEO, AV_CODEC_ID_RAWVIDEO)
      parameters.format = AV_PIX_FMT_YUV420P.rawValue
      (parameters.width, parameters.height) = (Int32(Self.size.width), Int32(Self.size.height))
    }
  }

  deinit {
    var owned: UnsafeMutablePointer<AVPacket>? = picture
    av_packet_free(&owned)
  }

  // MARK: - Facts

  package var isRemote: Bool { false }
  package var timeBase: AVRational { format.timeBase }
  package var startStamp: Int64 { 0 }
  package var duration: MediaTime? { MediaTime(ticks: length, timeBase: Ratio(timeBase)) }
  package var index: SyncSampleIndex { SyncSampleIndex() }
  package var hasNoIndex: Bool { true }
  package var damage: String? { nil }
  package var missingBytes: Int64 { 0 }
  package func want(_ tracks: Set<Int>) -> Set<Int> { [] }

  // MARK: - Reading

  package func read(into packet: UnsafeMutablePointer<AVPacket>) throws(Failure) -> PacketTrack? {
    guard next < length else { return nil }
    guard av_packet_ref(packet, picture) >= 0 else {
      throw Failure(.memory, "cannot play '\(path)'", cause: "out of memory")
    }
    (packet.pointee.pts, packet.pointee.dts, packet.pointee.duration) = (next, next, 1)
    packet.pointee.flags |= AV_PKT_FLAG_KEY
    next += 1
    return .video(format)
  }

  package func goToStart() { next = 0 }

  package func seek(toSyncSampleAt time: MediaTime) -> Bool {
    let place = av_rescale_q(time.nanoseconds, AVRational(num: 1, den: 1_000_000_000), timeBase)
    next = min(max(0, place), max(0, length - 1))
    return true
  }
}
