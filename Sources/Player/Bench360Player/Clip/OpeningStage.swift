import Frames
import Media
import Synchronization

/// What the opening of a clip waits for. Any thread.
package final class OpeningStage: Sendable {
  package enum Step: Int, Sendable, CaseIterable {
    case checking, reading, probing, device, decoder
  }

  private let step = Atomic<Int>(Step.checking.rawValue)

  package init() {}

  package func note(_ step: Step) { self.step.store(step.rawValue, ordering: .relaxed) }

  /// The step that follows a phase.
  package func note(ended phase: OpeningPhase) {
    switch phase {
    case .open: note(.probing)
    case .probe: note(.device)
    case .deviceInit: note(.decoder)
    case .codecInit, .pipelineInit: break
    }
  }

  /// What a user is told.
  package enum Wait: Sendable, Hashable {
    case check, header, streams, device, decoder
    /// The server, by its name.
    case server(String)
    case streamsOf(String)
  }

  /// - Parameter path: of the clip, or its URL.
  package func wait(for path: String) -> Wait {
    let location = MediaLocation(path)
    switch Step(rawValue: step.load(ordering: .relaxed)) ?? .checking {
    case .checking: return .check
    case .reading: return location.isRemote ? .server(host(of: path)) : .header
    case .probing: return location.isRemote ? .streamsOf(host(of: path)) : .streams
    case .device: return .device
    case .decoder: return .decoder
    }
  }

  /// The server's name, without a user's name and password.
  private func host(of path: String) -> String {
    let shown = ShownClip(path).text
    guard let scheme = shown.firstRange(of: "://") else { return shown }
    let authority = shown[scheme.upperBound...].prefix { $0 != "/" }
    return String(authority.split(separator: "@").last ?? authority)
  }
}
