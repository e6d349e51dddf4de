package import CFFmpeg
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
    // No frame is shown before the start, though the delay is a guess.
    return entry.pointee.flags & AVINDEX_DISCARD_FRAME != 0 ? time : max(time, .zero)
  }.sorted()
}

/// What the container's index tells of sync samples.
///
/// It is whole where its last entry lies near the clip's end: of MP4 it has all samples; but of a fragmented one only those
/// of the fragments that were seen, and of Matroska only the sync samples, if any.
package func syncSampleIndex(
  _ stream: UnsafeMutablePointer<AVStream>, of file: Demuxer
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

/// Spacing of sync samples, and whether frames last equally long: counted where the index has every sample, else from the times
/// of the sync samples and the rate.
func groupOfPictures(_ stream: UnsafeMutablePointer<AVStream>, rate: Ratio) -> GroupOfPictures? {
  let times = syncSamples(stream)
  guard let first = times.first, let last = times.last, let rate = rate.value else { return nil }
  let end =
    stream.pointee.duration > 0
    ? MediaTime(ticks: stream.pointee.duration, timeBase: Ratio(stream.pointee.time_base)) : last
  let gaps = zip(times, times.dropFirst()).map { $1 - $0 } + (end > last ? [end - last] : [])
  guard let longest = gaps.max(), end > first else { return nil }
  let average = (end - first).seconds / Double(max(gaps.count, 1))
  let counted = IndexedSamples(stream)
  return GroupOfPictures(
    syncSamples: times.count,
    averageFrames: ((counted?.averageGap ?? average * rate) * 10).rounded() / 10,
    longestFrames: counted?.longestGap ?? Int(saturating: (longest.seconds * rate).rounded()), averageSeconds: average,
    longestSeconds: longest.seconds, isCounted: counted != nil, hasVariableRate: counted?.hasVariableRate)
}

/// What an index tells that has every sample, as that of MP4 and AVI; nil for one of sync samples only.
private struct IndexedSamples {
  /// From one sync sample to the next, or to the end.
  let averageGap: Double
  let longestGap: Int
  /// Samples last differently long, by more than a time base has to round.
  let hasVariableRate: Bool

  init?(_ stream: UnsafeMutablePointer<AVStream>) {
    let entries = (0..<avformat_index_get_entries_count(stream)).compactMap {
      avformat_index_get_entry(stream, $0)?.pointee
    }
    let syncs = entries.indices.filter { entries[$0].flags & AVINDEX_KEYFRAME != 0 }
    guard let first = syncs.first, syncs.count < entries.count || stream.pointee.nb_frames == Int64(entries.count)
    else {
      return nil
    }
    let gaps = zip(syncs, syncs.dropFirst() + [entries.count]).map { $1 - $0 }
    averageGap = Double(entries.count - first) / Double(gaps.count)
    longestGap = gaps.max() ?? 0
    // Around samples that an edit list hides, times may jump.
    let durations = zip(entries, entries.dropFirst())
      .filter { ($0.flags | $1.flags) & AVINDEX_DISCARD_FRAME == 0 }
      .map { $1.timestamp.subtractingReportingOverflow($0.timestamp).partialValue }
    let (spread, overflow) = (durations.max() ?? 0).subtractingReportingOverflow(durations.min() ?? 0)
    hasVariableRate = overflow || spread > 1
  }
}
