package import CFFmpeg

/// The brightest that a stream means to be, in cd/m²: what the display it was mastered on reaches, else its brightest
/// pixel (SMPTE ST 2086 and CTA-861.3 as containers carry them). Nil where neither makes sense.
func peakNits(_ stream: UnsafeMutablePointer<AVStream>) -> Double? {
  sensiblePeak(
    bench_mastering_peak(bench_stream_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, nil)),
    bench_content_peak(bench_stream_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, nil)))
}

/// The same of a decoded frame, where bitstreams carry it.
package func peakNits(_ frame: UnsafeMutablePointer<AVFrame>) -> Double? {
  guard frame.pointee.nb_side_data > 0 else { return nil }
  return sensiblePeak(
    bench_mastering_peak(bench_frame_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA)),
    bench_content_peak(bench_frame_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL)))
}

/// Files say 0, 1 or 0.1 where the value is unknown; PQ ends at 10,000 cd/m², and a peak hardly above the 100 cd/m² of
/// an ordinary display is not HDR.
private func sensiblePeak(_ candidates: Double...) -> Double? {
  candidates.first { (200...10_000).contains($0) }
}
