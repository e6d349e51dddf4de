package import CFFmpeg
import Frames

/// The coded format of a stretch of packets: all that a decoder needs to begin with the first of them.
///
/// Packets that have it in common share the instance: where a packet comes with another one, decoding begins anew. Never
/// written once it is made; any thread.
package final class PacketFormat: Sendable {
  /// Owned by this; read only.
  nonisolated(unsafe) package let parameters: UnsafeMutablePointer<AVCodecParameters>
  /// In which its packets' time stamps count.
  package let timeBase: AVRational

  /// Copies the stream's current parameters.
  ///
  /// - Parameter timeBase: of the packets; nil: the stream's own.
  package init(_ stream: UnsafeMutablePointer<AVStream>, timeBase: AVRational? = nil) throws(Failure) {
    guard let parameters = avcodec_parameters_alloc() else { throw outOfMemory }
    self.parameters = parameters
    self.timeBase = timeBase ?? stream.pointee.time_base
    guard avcodec_parameters_copy(parameters, stream.pointee.codecpar) >= 0 else { throw outOfMemory }
  }

  /// Of packets that are in no file.
  ///
  /// - Parameter describe: sets the parameters.
  init(timeBase: AVRational, describe: (inout AVCodecParameters) -> Void) throws(Failure) {
    guard let parameters = avcodec_parameters_alloc() else { throw outOfMemory }
    (self.parameters, self.timeBase) = (parameters, timeBase)
    describe(&parameters.pointee)
  }

  deinit {
    var owned: UnsafeMutablePointer<AVCodecParameters>? = parameters
    avcodec_parameters_free(&owned)
  }

  /// Whether a stream's packets can be decoded by a decoder of this format.
  package func fits(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    let (own, other) = (parameters.pointee, stream.pointee.codecpar.pointee)
    guard own.codec_id == other.codec_id, own.width == other.width, own.height == other.height,
      own.extradata_size == other.extradata_size
    else { return false }
    guard own.extradata_size > 0, let headers = own.extradata, let others = other.extradata else { return true }
    return UnsafeBufferPointer(start: headers, count: Int(own.extradata_size))
      .elementsEqual(UnsafeBufferPointer(start: others, count: Int(own.extradata_size)))
  }

  package var codec: AVCodecID { parameters.pointee.codec_id }

  /// A picture's two fields may come in packets of their own.
  package var hasFieldPackets: Bool {
    let order = parameters.pointee.field_order
    return order != AV_FIELD_PROGRESSIVE && order != AV_FIELD_UNKNOWN
  }
}

private let outOfMemory = Failure(.failed, "cannot decode a stream", cause: "out of memory")
