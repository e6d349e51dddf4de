internal import CFFmpeg
import Frames

/// The times of sync samples as the container's own index has them; empty when it has no index.
///
/// MP4 indexes decoding times, which lie before presentation times by the reorder delay, but seeks by presentation
/// times: the delay is added. It may vary, so a plan made from these is checked against the frame that really comes out.
func syncSamples(_ stream: UnsafeMutablePointer<AVStream>) -> [MediaTime] {
  let origin = stream.pointee.start_time == bench_nopts() ? 0 : stream.pointee.start_time
  let base = Ratio(stream.pointee.time_base)
  let delay = reorderDelay(stream, origin: origin)
  return (0..<avformat_index_get_entries_count(stream)).compactMap { position in
    guard let entry = avformat_index_get_entry(stream, position), entry.pointee.flags & AVINDEX_KEYFRAME != 0 else {
      return nil
    }
    let (ticks, overflow) = entry.pointee.timestamp.subtractingReportingOverflow(origin &- delay)
    guard !overflow else { return nil }
    let time = MediaTime(ticks: ticks, timeBase: base)
    // What is shown is not shown before the start, whatever the delay was guessed to be.
    return entry.pointee.flags & AVINDEX_DISCARD_FRAME != 0 ? time : max(time, .zero)
  }.sorted()
}

/// What the container's index tells of sync samples.
///
/// It is whole where its last entry lies near the clip's end: of MP4 it has all samples; but of a fragmented one only those
/// of the fragments that were seen, and of Matroska only the sync samples, if any.
func syncSampleIndex(
  _ stream: UnsafeMutablePointer<AVStream>, of file: MediaFile
) -> SyncSampleIndex {
  let times = syncSamples(stream)
  let count = avformat_index_get_entries_count(stream)
  guard !file.hasNoIndex, let last = times.last, let entry = avformat_index_get_entry(stream, count - 1) else {
    return SyncSampleIndex()
  }
  let origin = stream.pointee.start_time == bench_nopts() ? 0 : stream.pointee.start_time
  let base = Ratio(stream.pointee.time_base)
  let end = MediaTime(ticks: entry.pointee.timestamp.subtractingReportingOverflow(origin).partialValue, timeBase: base)
  let margin = MediaTime(seconds: 8 / (Ratio(stream.pointee.avg_frame_rate).value ?? 25))
  let duration = file.duration(of: stream)
  return duration.map { end + margin >= $0 } ?? false
    ? SyncSampleIndex(whole: times) : SyncSampleIndex(times, until: max(last, end))
}

/// Ticks from the first entry of the index to the first presentation time, at most the codec's reorder delay: an edit
/// list may hide more frames than that before the start.
private func reorderDelay(_ stream: UnsafeMutablePointer<AVStream>, origin: Int64) -> Int64 {
  guard let first = avformat_index_get_entry(stream, 0), first.pointee.timestamp < origin,
    let rate = Ratio(stream.pointee.avg_frame_rate).value, let tick = Ratio(stream.pointee.time_base).value
  else { return 0 }
  let frames = Double(max(0, stream.pointee.codecpar.pointee.video_delay))
  let (gap, overflow) = origin.subtractingReportingOverflow(first.pointee.timestamp)
  let longest = frames / rate / tick
  return overflow || longest >= 1e15 ? 0 : min(gap, Int64(longest.rounded()))
}

/// Spacing of sync samples in frames: counted where every sample is indexed, else from their times and the rate.
func groupOfPictures(_ stream: UnsafeMutablePointer<AVStream>, rate: Ratio) -> GroupOfPictures? {
  let times = syncSamples(stream)
  guard let first = times.first, let last = times.last, let rate = rate.value else { return nil }
  let end =
    stream.pointee.duration > 0
    ? MediaTime(ticks: stream.pointee.duration, timeBase: Ratio(stream.pointee.time_base)) : last
  let gaps = zip(times, times.dropFirst()).map { $1 - $0 } + (end > last ? [end - last] : [])
  guard let longest = gaps.max(), end > first else { return nil }
  return GroupOfPictures(
    syncSamples: times.count,
    averageFrames: ((end - first).seconds * rate / Double(max(gaps.count, 1)) * 10).rounded() / 10,
    longestFrames: Int((longest.seconds * rate).rounded()))
}
