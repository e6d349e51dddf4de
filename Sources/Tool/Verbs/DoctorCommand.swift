import ArgumentParser
import Host
import Run
import Verdict

struct DoctorCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "List causes of noise and failure on this machine, with remedies.",
    discussion: """
        bench360 doctor

      Exit codes: 0 'run' works, perhaps with warnings; 1 something makes it fail; 64 usage.
      """)

  @Flag(help: "Print JSON.")
  var json = false

  private struct Report: Encodable {
    var findings: [Doctor.Finding]
    var summary: String
  }

  @OptionGroup
  var diagnostics: DiagnosticsOptions

  func run() throws {
    Interrupt.endAtOnce()
    let findings = Doctor.examine()
    let report = Report(findings: findings, summary: Doctor.summary(findings))
    if json { try printJSON(report) } else { printList(report) }
    if findings.contains(where: { $0.status == .problem }) { throw ExitStatus.failure }
  }

  /// Long lines are not wrapped, so that users can copy remedies.
  private func printList(_ report: Report) {
    let width = report.findings.map(\.code.count).max() ?? 0
    for finding in report.findings {
      let status = finding.status.rawValue.padding(to: 7)
      Console.print("\(styled(status, finding.status))  \(finding.code.padding(to: width))  \(finding.text)")
      if let remedy = finding.remedy { Console.print("       → \(remedy)") }
    }
    Console.print("\n" + report.summary)
  }

  private func styled(_ text: String, _ status: Doctor.Finding.Status) -> String {
    guard Console.usesColor else { return text }
    switch status {
    case .ok: return "\u{1B}[32m\(text)\u{1B}[0m"
    case .info: return text
    case .warning: return "\u{1B}[33m\(text)\u{1B}[0m"
    case .problem: return "\u{1B}[31m\(text)\u{1B}[0m"
    }
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
