internal import CFFmpeg
import Frames
import Media

/// Moves the demuxer to where a seek begins, and tells from packets alone where it lands: nothing is decoded.
///
/// One thread at a time, that of its pipeline.
struct LandingFinder {
  let pipeline: FramePipeline
  private var packets: PacketReader { pipeline.packets }

  init(_ pipeline: FramePipeline) { self.pipeline = pipeline }

  /// Moves to the sync sample from which a request's landing is decoded, and reads ahead until it is certain which frame that
  /// is: reading costs next to nothing beside decoding. A demuxer that lands late is asked again for an earlier place.
  ///
  /// - Returns: the sync sample, whose packet is the next one, and what its group tells; nil where packets do not tell.
  func scout(_ request: SeekRequest, from start: MediaTime) throws(Failure) -> (MediaTime, SeekScout)? {
    var attempt = start
    var step = MediaTime(seconds: 1)
    while !packets.lacksStamps {
      let isAtStart = try move(to: attempt)
      if let found = try scoutAhead(request, isAtStart: isAtStart) { return found }
      if isAtStart || packets.queue.isFull { return nil }
      attempt = attempt - step
      step = step + step
    }
    return nil
  }

  /// Goes to a sync sample at or before a time, or to the start; true when it is the start.
  func move(to time: MediaTime) throws(Failure) -> Bool {
    if !packets.lacksStamps, time > .zero, pipeline.seek(toSyncSampleAt: time) { return false }
    try pipeline.goToStart()
    return true
  }

  /// Nil when the first sync sample lies behind the target, unless there is none before it.
  private func scoutAhead(_ request: SeekRequest, isAtStart: Bool) throws(Failure) -> (MediaTime, SeekScout)? {
    var found: (key: MediaTime, scout: SeekScout)?
    var position = 0
    while found?.scout.isCertain != true, let packet = try packets.packet(ahead: position) {
      guard let time = packets.presentationTime(packet) else { return nil }
      // A sync sample that is not shown repeats pictures that those before it show.
      if packet.pointee.isSyncSample, found == nil || time <= request.target && !packet.pointee.isDiscarded {
        if found == nil, time > request.target, !isAtStart { return nil }
        packets.queue.leaveOut(position)
        position = 0
        found = (time, SeekScout(request))
      }
      if let key = found?.key, time >= key, packets.queue.showsPicture(position) {
        found?.scout.saw(presentationTime: time, decodingTime: packets.decodingTime(packet))
      }
      position += 1
    }
    if found?.scout.isCertain != true, packets.queue.isFull { return nil }
    return found.map { ($0.key, $0.scout) }
  }

  /// Moves to a sync sample, whose packet is the next one then, or where the demuxer finds no such one to another in the
  /// window. Nil when it finds none.
  func syncSample(at time: MediaTime, _ request: SeekRequest) throws(Failure) -> MediaTime? {
    var attempt = time
    var step = MediaTime(seconds: 1)
    while !packets.lacksStamps {
      let isAtStart = try move(to: attempt)
      // A demuxer lands anywhere before the target: read on to the intended sync sample.
      let places = packets.source.hasNoIndex ? time...time : packets.index.places(ofSyncSampleAt: time)
      let key = try readToSyncSample(from: places.lowerBound)
      if let key, key <= places.upperBound || isAtStart {
        return key >= request.earliest && key <= request.latest && packets.queue.showsPicture(0) ? key : nil
      }
      if isAtStart { return nil }
      attempt = attempt - step
      step = step + step
    }
    return nil
  }

  /// Makes the packet of the first sync sample at or after a time the next one, and tells where that lies.
  private func readToSyncSample(from time: MediaTime) throws(Failure) -> MediaTime? {
    var position = 0
    while let packet = try packets.packet(ahead: position) {
      guard let place = packets.presentationTime(packet) else { return nil }
      if packet.pointee.isSyncSample, place >= time {
        packets.queue.leaveOut(position)
        return place
      }
      position += 1
    }
    return nil
  }

  /// From the start of a stream without time stamps to the last packet at or before a time from which on all can be decoded
  /// and shown: frames before it are counted and not decoded.
  func readToRefresh(before time: MediaTime) throws(Failure) {
    guard !packets.format.hasFieldPackets else { return }
    let codec = packets.format.codec
    var (position, shown) = (0, 0)
    while pipeline.timeAfter(frames: shown) <= time, let packet = try packets.packet(ahead: position) {
      if position > 0, isRefresh(packet, codec: codec) {
        pipeline.expectedTime = pipeline.timeAfter(frames: packets.queue.leaveOut(position))
        (position, shown) = (0, 0)
      }
      shown += packets.queue.showsPicture(position) ? 1 : 0
      position += 1
    }
  }

  /// Reads packets around a request's target until the index knows the sync samples there, or the clip ends.
  func search(around request: SeekRequest) throws(Failure) {
    var attempt = request.target
    var step = MediaTime(seconds: 1)
    while true {
      let isAtStart = try move(to: attempt)
      var isFirst = true
      while let read = try packets.read() {
        defer { packets.recycle(read.packet) }
        guard isAtStart || !packets.lacksStamps else { break }
        guard read.packet.pointee.isSyncSample || packets.index.reaches(request) else { continue }
        packets.index.keepCurrent()
        if packets.index.knowsSyncSamples(around: request) { return }
        // The first one lies behind the target: reading on from here finds none before it.
        if isFirst, !isAtStart, let time = packets.presentationTime(read.packet), time > request.target { break }
        isFirst = false
      }
      packets.index.keepCurrent()
      if isAtStart || packets.index.knowsSyncSamples(around: request) { return }
      attempt = attempt - step
      step = step + step
    }
  }
}
