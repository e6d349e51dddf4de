import Viewer

/// Each phrase with values that are found again in a text; those with a plural several times.
enum Samples {
  static let numbers = [1, 2, 5, 12345]

  static let phrases: [Phrase] =
    numbers.flatMap { number -> [Phrase] in
      [
        .clips(number), .channels(number), .shown(number), .dropped(number), .late(number), .queued(number),
        .requests(number), .failed(number), .madeAgain(number), .stalls(number, seconds: "31,4 s"),
        .threads(number, of: "h264"),
      ]
    } + [
      .word(.mute), .named("Name", value: "Wert"), .secondsForward(5), .secondsBack(10), .jump(percent: 30),
      .timeLeft(seconds: 25),
      .page(2, of: 3), .chapter(2, of: 5), .continued(at: "1:23"), .goOn(at: "1:23", key: "Enter"), .loopFrom("0:05"),
      .twoEyesTopBottom("360°"), .twoEyesSideBySide("180°"), .looksLike("360°"), .mayBe("360°"),
      .showsFlat(claim: "XX", key: "p"), .showsSo(claim: "XX", key: "p"),
      .chosenBefore("AA", insteadOf: "BB", key: "p"), .opening("clip.mp4"), .waitingFor("example.org"),
      .waitingForStreams("example.org"), .position(3, of: 14), .wrote("view.png"), .openedAgain(cause: "device lost"),
      .noSound(cause: "no device"), .noSubtitles(in: "FR", path: "a.mp4"),
      .cannotShowSubtitles("Signs", cause: "pictures"), .noSubtitlesToShow(cause: "pictures"), .stream(3),
      .ad(3), .adSkipped(3, after: 12), .reconnecting(cause: "refused"), .tryingAgain(cause: "refused"),
      .networkLost(cause: "refused", ahead: 12),
      .networkLost(cause: "refused", ahead: nil), .loadingFails(cause: "503", ahead: 12),
      .loadingFails(cause: "503", ahead: nil), .slept("3 min"), .framesPerSecond("59,9"), .playedAt(speed: "2×"),
      .read("1.2 ms"), .decode("1.2 ms"), .render("1.2 ms"), .input("1.2 ms"), .decoder("h264"),
      .runsOn("vaapi", decoder: "h264"), .upload("staged"), .device("llvmpipe"), .pan("30°"), .tilt("30°"),
      .roll("30°"), .fieldOfView("90°"), .gap("16.7 ms", refreshes: "1.5"), .frameLegend(count: 120),
      .format("HLS", server: "example.org"), .rung(2, of: 5), .rungTitle(2, of: 5), .chosen(by: "bola"),
      .loadingRung(4), .buffer("8.1 s", of: "30.2 s"), .loadedAhead("8.1 s"), .network("2.4 Mbit/s"),
      .throughput("2.4 Mbit/s"), .mean(of: 14, "2.4 Mbit/s"), .firstByte(after: "41.5 ms"), .latency("3.1 s"),
      .target("3.5 s"), .behindEdge("2.1 s"), .window("120 s"), .rate("1.02×"), .throughputLegend(count: 60),
    ]

  /// `chapter`.
  static func name(of phrase: Phrase) -> String? { Mirror(reflecting: phrase).children.first?.label }

  /// Its values as they are to be found in its text.
  static func values(of phrase: Phrase) -> [String] {
    if case .word = phrase { return [] }
    guard let child = Mirror(reflecting: phrase).children.first?.value else { return [] }
    let parts =
      Mirror(reflecting: child).displayStyle == .tuple ? Mirror(reflecting: child).children.map(\.value) : [child]
    return parts.compactMap { part in
      (part as? String) ?? (part as? Int).map { "\($0)" }
    }
  }

  /// Whether a phrase holds words beside its values.
  static func isTranslated(_ phrase: Phrase) -> Bool {
    switch phrase {
    case .word, .named: false
    default: true
    }
  }
}
