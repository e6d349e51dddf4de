import ArgumentParser
import Verdict

/// Options whose name, help, placeholder and completion are those of a setting's row.
extension Option {
  init(wrappedValue: Value, _ setting: Setting, also: String? = nil, completion: CompletionKind? = nil)
  where Value: ExpressibleByArgument {
    self.init(
      wrappedValue: wrappedValue, name: .customLong(setting.name), parsing: setting.parsing, help: setting.help(also),
      completion: completion ?? setting.completion)
  }

  init<Wrapped: ExpressibleByArgument>(_ setting: Setting, completion: CompletionKind? = nil)
  where Value == Wrapped? {
    self.init(
      name: .customLong(setting.name), parsing: setting.parsing, help: setting.help(nil),
      completion: completion ?? setting.completion)
  }
}

extension Flag where Value == Bool {
  init(wrappedValue: Bool, _ setting: Setting) {
    self.init(wrappedValue: wrappedValue, name: .customLong(setting.name), help: setting.help(nil))
  }
}

extension Setting {
  fileprivate var parsing: SingleValueParsingStrategy {
    switch row.value {
    case .signedText: .unconditional
    case .number(let bounds, _) where bounds.lowerBound < 0: .unconditional
    default: .next
    }
  }

  fileprivate var completion: CompletionKind? {
    // The types of other values list theirs.
    if case .file(let extensions) = row.value { .file(extensions: extensions) } else { nil }
  }

  /// - Parameter addition: a sentence after the row's text.
  fileprivate func help(_ addition: String?) -> ArgumentHelp {
    var form = row.form
    switch row.value {
    case .count: form = form ?? "n"
    case .number(_, let unit): form = form ?? unit
    default: break
    }
    return ArgumentHelp("\(row.help)\(addition.map { " " + $0 } ?? "")", valueName: form)
  }

  /// Throws the usage error of a number outside the row's bounds.
  func check(_ number: Double?) throws {
    if let text = number.flatMap(problem) { throw ValidationError(text) }
  }

  func check(_ number: Int?) throws { try check(number.map(Double.init)) }
}
