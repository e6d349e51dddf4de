import Decode
import Frames
import Media

// The user's commands, between two refreshes, on the session's thread. Places are the file's times, as in frames.
extension PlaySession {
  /// The place in the clip: the seek target, else the place that the last refresh showed.
  public var clipPosition: MediaTime {
    if player.state == .seeking { return player.position }
    // Its picture may wait for its sound.
    if let landed = navigation.landed { return landed }
    guard let shown else { return .zero }
    let within = min(max(player.position - shown.place.time, .zero), shown.frame.duration)
    return shown.frame.presentationTime + within
  }

  /// At the end it starts over.
  public func play() {
    navigation.stepsBack = 0
    if player.play() {
      go(.seek(SeekRequest(target: .zero)))
    } else {
      source.goOn()
    }
  }

  public func pause() { player.pause() }

  /// Clamped to 0.25 … 4.
  public func setRate(_ rate: Double) { player.setRate(rate, at: link.now) }

  /// Seeks to a place, and resumes playing there if it played before. A newer seek replaces one that has not landed.
  public func seek(_ request: SeekRequest) {
    guard canSeek else { return }
    navigation.stepsBack = 0
    player.seek(to: request.target)
    go(.seek(request))
  }

  /// Pauses, and shows the next frame.
  public func stepForward() {
    player.stepForward()
    source.goOn()
  }

  /// Pauses, and shows the frame before the one that is shown.
  public func stepBack() {
    player.pause()
    guard canSeek, let shown else { return }
    // From where the last step leads, once that is known.
    if case .before = navigation.going?.order { return navigation.stepsBack += 1 }
    player.seek(to: shown.frame.presentationTime - MediaTime(nanoseconds: 1))
    go(.before(shown.frame.presentationTime))
  }

  /// A drag of the slider begins: until it ends and its last picture is shown, the scrubber seeks and plays.
  public func beginScrubbing(_ slider: ScrubSlider, tolerance: ScrubTolerance = .adaptive) {
    guard canSeek else { return }
    if navigation.scrubber == nil { navigation.scrubber = Scrubber(slider: slider, tolerance: tolerance) }
    scrub { $0.begin(rate: player.wantsToPlay ? player.rate : 0) }
  }

  /// The drag moved.
  public func scrub(to place: MediaTime) { scrub { $0.move(to: place, at: link.now) } }

  /// The drag ended.
  public func endScrubbing() { scrub { $0.end(at: link.now) } }

  /// Whether it plays, or will after the seek target was delivered and the drag ended.
  public var willPlay: Bool { player.wantsToPlay || navigation.scrubber?.resumes == true }

  /// Seeks and steps back so far, the scrubber's too.
  package var seekCount: Int { navigation.orders }

  /// Whether a clip is open to seek in.
  public var canSeek: Bool {
    switch player.state {
    case .idle, .opening, .failed: false
    default: options.canSeek
    }
  }
}

// Implementation.
extension PlaySession {
  /// Pending seeks and steps of a session, and the drag that causes them.
  struct Navigation {
    /// An order that has not landed yet.
    struct Going {
      var id: Int
      var order: SeekOrder
      /// Which of the scrubber's seeks it is; nil for one that a person asked for.
      var scrub: Int?
    }

    var going: Going?
    /// Orders so far.
    private(set) var orders = 0
    /// Steps back that wait for one to land.
    var stepsBack = 0
    /// The drag of the slider; nil without one.
    var scrubber: Scrubber?
    /// The scrubber's seek whose frame is about to be shown.
    var landedScrub: Int?
    /// The time of the frame that was landed on, until it is shown.
    var landed: MediaTime?

    /// The number of a new order.
    mutating func begin(_ order: SeekOrder, scrub: Int?) -> Int {
      orders += 1
      landed = nil
      going = Going(id: orders, order: order, scrub: scrub)
      return orders
    }
  }

  private func go(_ order: SeekOrder, scrub: Int? = nil) {
    let id = navigation.begin(order, scrub: scrub)
    ending = nil
    source.go(order, id: id, waits: !player.wantsToPlay)
  }

  func scrub(_ change: (inout Scrubber) -> [ScrubAction]) {
    guard var scrubber = navigation.scrubber else { return }
    let actions = change(&scrubber)
    navigation.scrubber = scrubber.state == .idle ? nil : scrubber
    for action in actions {
      switch action {
      case .pause: player.pause()
      case .seek(let seek):
        player.seek(to: seek.request.target)
        go(.seek(seek.request), scrub: seek.id)
      case .play: play()
      }
    }
  }

  /// The newest order has landed.
  func landed(_ landing: SeekLanding) {
    guard let going = navigation.going, going.id == landing.id else { return drop(.landing(landing)) }
    navigation.going = nil
    if let queued = landing.frame {
      player.add(queued.place, queued.frame)
      (navigation.landedScrub, navigation.landed) = (going.scrub, queued.frame.presentationTime)
    } else if case .before(let time) = going.order {
      // No frame lies before it: return to the frame shown.
      go(.seek(SeekRequest(target: time)))
    } else {
      player.end()
      if let id = going.scrub { scrub { $0.landed(id, interval: nil, at: link.now) } }
    }
  }

  /// The frame landed on is on screen.
  func showed(_ frame: VideoFrame) {
    navigation.landed = nil
    if navigation.stepsBack > 0, navigation.going == nil {
      navigation.stepsBack -= 1
      stepBack()
    }
    guard let id = navigation.landedScrub else { return }
    navigation.landedScrub = nil
    let end = max(frame.presentationTime, frame.presentationTime + frame.duration)
    scrub { $0.landed(id, interval: Range(from: frame.presentationTime, to: end), at: link.now) }
  }
}
