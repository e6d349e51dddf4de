import Frames
import Synchronization

/// A store that is filled beside a stream's video and follows its picture. Any thread.
protocol FollowingStore: LoadedSegments {
  /// The picture is at this position.
  func played(to position: MediaTime)
  /// Playing goes on elsewhere.
  func jump(to position: MediaTime)
  /// Ends loading.
  func stop()
}

extension SoundStore: FollowingStore {}
extension TextStore: FollowingStore {}

/// The tracks of sound and subtitles of one stream that are being played: mostly one of each, two while one takes the place of another. Any
/// thread.
final class PlayedTracks: Sendable {
  private struct State {
    var sounds: [SoundStore] = []
    /// Sound in the video's segments.
    var shared: [SharedSound] = []
    var texts: [TextStore] = []
    var threads: [WorkerThread] = []
    var isStopped = false
  }

  private let state = Mutex(State())

  /// A track that is loaded by the thread that `start` begins; its store is stopped where the stream is over.
  func add(_ sound: SoundStore, _ start: () throws(Failure) -> WorkerThread) throws(Failure) {
    state.withLock { $0.sounds.append(sound) }
    do throws(Failure) { try load(sound, start) } catch {
      remove(sound)
      throw error
    }
  }

  func add(_ text: TextStore, _ start: () throws(Failure) -> WorkerThread) throws(Failure) {
    state.withLock { $0.texts.append(text) }
    do throws(Failure) { try load(text, start) } catch {
      remove(text)
      throw error
    }
  }

  /// The store follows the picture already: its loader would wait for a position that nothing reports.
  private func load(
    _ store: any FollowingStore, _ start: () throws(Failure) -> WorkerThread
  ) throws(Failure) {
    let thread = try start()
    let isStopped = state.withLock { state in
      state.threads.removeAll { $0.join(seconds: 0) }
      state.threads.append(thread)
      return state.isStopped
    }
    if isStopped { store.stop() }
  }

  func add(_ sound: SharedSound) { state.withLock { $0.shared.append(sound) } }

  func remove(_ sound: SoundStore) {
    sound.stop()
    state.withLock { $0.sounds.removeAll { $0 === sound } }
  }

  func remove(_ text: TextStore) {
    text.stop()
    state.withLock { $0.texts.removeAll { $0 === text } }
  }

  func remove(_ sound: SharedSound) { state.withLock { $0.shared.removeAll { $0 === sound } } }

  /// Any sound is read from the video's segments.
  var sharesVideo: Bool { state.withLock { !$0.shared.isEmpty } }
  /// The newest track of sound waits for a segment.
  var isStarving: Bool {
    let (sound, shared) = state.withLock { ($0.sounds.last, $0.shared.last) }
    return sound?.isStarving ?? false || shared?.isStarving ?? false
  }
  /// There is enough sound to begin with. Nothing waits for text.
  var canPlay: Bool { state.withLock { $0.sounds.last }?.canPlay ?? true }

  func played(to position: MediaTime) { forEachStore { $0.played(to: position) } }
  func jump(to position: MediaTime) { forEachStore { $0.jump(to: position) } }

  /// Ends loading, and waits for the threads.
  func stop() {
    let threads = state.withLock { state in
      state.isStopped = true
      return state.threads
    }
    forEachStore { $0.stop() }
    for thread in threads { thread.join() }
  }

  /// Called at each refresh: makes no array of both kinds.
  private func forEachStore(_ body: (any FollowingStore) -> Void) {
    let (sounds, texts) = state.withLock { ($0.sounds, $0.texts) }
    for sound in sounds { body(sound) }
    for text in texts { body(text) }
  }
}
