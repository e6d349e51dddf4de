import Bench360Player
import Frames
import Overlay

// Messages in the language of the window.
extension Viewer {
  var words: Words { hud.words }

  /// Shows the user a message for a moment.
  func say(_ phrase: Phrase) { say(words[phrase]) }
  func say(_ word: Word) { say(words[word]) }
  func say(_ name: Word, _ value: String) { say(words.named(name, value)) }
  func say(_ mode: Word, _ isOn: Bool) { say(mode, words[isOn ? .on : .off]) }

  /// The same, and reports it to the caller in English.
  func tell(_ phrase: Phrase) { tell(words[phrase], Words.english[phrase]) }
  func tell(_ notice: Subtitles.Notice) { tell(words.text(notice), notice.description) }

  private func tell(_ text: String, _ english: String) {
    say(text)
    options.onMessage(english)
  }

  /// The window is in English where no font has the language's letters; the caller is told.
  func checkLetters(_ texts: TextCache) {
    guard !hud.isLegible else { return }
    hud.isLegible = true
    guard let missing = words.letters.first(where: { !texts.hasLetter($0) }) else { return }
    let name = words.englishName
    (hud.words, isStale) = (.english, true)
    options.onMessage(
      Failure(
        .failed, "cannot write \(name) in the window", cause: "no font has the letter \(missing)",
        remedy: "install one, such as Debian's fonts-droid-fallback; the window is in English"
      ).description)
  }
}

extension Phrase {
  package init(_ wait: OpeningStage.Wait) {
    self =
      switch wait {
      case .check: .word(.checkingFile)
      case .header: .word(.readingHeader)
      case .server(let host): .waitingFor(host)
      case .streams: .word(.lookingForStreams)
      case .streamsOf(let host): .waitingForStreams(host)
      case .device: .word(.startingDevice)
      case .decoder: .word(.startingDecoder)
      }
  }
}
