import Frames

/// What the loader of a stream's video knows, of a live one above all, for its player and for the loaders of its sound. Any thread.
package final class LiveMonitor: Sendable {
  private struct State {
    var edge: LiveEdge?
    var jump: MediaTime?
    var shownFrom: MediaTime?
    var axis: LiveAxis?
    var manifest: ManifestState?
    /// As playlist or manifest mark them.
    var marked: [StreamBreak] = []
    /// Of loaded segments, the newest last.
    var signals: [BreakSignal] = []
    var wantsSignals = false
    var breaks: [StreamBreak] = []

    mutating func join() { breaks = (marked + BreakSignal.breaks(signals)).merged() }
  }

  private let monitor = Monitor(State())

  package init() {}

  /// Nil for a stream on demand, and before a live one is known.
  package var edge: LiveEdge? { monitor.read { $0.edge } }

  /// Where playing began: earlier pictures of the first segment are not shown.
  package var shownFrom: MediaTime? { monitor.read { $0.shownFrom } }

  package func begin(at place: MediaTime) { monitor.withLock { $0.shownFrom = place } }

  /// - Parameters:
  ///   - axis: of HLS; nil: as before.
  ///   - manifest: of DASH; nil: as before.
  func tell(_ edge: LiveEdge, axis: LiveAxis?, manifest: ManifestState?) {
    monitor.withLock { state in
      let target = state.edge?.target
      state.edge = edge
      state.edge?.target = edge.target ?? target
      (state.axis, state.manifest) = (axis ?? state.axis, manifest ?? state.manifest)
    }
  }

  /// Of HLS: where its sound lies follows from it.
  var axis: LiveAxis? { monitor.read { $0.axis } }

  /// Of DASH, as it was loaded last.
  var manifest: ManifestState? { monitor.read { $0.manifest } }

  /// As playlist or manifest mark them that were loaded last, and the segments that were loaded, by their starts.
  var breaks: [StreamBreak] { monitor.read { $0.breaks } }

  /// Of a playlist or manifest.
  func tell(breaks: [StreamBreak]) {
    monitor.withLock { state in
      state.marked = breaks
      state.signals.isEmpty ? state.breaks = breaks : state.join()
    }
  }

  /// Of a manifest: it tells whether segments have more.
  func tellBreaks(of presentation: Presentation) {
    monitor.withLock { $0.wantsSignals = presentation.hasSplicesInSegments }
    tell(breaks: presentation.breaks)
  }

  var wantsSignals: Bool { monitor.read { $0.wantsSignals } }

  /// Of a segment: other rungs and later segments may repeat them.
  func tell(signals: [BreakSignal]) {
    monitor.withLock { state in
      let news = signals.filter { new in !state.signals.contains { $0.isSame(as: new) } }
      guard !news.isEmpty else { return }
      state.signals = (state.signals + news).suffix(2 * ManifestLimits.breakCount)
      state.join()
    }
  }

  /// The latency that is kept from now on, where there is none yet.
  package func aim(at target: MediaTime) {
    monitor.withLock { state in
      if state.edge?.target == nil { state.edge?.target = target }
    }
  }

  /// Playing is to go on there: what it has not played has left the window.
  package func askJump(to place: MediaTime) { monitor.withLock { $0.jump = place } }

  package var wantsJump: Bool { monitor.read { $0.jump != nil } }

  package func takeJump() -> MediaTime? {
    monitor.withLock { state in
      defer { state.jump = nil }
      return state.jump
    }
  }
}
