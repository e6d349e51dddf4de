internal import CFFmpeg
import Frames
import Media

extension FramePipeline {
  /// `FrameReader.leap`.
  func leap(toSyncSampleAfter place: MediaTime) throws(Failure) {
    if let held = cache.ahead.firstIndex(where: { $0.isKeyFrame && $0.presentationTime >= place }) {
      pending.leaveOut(cache.skip(to: held))
      return
    }
    if let stamp = pending.leaveOut(beforeSyncSample: { packets.time($0) >= place }) {
      pending.leaveOut(cache.dropAhead())
      effort.landing = Landing(time: packets.time(stamp), passed: 0)
      return
    }
    guard let found = try syncSampleAhead(of: place) else { return }
    pending.leaveOut(cache.dropAhead())
    // The packet of a sync sample that was shown alone is read once more and counts no more.
    pending.leaveOut(effort.shownAlone != nil && found.passed > 0 ? found.passed - 1 : found.passed)
    pending.abandoned()
    flush()
    expectedTime = found.time
    effort.landing = found
  }

  /// The sync sample to go on at; the packets before it have been let go of.
  private func syncSampleAhead(of place: MediaTime) throws(Failure) -> Landing? {
    var found: Landing?
    var passed = 0
    var position = 0
    while let packet = try packets.packet(ahead: position) {
      if packet.pointee.isSyncSample {
        passed += packets.queue.leaveOut(position)
        position = 0
        let time = optionalStamp(bench_packet_stamp(packet)).map(packets.time)
        found = Landing(time: time ?? timeAfter(frames: pending.count + passed), passed: passed)
        if let found, found.time >= place { return found }
      }
      position += 1
    }
    return found
  }

  /// Where a frame lies that follows so many after the last one.
  func timeAfter(frames: Int) -> MediaTime {
    let (nanoseconds, overflow) = nominalDuration.nanoseconds.multipliedReportingOverflow(by: Int64(frames))
    return overflow ? MediaTime(nanoseconds: .max) : expectedTime + MediaTime(nanoseconds: nanoseconds)
  }
}
