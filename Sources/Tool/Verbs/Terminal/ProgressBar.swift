import Run

/// The progress of long work, with the time left: on a terminal one line that replaces itself, else lines of a log, or nothing.
///
/// Used by one thread.
final class ProgressBar {
  private var left = TimeLeft()
  private var shown = ""
  private var log: ProgressLog?

  /// - Parameter log: when a line is written if standard error is no terminal; nil: never.
  init(log: ProgressLog? = nil) {
    self.log = Console.hasTerminalError ? nil : log
  }

  /// `about 40 s left`; nil while there is no estimate.
  var timeLeft: String? { left.text }

  /// - Parameter fraction: from 0 to 1; 0 while the work is prepared.
  func show(_ text: String, _ fraction: Double) {
    left.note(fraction)
    if log?.isDue() ?? false {
      let percent = fraction > 0 ? "\(Int(fraction * 100)) %" : nil
      Console.note([text, percent, left.text].compactMap { $0 }.joined(separator: " · "))
    }
    let line = [left.text, text].compactMap { $0 }.joined(separator: " · ")
    // Preparations report thousands of times, and change nothing.
    let state = "\(line) \(Int(fraction * 100))"
    guard state != shown else { return }
    shown = state
    Console.progress(line, fraction)
  }

  func show(_ text: String, _ done: Int, of total: Int) {
    show(text, Double(done) / Double(max(total, 1)))
  }
}
