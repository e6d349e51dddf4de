internal import CFFmpeg
import Frames
import Media

/// Where decoding goes on.
struct Landing {
  /// Of the sync sample.
  var time: MediaTime
  /// Frames before it in the container that are left out.
  var passed: Int
  /// Frames that may still come out and belong before it: those of an open group follow their sync sample. No codec
  /// has more, and where time stamps are wrong this ends it.
  var leadingFrames = 64
}

extension FrameReader {
  /// Goes on at the first sync sample at or after a place, in time stamps relative to the stream's start; never back.
  ///
  /// What lies before is read and not decoded: reading costs next to nothing beside decoding, and no index says how many
  /// frames were left out. Frames in the decoder are left out too, and those of an open group that belong before the
  /// sync sample. Where the rest of the clip has no such sync sample it goes on at the last one, and where it has none
  /// at all, where it was. It looks no further than 64 MiB behind the last sync sample it found.
  ///
  /// Where packets have no time stamps, a sync sample lies where it does when one frame follows on another.
  public func leap(toSyncSampleAfter place: MediaTime) throws(Failure) {
    if let held = tape.ahead.firstIndex(where: { $0.isKeyFrame && $0.presentationTime >= place }) {
      owed.leaveOut(tape.skip(to: held))
      return
    }
    if let stamp = owed.leaveOut(beforeSyncSample: { self.mediaTime($0) >= place }) {
      owed.leaveOut(tape.dropAhead())
      landing = Landing(time: mediaTime(stamp), passed: 0)
      return
    }
    guard let found = try syncSampleAhead(of: place) else { return }
    owed.leaveOut(tape.dropAhead())
    // The packet of a sync sample that was shown alone is read once more and counts no more.
    owed.leaveOut(shownAlone != nil && found.passed > 0 ? found.passed - 1 : found.passed)
    owed.abandoned()
    flush()
    expectedTime = found.time
    landing = found
  }

  /// The sync sample to go on at; what lies before it has been let go of.
  private func syncSampleAhead(of place: MediaTime) throws(Failure) -> Landing? {
    var found: Landing?
    var passed = 0
    var position = 0
    while let packet = try packet(ahead: position) {
      if packet.pointee.flags & AV_PKT_FLAG_KEY != 0 {
        passed += ahead.leaveOut(position)
        position = 0
        let time = bench_packet_stamp(packet) == bench_nopts() ? nil : mediaTime(bench_packet_stamp(packet))
        found = Landing(time: time ?? timeAfter(frames: owed.count + passed), passed: passed)
        if let found, found.time >= place { return found }
      }
      position += 1
    }
    return found
  }

  /// The packet so many after the next one; nil at the end, and too far ahead.
  func packet(ahead position: Int) throws(Failure) -> UnsafeMutablePointer<AVPacket>? {
    if position == ahead.count {
      guard ahead.byteCount < PacketsAhead.byteLimit, let read = try readPacket() else { return nil }
      ahead.append(read)
    }
    return ahead[position]
  }

  /// Where a frame lies that follows so many after the last one.
  func timeAfter(frames: Int) -> MediaTime {
    let (nanoseconds, overflow) = nominalDuration.nanoseconds.multipliedReportingOverflow(by: Int64(frames))
    return overflow ? MediaTime(nanoseconds: .max) : expectedTime + MediaTime(nanoseconds: nanoseconds)
  }
}
