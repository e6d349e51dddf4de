/// A text of the window with values. Each table has a line for it, which the compiler checks; that the line shows all values, a test.
///
/// Numbers as strings have the language's form already; integers also choose a plural.
package enum Phrase: Sendable, Hashable {
  case word(Word)
  /// `Speed: 2×`.
  case named(String, value: String)

  // Actions.
  case secondsForward(Int)
  case secondsBack(Int)
  case jump(percent: Int)
  case page(Int, of: Int)

  // Places.
  case chapter(Int, of: Int)
  case continued(at: String)
  case goOn(at: String, key: String)
  case loopFrom(String)

  // Why a clip is drawn as it is, and which key, or menu, changes it.
  case twoEyesTopBottom(String)
  case twoEyesSideBySide(String)
  case looksLike(String)
  case mayBe(String)
  case showsFlat(claim: String, key: String)
  case showsSo(claim: String, key: String)
  case chosenBefore(String, insteadOf: String, key: String)

  // Work that takes a while.
  case timeLeft(seconds: Int)

  // Files and tracks.
  case opening(String)
  case waitingFor(String)
  case waitingForStreams(String)
  case clips(Int)
  case position(Int, of: Int)
  case wrote(String)
  case openedAgain(cause: String)
  case noSound(cause: String)
  case noSubtitles(in: String, path: String)
  case cannotShowSubtitles(String, cause: String)
  case noSubtitlesToShow(cause: String)
  case stream(Int)
  case channels(Int)

  // Ads: of a break, by number.
  case ad(Int)
  case adSkipped(Int, after: Int)

  // The network.
  case reconnecting(cause: String)
  case tryingAgain(cause: String)
  /// Seconds that are loaded ahead.
  case networkLost(cause: String, ahead: Int?)
  case loadingFails(cause: String, ahead: Int?)
  case slept(String)

  // Statistics.
  case framesPerSecond(String)
  case shown(Int)
  case dropped(Int)
  case late(Int)
  case queued(Int)
  case playedAt(speed: String)
  case read(String)
  case decode(String)
  case render(String)
  case input(String)
  case decoder(String)
  case threads(Int, of: String)
  case runsOn(String, decoder: String)
  case upload(String)
  case device(String)
  case pan(String)
  case tilt(String)
  case roll(String)
  case fieldOfView(String)
  case gap(String, refreshes: String)
  case frameLegend(count: Int)

  // Statistics of a stream.
  case format(String, server: String)
  case rung(Int, of: Int)
  case rungTitle(Int, of: Int)
  case chosen(by: String)
  case loadingRung(Int)
  case buffer(String, of: String)
  case loadedAhead(String)
  case network(String)
  case throughput(String)
  case mean(of: Int, String)
  case firstByte(after: String)
  case requests(Int)
  case failed(Int)
  case madeAgain(Int)
  case stalls(Int, seconds: String)
  case latency(String)
  case target(String)
  case behindEdge(String)
  case window(String)
  case rate(String)
  case throughputLegend(count: Int)
}
