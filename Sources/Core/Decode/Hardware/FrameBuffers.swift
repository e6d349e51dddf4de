internal import CFFmpeg

/// Memory for frames that are copied out of a device, used again: pages that the system has given once need not be asked for
/// with every frame, which takes longer than the copy.
///
/// One thread at a time; frames go from any thread, and outlive it.
final class FrameBuffers {
  private var pool: OpaquePointer?
  private var byteCount = 0
  /// Of rows, in bytes, and how many there are behind the last row: FFmpeg's vector code reads whole vectors.
  private let alignment: Int32 = 64

  deinit { av_buffer_pool_uninit(&pool) }

  /// Memory for a frame whose format, width and height are set; an error of FFmpeg's below 0.
  func fill(_ frame: UnsafeMutablePointer<AVFrame>) -> Int32 {
    let format = AVPixelFormat(rawValue: frame.pointee.format)
    let needed = av_image_get_buffer_size(format, frame.pointee.width, frame.pointee.height, alignment)
    guard needed >= 0 else { return needed }
    if Int(needed) != byteCount || pool == nil {
      av_buffer_pool_uninit(&pool)
      pool = av_buffer_pool_init(Int(needed) + Int(alignment), nil)
      byteCount = Int(needed)
    }
    guard let buffer = av_buffer_pool_get(pool) else { return bench_averror_nomem() }
    frame.pointee.buf.0 = buffer
    let filled = withUnsafeMutablePointer(to: &frame.pointee.data) { data in
      withUnsafeMutablePointer(to: &frame.pointee.linesize) { pitches in
        data.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { data in
          pitches.withMemoryRebound(to: Int32.self, capacity: 8) { pitches in
            av_image_fill_arrays(
              data, pitches, buffer.pointee.data, format, frame.pointee.width, frame.pointee.height, alignment)
          }
        }
      }
    }
    return min(filled, 0)
  }
}
