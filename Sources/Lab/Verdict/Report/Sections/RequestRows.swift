/// The requests of a session as bars, a row for each kind; what ran at the same time lies in lanes below each other.
struct RequestRows {
  private struct Row {
    let title: String
    let top: Double
    /// A list of requests for each lane.
    let lanes: [[StreamSession.Request]]
    /// Whether a line below the bars has marks.
    let isMarked: Bool

    var marks: Double { top + Double(max(lanes.count, 1)) * RequestRows.lane }
    var bottom: Double { marks + (isMarked ? RequestRows.markLine : 0) }
  }

  private let rows: [Row]
  private let columns: TimeColumns
  private let failed: Int
  private let abandoned: Int

  private static let label = 16.0
  private static let lane = 11.0
  private static let bar = 9.0
  private static let markLine = 11.0
  private static let gap = 6.0
  /// A sixth request at a time lies on the others.
  private static let mostLanes = 5
  /// Places across for marks, which are as wide as a letter.
  private static let marks = 80.0

  init(_ session: StreamSession, _ columns: TimeColumns, top: Double) {
    self.columns = columns
    failed = session.requests.count { $0.outcome == .failed }
    abandoned = session.requests.count { $0.outcome == .abandoned }
    var (rows, y) = ([Row](), top)
    for (title, isMember) in Self.kinds {
      let own = session.requests.filter(isMember)
      guard !own.isEmpty else { continue }
      let row = Row(
        title: "\(title), \(own.count)", top: y + Self.label, lanes: Self.lanes(own),
        isMarked: own.contains { $0.outcome == .failed || $0.outcome == .abandoned })
      rows.append(row)
      y = row.bottom + Self.gap
    }
    self.rows = rows
  }

  private static let kinds: [(title: String, isMember: @Sendable (StreamSession.Request) -> Bool)] = [
    ("manifests and playlists", { [.manifest, .playlist, .index, .clock].contains($0.kind) }),
    ("keys and initialization segments", { [.key, .initialization].contains($0.kind) }),
    ("segments", { $0.kind == .segment && $0.rung != nil }),
    ("segments of sound and subtitles", { $0.kind == .segment && $0.rung == nil }),
  ]

  var bottom: Double { rows.last?.bottom ?? 0 }

  /// Each request in the first lane that is free.
  private static func lanes(_ requests: [StreamSession.Request]) -> [[StreamSession.Request]] {
    var (lanes, ends) = ([[StreamSession.Request]](), [Double]())
    for request in requests.sorted(by: { $0.times.queued < $1.times.queued }) {
      if let free = ends.firstIndex(where: { $0 <= request.times.queued }) {
        lanes[free].append(request)
        ends[free] = request.times.ended
      } else if lanes.count < mostLanes {
        lanes.append([request])
        ends.append(request.times.ended)
      } else {
        lanes[mostLanes - 1].append(request)
        ends[mostLanes - 1] = max(ends[mostLanes - 1], request.times.ended)
      }
    }
    return lanes
  }

  var drawing: [Markup] {
    var drawing: [Markup] = []
    for row in rows {
      drawing.append(Draw.text(row.title, x: 0, y: row.top - 4, class: "label"))
      for (index, requests) in row.lanes.enumerated() {
        drawing.append(bars(requests, y: row.top + Double(index) * Self.lane))
      }
      drawing += marks(row, .failed, "✕", class: "alert") + marks(row, .abandoned, "◇", class: "strong")
    }
    return drawing
  }

  var legend: [String] {
    [failed == 0 ? nil : "✕ failed, \(failed)", abandoned == 0 ? nil : "◇ abandoned, \(abandoned)"].compactMap { $0 }
  }

  private func bars(_ requests: [StreamSession.Request], y: Double) -> Markup {
    let kinds: [(name: String, isMember: (StreamSession.Request) -> Bool)] = [
      ("fill-decode", { $0.outcome == .finished || $0.outcome == .cancelled }),
      ("outline", { $0.outcome == .abandoned }),
      ("fill-bad", { $0.outcome == .failed }),
    ]
    var paths: [Markup] = []
    let waiting = columns.spans(requests.map { ($0.times.queued, $0.times.firstByte ?? $0.times.ended) })
    paths.append(Draw.path(StreamChart.bars(waiting, y: 3, height: 3), class: "fill-wait"))
    for (name, isMember) in kinds {
      let own = requests.filter { isMember($0) }.map { ($0.times.firstByte ?? $0.times.ended, $0.times.ended) }
      guard !own.isEmpty else { continue }
      paths.append(Draw.path(StreamChart.bars(columns.spans(own), y: 0, height: Self.bar), class: name))
    }
    return Draw.plane(y: y, height: Self.bar, paths)
  }

  /// A letter below the end of each such request; one where several are too close.
  private func marks(
    _ row: Row, _ outcome: StreamSession.Request.Outcome, _ letter: String, class name: String
  ) -> [Markup] {
    let places = Set(
      row.lanes.joined().filter { $0.outcome == outcome }.map { (columns.place($0.times.ended) * Self.marks).rounded() }
    )
    return places.sorted().map { place in
      .element(
        "text",
        [
          "class": name, "x": Draw.percent(place / Self.marks), "y": Draw.number(row.marks + 8),
          "text-anchor": "middle",
        ], letter)
    }
  }
}
