internal import COpenAL
import Frames

/// An open device and what is played on it. One thread at a time.
struct OpenALPlayer: ~Copyable, Sendable {
  let device: OpenALDevice
  private let format: SoundFormat
  private let kind: OpenALFormat
  private var queue: OpenALQueue
  private var mixer: SoundMixer
  /// Samples of less than a buffer.
  private var staged: [Float] = []
  /// Sources that fade out after a clear, and when they may go.
  private var fading: [(queue: OpenALQueue, until: MonotonicTime)] = []
  private(set) var isPlaying = false
  private(set) var gain: Float = 1
  private var heard: HeardPosition
  private(set) var failure: Failure?

  /// Of one buffer.
  private var period: Int { max(1, format.sampleRate / 100) }

  init(_ device: consuming OpenALDevice, format: SoundFormat) throws(Failure) {
    let name = device.name
    let usesHRTF = device.usesHRTF
    let (kind, queue) = device.use { al in
      let kind = OpenALFormat(
        format.layout, hasSurround: al.alIsExtensionPresent("AL_EXT_MCFORMATS") != 0,
        hasAmbisonics: usesHRTF && al.alIsExtensionPresent("AL_EXT_BFORMAT") != 0)
      return (kind, OpenALQueue(al, format: kind, sampleRate: format.sampleRate, gain: 1))
    }
    guard let queue else {
      throw Failure(.device, "cannot play on the sound device '\(name)'", cause: "it has no source left")
    }
    (self.format, self.kind, self.queue) = (format, kind, queue)
    self.device = device
    mixer = SoundMixer(format.layout)
    heard = HeardPosition(sampleRate: format.sampleRate)
  }

  deinit {
    device.use { al in
      var queues = [queue] + fading.map(\.queue)
      for index in queues.indices { queues[index].remove(al) }
    }
  }

  /// Sample frames between writing and the mixer, at most.
  static func capacity(_ format: SoundFormat) -> Int { max(4, format.sampleRate / 10) }

  private var stagedFrames: Int { staged.count / format.channelCount }

  // MARK: Calls

  mutating func write(_ samples: UnsafeBufferPointer<Float>, now: MonotonicTime) -> Int {
    use { player, al in
      player.service(al, now)
      // A lost device takes all at once.
      guard player.failure == nil else { return 0 }
      let room = Self.capacity(player.format) - player.queue.frames - player.stagedFrames
      let taken = min(samples.count / player.format.channelCount, max(0, room))
      player.staged.append(contentsOf: samples[..<(taken * player.format.channelCount)])
      player.pump(al, now)
      return taken
    }
  }

  mutating func play(_ now: MonotonicTime) {
    use { player, al in
      player.service(al, now)
      // A source that plays would begin again.
      if !player.isPlaying, player.queue.isStarted { player.queue.play(al) }
      player.isPlaying = true
      player.pump(al, now)
    }
  }

  mutating func pause(_ now: MonotonicTime) {
    use { player, al in
      player.service(al, now)
      player.isPlaying = false
      if player.queue.isStarted { player.queue.pause(al) }
    }
  }

  mutating func clear(_ now: MonotonicTime) {
    use { player, al in
      player.service(al, now)
      guard
        let fresh = OpenALQueue(al, format: player.kind, sampleRate: player.format.sampleRate, gain: player.gain)
      else {
        player.failure = Failure(.device, "cannot continue the sound", cause: "OpenAL has no source left")
        return
      }
      player.queue.change(al, gain: 0)
      player.fading.append((player.queue, now.advanced(byMilliseconds: 100)))
      player.queue = fresh
      player.staged = []
      player.heard = HeardPosition(sampleRate: player.format.sampleRate)
    }
  }

  mutating func change(gain: Float) {
    self.gain = gain > 0 ? min(gain, 1) : 0
    use { player, al in player.queue.change(al, gain: player.gain) }
  }

  mutating func turn(_ rotation: AmbisonicRotation) {
    mixer.rotation = rotation
    // OpenAL's listener has x to the right, y up and looks along −z.
    let rows = rotation.rows.map { Float($0) }
    let orientation = [-rows[1], rows[2], -rows[0], -rows[7], rows[8], -rows[6]]
    use { _, al in al.alListenerfv(AL_ORIENTATION, orientation) }
  }

  mutating func position(_ now: MonotonicTime) -> SoundPosition? {
    use { player, al in
      player.service(al, now)
      player.pump(al, now)
    }
    return heard.position
  }

  mutating func takePlayed(_ now: MonotonicTime) -> [PlayedSound] {
    _ = position(now)
    return heard.take()
  }

  /// Of a loopback device.
  mutating func render(_ count: Int) -> [Float] { device.render(count) }

  // MARK: The queue

  private mutating func use<Result>(_ body: (inout OpenALPlayer, bench_openal) -> Result) -> Result {
    device.enter()
    defer { device.leave() }
    return body(&self, device.library.al)
  }

  /// Reads the position, takes out played buffers, and notices that the device was lost.
  private mutating func service(_ al: bench_openal, _ now: MonotonicTime) {
    if failure == nil, !device.isConnected {
      failure = Failure(
        .deviceLost, "cannot continue the sound", cause: "the sound device '\(device.name)' was unplugged",
        remedy: "choose another one")
    }
    let state = queue.state(al)
    let (mixed, latency) = queue.mixed(al)
    if queue.isStarted, state == AL_PLAYING {
      heard.read(mixed: mixed, latency: latency, now: now)
    } else {
      heard.stand(at: state == AL_PAUSED ? Int(mixed) : queue.isStarted ? queue.total : queue.done, now: now)
    }
    if queue.collect(al, known: queue.count) { heard.ranEmpty(total: queue.total, now: now) }
    while let first = fading.first, first.until < now {
      fading[0].queue.remove(al)
      fading.removeFirst()
    }
  }

  /// Moves whole buffers into the queue, and the rest where less than three of them are left; starts what should play.
  private mutating func pump(_ al: bench_openal, _ now: MonotonicTime) {
    let known = queue.count
    let channels = format.channelCount
    while stagedFrames >= period || (!staged.isEmpty && queue.frames < 3 * period && isPlaying) {
      let count = min(period * channels, staged.count)
      guard queue.append(al, Array(staged[..<count]), mixer: &mixer) else {
        failure = failure ?? Failure(.memory, "cannot continue the sound", cause: "OpenAL has no memory for sound")
        return
      }
      staged.removeFirst(count)
    }
    if queue.collect(al, known: known) { heard.ranEmpty(total: queue.done, now: now) }
    if isPlaying, !queue.isStarted, !queue.isEmpty {
      heard.restarts(now)
      queue.play(al)
    }
  }
}
