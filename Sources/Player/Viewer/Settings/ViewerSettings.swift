import Frames
import Playlists

/// The user's settings, read from a file of one setting a line. The viewer never writes the file.
package struct ViewerSettings: Sendable, Hashable {
  package var remembersPosition = RemembersPosition.ask
  /// Start over at the end of a clip, or of the playlist.
  package var repeats = PlayQueue.Repeat.off
  /// Clips are played in random order.
  package var isShuffled = false
  /// The view keeps turning when a drag ends.
  package var hasInertia = true
  /// 0 … 1.
  package var volume = 1.0
  /// Sound goes on while the window is minimised; else it pauses with the picture.
  package var hearsMinimised = false
  /// Seconds that sound is heard later; negative: earlier.
  package var audioDelay = 0.0
  /// Seconds that subtitles are shown later; negative: earlier.
  package var subtitleDelay = 0.0
  /// Sizes relative to the usual ones.
  package var subtitleSize = 1.0
  package var textSize = 1.0
  package var isHighContrast = false
  /// A desktop controls the window: media keys, panels, lock screens.
  package var hasMediaControls = true
  /// Nil: the current folder.
  package var screenshotFolder: String?
  /// The language of the window; nil: `auto`, which the caller resolves.
  package var language: Words?

  var words: Words { language ?? .english }

  static let sizes = 0.5...3.0
  static let delays = -600.0...600.0
  static let audioDelays = -10.0...10.0
  /// One press of a key: seconds, and a share of the size.
  static let (delayStep, sizeStep) = (0.1, 0.1)

  package init() {}

  /// A row of the table: the setting's name in the file, its values, and what they mean.
  package struct Row: Sendable {
    package var name: String
    package var values: String
    package var help: String
    /// Takes a value; false where it is none of `values`.
    var read: @Sendable (inout ViewerSettings, String) -> Bool
  }

  package static let table: [Row] = [
    choice("remember-position", "continue a clip where it was left", \.remembersPosition),
    choice("repeat", "start over at the end of a clip, or of the playlist", \.repeats),
    toggle("shuffle", "play the clips of a playlist in random order", \.isShuffled),
    toggle("inertia", "the view keeps turning when a drag ends", \.hasInertia),
    Row(name: "volume", values: "0…100%", help: "how loud sound is at first") {
      let digits = $1.hasSuffix("%") ? $1.dropLast() : $1[...]
      guard let percent = Double(digits), (0...100).contains(percent) else { return false }
      $0.volume = percent / 100
      return true
    },
    Row(
      name: "when-minimised", values: "pause|audio", help: "pause, or play the sound on, while the window is minimised"
    ) {
      guard $1 == "pause" || $1 == "audio" else { return false }
      $0.hearsMinimised = $1 == "audio"
      return true
    },
    Row(name: "audio-delay", values: "seconds", help: "hear sound later; negative: earlier") {
      guard let seconds = Double($1), audioDelays.contains(seconds) else { return false }
      $0.audioDelay = seconds
      return true
    },
    Row(name: "subtitle-delay", values: "seconds", help: "show subtitles later; negative: earlier") {
      guard let seconds = Double($1), delays.contains(seconds) else { return false }
      $0.subtitleDelay = seconds
      return true
    },
    size("subtitle-size", "size of subtitles", \.subtitleSize),
    size("text-size", "size of controls and text", \.textSize),
    toggle("media-controls", "media keys and the desktop control the window (MPRIS)", \.hasMediaControls),
    toggle("high-contrast", "opaque controls in strong colours", \.isHighContrast),
    Row(
      name: "screenshot-folder", values: "folder",
      help: "where screenshots are written, made if missing; ~ is the home folder"
    ) {
      $0.screenshotFolder = $1
      return true
    },
    Row(
      name: "language", values: (["auto"] + Words.allCases.map(\.rawValue)).joined(separator: "|"),
      help: "language of the window"
    ) {
      $0.language = Words(rawValue: $1)
      return $1 == "auto" || $0.language != nil
    },
  ]

  /// Whether a clip goes on where it was left.
  package enum RemembersPosition: String, Sendable, CaseIterable {
    case ask, yes, no
  }

  private static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
    _ name: String, _ help: String, _ property: WritableKeyPath<ViewerSettings, Value> & Sendable
  ) -> Row where Value.RawValue == String {
    Row(name: name, values: Value.allCases.map(\.rawValue).joined(separator: "|"), help: help) { settings, text in
      guard let value = Value(rawValue: text) else { return false }
      settings[keyPath: property] = value
      return true
    }
  }

  private static func toggle(
    _ name: String, _ help: String, _ property: WritableKeyPath<ViewerSettings, Bool> & Sendable
  ) -> Row {
    Row(name: name, values: "yes|no", help: help) { settings, value in
      guard value == "yes" || value == "no" else { return false }
      settings[keyPath: property] = value == "yes"
      return true
    }
  }

  private static func size(
    _ name: String, _ help: String, _ property: WritableKeyPath<ViewerSettings, Double> & Sendable
  ) -> Row {
    Row(name: name, values: "50…300%", help: help) { settings, value in
      let digits = value.hasSuffix("%") ? value.dropLast() : value[...]
      guard let percent = Double(digits), sizes.contains(percent / 100) else { return false }
      settings[keyPath: property] = percent / 100
      return true
    }
  }

  /// Reads lines such as `text-size 150%`. `#` at the start of a line, or behind a space, starts a comment.
  ///
  /// Throws `.usage` with the file, the line and the error.
  package init(_ text: String, file: String) throws(Failure) {
    self.init()
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let (name, value) = Self.parts(line)
      guard !name.isEmpty else { continue }
      let row = Self.table.first { $0.name == name }
      guard let row else {
        throw Self.failure(file, number, "there is no setting '\(printable(name))'")
      }
      guard !value.isEmpty, row.read(&self, value) else {
        throw Self.failure(file, number, "'\(printable(value))' is no value of \(name), which takes \(row.values)")
      }
    }
  }

  private static func parts(_ line: Substring) -> (name: String, value: String) {
    var words: [Substring] = []
    for word in line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }) {
      if word.hasPrefix("#") { break }
      words.append(word)
    }
    return (words.first.map(String.init) ?? "", words.dropFirst().joined(separator: " "))
  }

  private static func failure(_ file: String, _ number: Int, _ cause: String) -> Failure {
    Failure(
      .usage, "cannot read the settings in '\(file)'", cause: "line \(number + 1): \(cause)",
      remedy: "a line is SETTING VALUE, as in 'text-size 150%'; view --help names the settings")
  }
}

extension ViewerSettings {
  /// Changes the delay by tenths of a second.
  mutating func delaySubtitles(_ tenths: Int) {
    let wanted = ((subtitleDelay / Self.delayStep).rounded() + Double(tenths)) * Self.delayStep
    subtitleDelay = min(max(wanted, Self.delays.lowerBound), Self.delays.upperBound)
  }

  /// Changes the delay of sound by tenths of a second.
  mutating func delaySound(_ tenths: Int) {
    let wanted = ((audioDelay / Self.delayStep).rounded() + Double(tenths)) * Self.delayStep
    audioDelay = min(max(wanted, Self.audioDelays.lowerBound), Self.audioDelays.upperBound)
  }

  /// Changes a size by steps.
  mutating func resize(_ property: WritableKeyPath<ViewerSettings, Double>, _ steps: Int) {
    let wanted = ((self[keyPath: property] / Self.sizeStep).rounded() + Double(steps)) * Self.sizeStep
    self[keyPath: property] = min(max(wanted, Self.sizes.lowerBound), Self.sizes.upperBound)
  }
}
