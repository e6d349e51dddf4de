import Frames
import Media
import Synchronization

/// One track of a stream's sound while it is played: loaded on a thread of its own, or read from the video's segments. It is loaded until
/// the last reference is gone, or the stream is stopped.
package final class StreamSound: SoundSupply {
  package var path: String { supply.path }
  /// Of the track, among the streams of sound of a segment.
  package let number: Int
  private let supply: any SoundSupply
  private let release: @Sendable () -> Void

  init(_ supply: any SoundSupply, number: Int, release: @escaping @Sendable () -> Void) {
    (self.supply, self.number, self.release) = (supply, number, release)
  }

  deinit { release() }

  package func next() throws(Failure) -> SuppliedSound { try supply.next() }
  package func seek(to time: MediaTime, preroll: MediaTime) { supply.seek(to: time, preroll: preroll) }
  package func readiness(at time: MediaTime) -> SoundReadiness { supply.readiness(at: time) }
  package func isVideo(ofAnotherRunThan run: Int64, at place: MediaTime) -> Bool {
    supply.isVideo(ofAnotherRunThan: run, at: place)
  }
}

extension SoundStore: SoundSupply {}

/// The tracks of sound of one stream that are being played: mostly one, two while one takes the place of another. Any thread.
final class PlayedSounds: Sendable {
  private struct State {
    var stores: [SoundStore] = []
    var shared: [SharedSound] = []
    var threads: [WorkerThread] = []
    var isStopped = false
  }

  private let state = Mutex(State())

  /// A track that is loaded by `thread`, which `start` begins; its store is stopped where the stream is over.
  func add(_ store: SoundStore, _ start: () throws(Failure) -> WorkerThread) throws(Failure) {
    let thread = try start()
    let isStopped = state.withLock { state in
      state.threads.removeAll { $0.join(seconds: 0) }
      state.threads.append(thread)
      state.stores.append(store)
      return state.isStopped
    }
    if isStopped { store.stop() }
  }

  func add(_ sound: SharedSound) { state.withLock { $0.shared.append(sound) } }

  func remove(_ store: SoundStore) {
    store.stop()
    state.withLock { $0.stores.removeAll { $0 === store } }
  }

  func remove(_ sound: SharedSound) { state.withLock { $0.shared.removeAll { $0 === sound } } }

  /// Any is read from the video's segments.
  var sharesVideo: Bool { state.withLock { !$0.shared.isEmpty } }
  /// The newest waits for a segment.
  var isStarving: Bool {
    let (store, shared) = state.withLock { ($0.stores.last, $0.shared.last) }
    return store?.isStarving ?? false || shared?.isStarving ?? false
  }
  /// There is enough to begin with.
  var canPlay: Bool { stores.last?.canPlay ?? true }

  func played(to place: MediaTime) { for store in stores { store.played(to: place) } }
  func jump(to place: MediaTime) { for store in stores { store.jump(to: place) } }

  /// Ends loading, and waits for the threads.
  func stop() {
    let threads = state.withLock { state in
      state.isStopped = true
      return state.threads
    }
    for store in stores { store.stop() }
    for thread in threads { thread.join() }
  }

  private var stores: [SoundStore] { state.withLock { $0.stores } }
}
