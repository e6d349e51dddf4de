internal import CFFmpeg
import Frames
import Media

extension FrameReader {
  /// Moves to the sync sample from which a request's landing is decoded, and reads ahead until it is certain which frame that
  /// is: reading costs next to nothing beside decoding. A demuxer that lands late is asked again for an earlier place.
  ///
  /// - Returns: the sync sample, whose packet is the next one, and what its group tells; nil where packets do not tell.
  func scout(_ request: SeekRequest, from start: MediaTime) throws(Failure) -> (MediaTime, SeekScout)? {
    var attempt = start
    var step = MediaTime(seconds: 1)
    while !lacksStamps {
      let isAtStart = attempt <= .zero || !seek(toSyncSampleAt: attempt)
      if isAtStart { try goToStart() }
      if let found = try scoutAhead(request, isAtStart: isAtStart) { return found }
      if isAtStart || ahead.byteCount >= PacketsAhead.byteLimit { return nil }
      attempt = attempt - step
      step = step + step
    }
    return nil
  }

  /// Nil when the first sync sample lies behind the target, unless there is none before it.
  private func scoutAhead(_ request: SeekRequest, isAtStart: Bool) throws(Failure) -> (MediaTime, SeekScout)? {
    var found: (key: MediaTime, scout: SeekScout)?
    var position = 0
    while found?.scout.isCertain != true, let packet = try packet(ahead: position) {
      guard let stamp = optionalStamp(packet.pointee.pts) else { return nil }
      let time = mediaTime(stamp)
      if packet.pointee.flags & AV_PKT_FLAG_KEY != 0, found == nil || time <= request.target {
        if found == nil, time > request.target, !isAtStart { return nil }
        ahead.leaveOut(position)
        position = 0
        found = (time, SeekScout(request))
      }
      if let key = found?.key, time >= key, ahead.showsPicture(position) {
        found?.scout.saw(presentationTime: time, decodingTime: decodingTime(packet))
      }
      position += 1
    }
    if found?.scout.isCertain != true, ahead.byteCount >= PacketsAhead.byteLimit { return nil }
    return found.map { ($0.key, $0.scout) }
  }

  /// Shows a sync sample, or another one in the window where the demuxer finds no such one; nil when it finds none.
  func syncSample(at time: MediaTime, _ request: SeekRequest) throws(Failure) -> VideoFrame? {
    var attempt = time
    var step = MediaTime(seconds: 1)
    while !lacksStamps {
      let isAtStart = attempt <= .zero || !seek(toSyncSampleAt: attempt)
      if isAtStart { try goToStart() }
      // A demuxer goes anywhere before: on from there to the one that was meant.
      let places = file.hasNoIndex ? time...time : index.places(ofSyncSampleAt: time)
      let key = try readToSyncSample(from: places.lowerBound)
      if let key, key <= places.upperBound || isAtStart {
        guard key >= request.earliest, key <= request.latest, ahead.showsPicture(0) else { return nil }
        if let frame = try showAlone(key, goesOn: request.isOnTheWay) { return frame }
        return try decode(to: key, SeekScout(request), from: key)
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
    while let packet = try packet(ahead: position) {
      guard let stamp = optionalStamp(packet.pointee.pts) else { return nil }
      if packet.pointee.flags & AV_PKT_FLAG_KEY != 0, mediaTime(stamp) >= time {
        ahead.leaveOut(position)
        return mediaTime(stamp)
      }
      position += 1
    }
    return nil
  }

  /// Decodes the packet that is next, of a sync sample, and none after it: a decoder with frame threads, or one that puts
  /// frames into order, would ask for several more before it gives this one. Nil when no such frame came out alone.
  ///
  /// To go on from there the decoder gets the packet once more, which costs a frame; but mostly another seek follows. Where
  /// it is known that decoding goes on, a decoder beside it shows the frame while it decodes the same packet on a thread of
  /// its own.
  func showAlone(
    _ time: MediaTime, _ scout: SeekScout? = nil, goesOn: Bool
  ) throws(Failure) -> VideoFrame? {
    guard !hasFieldPackets, let decoded = received, let read = ahead.takeFirst() else { return nil }
    av_frame_unref(decoded)
    if let glimpse, glimpse.take(for: read.packet, into: decoded) {
      ahead.putBack(read)
      return try landAlone(decoded, from: glimpse.decoder, time, scout, received: glimpse.received)
    }
    let isBeside = goesOn && video.description.threadType == "frame"
    let decoder = isBeside ? try decoderBeside() : video
    decoder.skipsNonReferences = false
    let packet = isBeside ? av_packet_clone(read.packet) : nil
    var owned = packet
    defer { av_packet_free(&owned) }
    if isBeside {
      ahead.putBack(read)
      try feed()
    }
    let sent = decoder.send(
      packet ?? read.packet, readStarted: read.started, demuxMilliseconds: read.milliseconds,
      consumerNanoseconds: consumerNanoseconds)
    if !isBeside { ahead.putBack(read) }
    defer { isBeside ? decoder.flush() : flush() }
    guard case .accepted = sent else { return nil }
    _ = decoder.send(nil, readStarted: .now, demuxMilliseconds: 0, consumerNanoseconds: consumerNanoseconds)
    guard case .frame = decoder.receive(into: decoded) else { return nil }
    return try landAlone(decoded, from: decoder, time, scout)
  }

  /// The frame that a sync sample's packet gave alone is the one that is shown; nil where it is another than was meant.
  private func landAlone(
    _ decoded: UnsafeMutablePointer<AVFrame>, from decoder: VideoDecoder, _ time: MediaTime, _ scout: SeekScout?,
    received: MonotonicTime? = nil
  ) throws(Failure) -> VideoFrame? {
    locate(decoded)
    guard place.time == time else {
      av_frame_unref(decoded)
      return nil
    }
    do throws(Failure) {
      try bring(decoded, from: decoder)
    } catch {
      av_frame_unref(decoded)
      try replaceDecoder(error.cause)
      return nil
    }
    var frame = try deliver(decoded, from: decoder, received: received)
    scout?.extend(&frame)
    expectedTime = place.time + place.duration
    shownAlone = time
    tape.land(frame)
    return frame
  }

  /// From the start of a stream without time stamps to the last packet at or before a time from which on all can be decoded
  /// and shown: frames before it are counted and not decoded.
  func readToRefresh(before time: MediaTime) throws(Failure) {
    guard !hasFieldPackets else { return }
    let codec = stream.pointee.codecpar.pointee.codec_id
    var (position, shown) = (0, 0)
    while timeAfter(frames: shown) <= time, let packet = try packet(ahead: position) {
      if position > 0, isRefresh(packet, codec: codec) {
        expectedTime = timeAfter(frames: ahead.leaveOut(position))
        (position, shown) = (0, 0)
      }
      shown += ahead.showsPicture(position) ? 1 : 0
      position += 1
    }
  }

  /// A picture's two fields may come in packets of their own.
  private var hasFieldPackets: Bool {
    let order = stream.pointee.codecpar.pointee.field_order
    return order != AV_FIELD_PROGRESSIVE && order != AV_FIELD_UNKNOWN
  }

  /// Reads packets around a request's target until the index knows the sync samples there, or the clip ends.
  func search(around request: SeekRequest) throws(Failure) {
    var attempt = request.target
    var step = MediaTime(seconds: 1)
    while true {
      let isAtStart = lacksStamps || attempt <= .zero || !seek(toSyncSampleAt: attempt)
      if isAtStart { try goToStart() }
      var isFirst = true
      while let read = try readPacket() {
        defer { recycle(read.packet) }
        guard isAtStart || !lacksStamps else { break }
        guard read.packet.pointee.flags & AV_PKT_FLAG_KEY != 0 || index.reaches(request) else { continue }
        index.keepCurrent()
        if index.knowsSyncSamples(around: request) { return }
        // The first one lies behind the target: no use in going on from here.
        if isFirst, !isAtStart, let stamp = optionalStamp(read.packet.pointee.pts), mediaTime(stamp) > request.target {
          break
        }
        isFirst = false
      }
      index.keepCurrent()
      if isAtStart || index.knowsSyncSamples(around: request) { return }
      attempt = attempt - step
      step = step + step
    }
  }
}
