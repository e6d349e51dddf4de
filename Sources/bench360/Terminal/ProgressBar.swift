import Run

/// The progress of long work: one line that replaces itself, with the time left; silent if standard error is no terminal.
///
/// Used by one thread.
final class ProgressBar {
  private var left = TimeLeft()
  private var shown = ""

  /// `about 40 s left`; nil while there is no estimate.
  var timeLeft: String? { left.text }

  /// - Parameter fraction: from 0 to 1; 0 while the work is prepared.
  func show(_ text: String, _ fraction: Double) {
    left.note(fraction)
    let line = [left.text, text].compactMap { $0 }.joined(separator: " · ")
    // Preparations tell of themselves thousands of times, and change nothing.
    let state = "\(line) \(Int(fraction * 100))"
    guard state != shown else { return }
    shown = state
    Console.progress(line, fraction)
  }

  func show(_ text: String, _ done: Int, of total: Int) {
    show(text, Double(done) / Double(max(total, 1)))
  }
}
