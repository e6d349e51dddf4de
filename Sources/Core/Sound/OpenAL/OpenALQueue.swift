internal import COpenAL
import Frames

/// A source with its queue of buffers, and a second one in step with it where channels do not turn. Inside `OpenALDevice.use` only.
struct OpenALQueue: Sendable {
  /// One buffer of each source, with the same sample frames.
  private struct Entry: Sendable {
    var buffers: [ALuint]
    var frames: Int
  }

  /// The first one, and the one in step with it.
  private(set) var sources: [ALuint]
  private let format: OpenALFormat
  private let sampleRate: Int
  private var queued: [Entry] = []
  private var free: [[ALuint]] = []
  /// Sample frames whose buffers have left the queue.
  private(set) var done = 0
  /// Whether it was started and has not run empty since.
  private(set) var isStarted = false

  /// Nil where OpenAL has no sources left.
  init?(_ al: bench_openal, format: OpenALFormat, sampleRate: Int, gain: Float) {
    (self.format, self.sampleRate) = (format, sampleRate)
    sources = Array(repeating: 0, count: format.hasLockedSource ? 2 : 1)
    _ = al.alGetError()
    al.alGenSources(ALsizei(sources.count), &sources)
    guard al.alGetError() == AL_NO_ERROR else { return nil }
    for (index, source) in sources.enumerated() where index > 0 || format.isDirect {
      al.alSourcei(source, AL_DIRECT_CHANNELS_SOFT, 1)
    }
    change(al, gain: gain)
  }

  /// Sample frames written in all.
  var total: Int { done + frames }
  /// Sample frames in the queue.
  var frames: Int { queued.reduce(0) { $0 + $1.frames } }
  var isEmpty: Bool { queued.isEmpty }

  /// Appends a buffer; false where OpenAL has no memory.
  mutating func append(_ al: bench_openal, _ samples: [Float], mixer: inout SoundMixer) -> Bool {
    let (main, locked) = format.converted(samples, mixer: &mixer)
    var buffers = free.popLast() ?? []
    _ = al.alGetError()
    if buffers.isEmpty {
      buffers = Array(repeating: 0, count: sources.count)
      al.alGenBuffers(ALsizei(buffers.count), &buffers)
      guard al.alGetError() == AL_NO_ERROR else { return false }
    }
    fill(al, buffers[0], format.buffer, main)
    if buffers.count > 1 { fill(al, buffers[1], AL_FORMAT_STEREO_FLOAT32, locked) }
    guard al.alGetError() == AL_NO_ERROR else {
      free.append(buffers)
      return false
    }
    enqueue(al, buffers)
    queued.append(Entry(buffers: buffers, frames: samples.count / mixer.layout.channelCount))
    return true
  }

  private func enqueue(_ al: bench_openal, _ buffers: [ALuint]) {
    for (source, buffer) in zip(sources, buffers) {
      withUnsafePointer(to: buffer) { al.alSourceQueueBuffers(source, 1, $0) }
    }
  }

  private func fill(_ al: bench_openal, _ buffer: ALuint, _ format: ALenum, _ samples: [Float]) {
    samples.withUnsafeBytes { al.alBufferData(buffer, format, $0.baseAddress, ALsizei($0.count), ALsizei(sampleRate)) }
  }

  /// Takes the buffers out that were played.
  ///
  /// - Parameter known: buffers that may have been played, where the source ran empty: later ones came after it had stopped.
  /// - Returns: whether it had run empty since it was started.
  mutating func collect(_ al: bench_openal, known: Int) -> Bool {
    guard isStarted else { return false }
    let isEmpty = state(al) == AL_STOPPED
    let counts = sources.map { Int(value(al, $0, AL_BUFFERS_PROCESSED)) }
    let played = isEmpty ? queued.count : min(counts.min() ?? 0, queued.count)
    var taken: [Entry] = []
    for _ in 0..<played {
      let entry = queued.removeFirst()
      for source in sources {
        var buffer = ALuint(0)
        al.alSourceUnqueueBuffers(source, 1, &buffer)
      }
      taken.append(entry)
    }
    guard isEmpty else {
      retire(taken)
      return false
    }
    // Else what is queued next would count as played.
    al.alSourceRewindv(ALsizei(sources.count), sources)
    isStarted = false
    retire(taken.prefix(known))
    for entry in taken.dropFirst(known) {
      enqueue(al, entry.buffers)
      queued.append(entry)
    }
    return true
  }

  private mutating func retire(_ entries: some Sequence<Entry>) {
    for entry in entries {
      done += entry.frames
      free.append(entry.buffers)
    }
  }

  /// The number of buffers in the queue, for `collect`.
  var count: Int { queued.count }

  mutating func play(_ al: bench_openal) {
    al.alSourcePlayv(ALsizei(sources.count), sources)
    isStarted = true
  }

  func pause(_ al: bench_openal) { al.alSourcePausev(ALsizei(sources.count), sources) }

  func change(_ al: bench_openal, gain: Float) {
    for source in sources { al.alSourcef(source, AL_GAIN, gain) }
  }

  func state(_ al: bench_openal) -> ALint { value(al, sources[0], AL_SOURCE_STATE) }

  private func value(_ al: bench_openal, _ source: ALuint, _ name: ALenum) -> ALint {
    var value = ALint(0)
    al.alGetSourcei(source, name, &value)
    return value
  }

  /// Sample frames that the mixer has taken, and the time until the last of them is heard.
  func mixed(_ al: bench_openal) -> (frames: Double, latency: Double) {
    var values: [ALint64SOFT] = [0, 0]
    al.alGetSourcei64vSOFT(sources[0], AL_SAMPLE_OFFSET_LATENCY_SOFT, &values)
    return (Double(done) + Double(values[0]) / 4_294_967_296, Double(max(0, values[1])) / 1e9)
  }

  /// Stops it and gives everything back.
  mutating func remove(_ al: bench_openal) {
    al.alSourceStopv(ALsizei(sources.count), sources)
    al.alDeleteSources(ALsizei(sources.count), sources)
    let buffers = (queued.map(\.buffers) + free).flatMap { $0 }
    if !buffers.isEmpty { al.alDeleteBuffers(ALsizei(buffers.count), buffers) }
    (queued, free, isStarted) = ([], [], false)
  }
}
