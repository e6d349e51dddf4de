extension Setting {
  /// The option without its hyphens, and the key in a matrix: `look-ahead`.
  package var name: String { words(joinedBy: "-") }

  /// The name in comparisons: `look_ahead`.
  var key: String { words(joinedBy: "_") }

  /// The setting of that name, or nil when there is none.
  package static func named(_ name: String) -> Setting? { byName[name] }

  /// The settings of a session on the virtual clock: `abr` takes them too.
  package static let simulated: [Setting] = [
    .buffer, .controller, .duration, .estimator, .network, .peakBitrate, .rate, .resumeBuffer, .rtt, .startBitrate,
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  private func words(joinedBy separator: String) -> String {
    rawValue.map { $0.isUppercase ? separator + $0.lowercased() : String($0) }.joined()
  }
}

extension Setting {
  package struct Row: Sendable {
    package let value: Value
    /// The value's placeholder in help if it is not the unit; nil: the setting's name.
    package let form: String?
    package let help: String
    /// The setting affects only scenarios with this trait; nil: it may affect any.
    package let trait: Scenario.Trait?
    /// A flag with which the setting affects every scenario.
    package let companion: Setting?
    let comparison: Comparison

    init(
      _ value: Value, _ help: String, form: String? = nil, of trait: Scenario.Trait? = nil,
      with companion: Setting? = nil,
      _ comparison: Comparison
    ) {
      (self.value, self.help, self.form, self.trait) = (value, help, form, trait)
      (self.companion, self.comparison) = (companion, comparison)
    }

    /// A setting whose recorded value must be equal in records that are compared.
    init(
      _ value: Value, _ help: String, form: String? = nil, of trait: Scenario.Trait? = nil,
      fact: @escaping @Sendable (Record) -> String?
    ) {
      self.init(value, help, form: form, of: trait, .fact(fact))
    }
  }

  /// What a setting takes.
  package enum Value: Sendable {
    case text
    /// Text that may begin with a minus.
    case signedText
    case flag
    case count(ClosedRange<Int>)
    case number(ClosedRange<Double>, unit: String)
    /// A file: in a matrix relative to the matrix's folder, unless the path is absolute or a URL. No extension: any.
    case file(extensions: [String])
    /// A file if it ends in `.json`, else a name.
    case nameOrFile
  }

  /// Whether records that differ in the setting may be compared.
  enum Comparison: Sendable {
    /// Only if these texts are equal. Nil agrees with any: no scenario of the record depended on the setting.
    case fact(@Sendable (Record) -> String?)
    /// The fact of another setting describes this one too.
    case factOf(Setting)
    /// It does not change what is measured.
    case free
  }

  /// The fact that records must agree in; nil if the setting has none of its own.
  var comparedField: ComparedField? {
    guard case .fact(let value) = row.comparison else { return nil }
    // Both bounds of the bit rate are one fact, whose name is older than this table.
    return ComparedField(self == .startBitrate ? "bitrates" : key, value)
  }

  /// Why a number is outside the row's bounds, in a sentence; nil if it is inside, or the setting has no bounds.
  package func problem(with number: Double) -> String? {
    switch row.value {
    case .count(let bounds):
      let bounds = ClosedRange(from: Double(bounds.lowerBound), through: Double(bounds.upperBound))
      return bounds.contains(number) ? nil : sentence(bounds, unit: "")
    case .number(let bounds, let unit): return bounds.contains(number) ? nil : sentence(bounds, unit: " " + unit)
    default: return nil
    }
  }

  private func sentence(_ bounds: ClosedRange<Double>, unit: String) -> String {
    func text(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
    return "--\(name) must be between \(text(bounds.lowerBound)) and \(text(bounds.upperBound))\(unit)."
  }
}
