import Frames
import Streaming

extension LoadedStream {
  /// For the statistics: `rung 3 of 5 · 720p · 2.4 Mbit/s · 12.3 s loaded ahead · network 8.1 Mbit/s`.
  ///
  /// - Parameter place: of the picture.
  func facts(at place: MediaTime) -> String {
    var parts: [String] = []
    if let rung = segment(at: place)?.rung {
      parts = ["rung \(rung + 1) of \(rungs.count)"] + (rungs[rung].facts.map { [$0] } ?? [])
    }
    parts.append("\(tenths(bufferSeconds)) s loaded ahead")
    if let rate = lastSegment?.bitsPerSecond { parts.append("network \(megabits(rate))") }
    return parts.joined(separator: " · ")
  }

  /// The rungs for a menu, and the one that is shown.
  func qualities(at place: MediaTime) -> ControlFacts.Qualities {
    ControlFacts.Qualities(
      titles: rungs.enumerated().map { $1.facts ?? "Rung \($0 + 1) of \(rungs.count)" },
      names: rungs.enumerated().map { $1.name ?? "\($0 + 1)/\(rungs.count)" },
      fixed: fixedRung, shown: segment(at: place)?.rung)
  }
}

extension StreamRung {
  /// `720p`; nil where the manifest does not tell the size.
  fileprivate var name: String? { height.map { "\($0)p" } }

  /// `720p · 2.4 Mbit/s`; nil where the manifest tells neither.
  fileprivate var facts: String? {
    let parts = [name, bitrate > 1 ? megabits(bitrate) : nil].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " · ")
  }
}

extension StreamRequest {
  /// From the first byte to the last; nil where it took no time, or came in several attempts.
  fileprivate var bitsPerSecond: Double? {
    guard let first = times.firstByte, times.ended > first else { return nil }
    return Double(times.bytes) * 8 / (times.ended - first)
  }
}

private func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }
private func megabits(_ rate: Double) -> String { tenths(rate / 1e6) + " Mbit/s" }
