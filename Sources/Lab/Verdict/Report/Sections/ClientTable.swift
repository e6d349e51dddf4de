/// The clients of one trial beside each other, a row each.
struct ClientTable {
  private let trial: Record.Trial
  private let clients: [StreamClient]
  private let number: Int
  private let count: Int

  /// Of the trial that was least fair; nil where no trial had several clients.
  init?(_ scenario: Record.Scenario) {
    let trials = scenario.trials.enumerated().filter { !($0.element.clients ?? []).isEmpty }
    let least = trials.min { Self.fairness($0.element) ?? 2 < Self.fairness($1.element) ?? 2 }
    guard let least, let clients = least.element.clients else { return nil }
    (trial, self.clients) = (least.element, clients)
    (number, count) = (least.offset + 1, scenario.trials.count)
  }

  private static func fairness(_ trial: Record.Trial) -> Double? { trial.metrics[.clientFairness]?.samples.first }

  var markup: [Markup] {
    let place = count == 1 ? "" : ", trial \(number) of \(count), the least fair"
    let title = "\(clients.count) clients over one link\(place)"
    return [
      .element("p", ["class": "title"], title), .element("p", ["class": "note"], sentence),
      table.markup(caption: title),
    ]
  }

  private var sentence: String {
    let used = trial.metrics[.linkUtilisation]?.samples.first
    return
      "Jain's index of the mean bit rates \(ReportText.number(Self.fairness(trial))) (1: all equal; 1/n: one has all); "
      + "of the link's capacity \(used.map { "\(ReportText.number($0 * 100)) %" } ?? ReportText.unknown) used while a client loaded."
  }

  private var table: Table {
    Table(
      head: [
        "client", "controller", "start, s", "first picture, s", "Mbit/s", "stalls", "stalled, s", "up", "down",
        "MB loaded",
        "ended",
      ], rows: clients.map(row), texts: [0, 1, 10])
  }

  private func row(_ client: StreamClient) -> [String] {
    let session = client.session
    let measures = StreamMeasures(session)
    func count(_ metric: Metric) -> Int { measures.counters[metric] ?? 0 }
    let stalled = session.stalls.reduce(0) { $0 + $1.seconds }
    return [
      "\(client.number)", session.controller, ReportText.number(client.opened), ReportText.number(session.firstFrame),
      measures.samples[.meanBitrate]?.first.map { ReportText.number($0 / 1e6) } ?? ReportText.unknown,
      "\(session.stalls.count)", ReportText.number(stalled), "\(count(.switchesUp))", "\(count(.switchesDown))",
      ReportText.number(Double(count(.bytesDownloaded)) / 1e6), client.problem ?? state(session),
    ]
  }

  private func state(_ session: StreamSession) -> String {
    session.states.max { $0.time < $1.time }?.state.rawValue ?? ReportText.unknown
  }
}
