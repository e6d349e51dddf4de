import Desktop
import Frames
import Testing

/// What calls of clients become, without a bus.
@Suite struct MPRISTests {
  private static let player = "org.mpris.MediaPlayer2.Player"
  private static let properties = "org.freedesktop.DBus.Properties"

  private static func state(canSeek: Bool = true) -> PlayerState {
    var state = PlayerState()
    state.track = .init(
      number: 3, title: "clip.mp4", url: "file:///a/clip.mp4", length: MediaTime(seconds: 10), canSeek: canSeek)
    (state.status, state.place) = (.playing, MediaTime(seconds: 4))
    return state
  }

  private func answer(
    _ member: String, _ arguments: [BusValue] = [], interface: String? = player, path: String = MPRISObject.path,
    _ state: PlayerState = state()
  ) -> BusAnswer {
    MPRISObject.answer(
      BusCall(path: path, interface: interface, member: member, arguments: arguments), state
    ) { "0123" }
  }

  private func request(_ member: String, _ arguments: [BusValue] = [], _ state: PlayerState = state()) -> PlayerRequest?
  {
    guard case .reply(_, let request) = answer(member, arguments, state) else { return nil }
    return request
  }

  private func refusal(_ answer: BusAnswer) -> String? {
    if case .failure(let name, _) = answer { name } else { nil }
  }

  private func set(_ name: String, _ value: BusValue, in interface: String = player) -> BusAnswer {
    answer("Set", [.string(interface), .string(name), .variant(value)], interface: Self.properties)
  }

  private func get(_ name: String, in interface: String = player, _ state: PlayerState = state()) -> BusValue? {
    let answer = answer("Get", [.string(interface), .string(name)], interface: Self.properties, state)
    guard case .reply(let values, _) = answer, case .variant(let value)? = values.first else { return nil }
    return value
  }

  @Test(arguments: [
    ("Play", PlayerRequest.play), ("Pause", .pause), ("PlayPause", .playOrPause), ("Stop", .stop), ("Next", .next),
    ("Previous", .previous),
  ])
  func buttonsAreRequests(member: String, expected: PlayerRequest) {
    #expect(request(member) == expected)
    // Without an interface the name alone counts.
    #expect(answer(member, interface: nil) == .reply([], request: expected))
    #expect(refusal(answer(member, [.int64(1)])) == "InvalidArgs")
    #expect(refusal(answer(member, path: "/org/mpris")) == "UnknownObject")
  }

  @Test func seeksAreMicroseconds() {
    #expect(request("Seek", [.int64(-1_500_000)]) == .move(by: MediaTime(seconds: -1.5)))
    #expect(request("Seek", [.int64(.min)]) == .move(by: MediaTime(nanoseconds: .min)))
    // Beyond the end it is the next clip.
    #expect(request("Seek", [.int64(6_000_001)]) == .next && request("Seek", [.int64(.max)]) == .next)
    #expect(request("Seek", [.int64(1)], Self.state(canSeek: false)) == nil)
    let track = BusValue.path("/org/bench360/track/3")
    #expect(request("SetPosition", [track, .int64(7_000_000)]) == .go(to: MediaTime(seconds: 7)))
    // A stale track and places outside are ignored.
    for arguments in [
      [.path("/org/bench360/track/2"), .int64(1)], [track, .int64(-1)], [track, .int64(10_000_001)],
      [track, .int64(.max)],
    ] {
      #expect(answer("SetPosition", arguments) == .reply([]))
    }
    #expect(refusal(answer("SetPosition", [.string("3"), .int64(1)])) == "InvalidArgs")
  }

  @Test(arguments: [
    ("file:///a/my%20clip%C3%A4.mp4", "/a/my clipä.mp4"), ("file://localhost/a.mp4", "/a.mp4"),
    ("file:/a.mp4", "/a.mp4"),
    ("https://host/a.m3u8?token=1", "https://host/a.m3u8?token=1"), ("HTTP://host/a.mp4", "HTTP://host/a.mp4"),
  ])
  func urisAreInputs(uri: String, input: String) { #expect(request("OpenUri", [.string(uri)]) == .open(input)) }

  @Test(arguments: [
    "", "/a.mp4", "-", "file:", "file:a.mp4", "file://other/a.mp4", "file:///a%00b", "file:///a%2", "file:///a%+1",
    "concat:/a|/b", "data:video/mp4;base64,AA", "http:host", "https://h/\n", "javascript:0",
    "https://" + String(repeating: "a", count: 10_000),
  ])
  func otherURIsAreRefused(uri: String) {
    let answer = answer("OpenUri", [.string(uri)])
    guard case .failure(let name, let text) = answer else { return #expect(Bool(false), "\(answer)") }
    #expect(name == "InvalidArgs" && text.utf8.count < 400 && !text.contains("\n"))
  }

  @Test func propertiesAreRead() {
    #expect(get("PlaybackStatus") == .string("Playing") && get("Position") == .int64(4_000_000))
    #expect(get("Rate") == .double(1) && get("MinimumRate") == .double(0.25) && get("MaximumRate") == .double(4))
    #expect(
      get("Metadata")
        == .table([
          "mpris:trackid": .path("/org/bench360/track/3"), "mpris:length": .int64(10_000_000),
          "xesam:title": .string("clip.mp4"), "xesam:url": .string("file:///a/clip.mp4"),
        ]))
    #expect(get("Identity", in: "org.mpris.MediaPlayer2") == .string("bench360"))
    // No clip: the track that MPRIS reserves, and nothing to seek in.
    #expect(
      get("Metadata", PlayerState())
        == .table(["mpris:trackid": .path("/org/mpris/MediaPlayer2/TrackList/NoTrack")]))
    #expect(get("CanPlay", PlayerState()) == .boolean(false) && get("CanSeek", PlayerState()) == .boolean(false))
  }

  @Test func propertiesAreSetWithinTheirBounds() {
    #expect(set("Rate", .double(2)) == .reply([], request: .setRate(2)))
    #expect(set("Rate", .double(100)) == .reply([], request: .setRate(4)))
    // As MPRIS has it.
    #expect(set("Rate", .double(0)) == .reply([], request: .pause))
    #expect(set("Volume", .double(-3)) == .reply([], request: .setVolume(0)))
    #expect(set("Volume", .double(.infinity)) == .reply([], request: .setVolume(1)))
    for loop in PlayerState.Loop.allCases {
      #expect(set("LoopStatus", .string(loop.rawValue)) == .reply([], request: .setLoop(loop)))
      var state = Self.state()
      (state.loop, state.isShuffled) = (loop, loop == .playlist)
      #expect(get("LoopStatus", state) == .string(loop.rawValue))
      #expect(get("Shuffle", state) == .boolean(loop == .playlist))
    }
    #expect(set("Shuffle", .boolean(true)) == .reply([], request: .setShuffle(true)))
    #expect(
      set("Fullscreen", .boolean(true), in: "org.mpris.MediaPlayer2") == .reply([], request: .setFullscreen(true)))
    for (name, value) in [
      ("Rate", BusValue.double(.nan)), ("Rate", .double(-1)), ("Rate", .string("2")), ("Volume", .double(.nan)),
      ("Volume", .int64(1)), ("LoopStatus", .string("Album")), ("LoopStatus", .other("a")),
      ("Shuffle", .string("On")),
    ] {
      #expect(refusal(set(name, value)) == "InvalidArgs", "\(name) \(value)")
    }
    #expect(refusal(set("Position", .int64(1))) == "PropertyReadOnly")
    #expect(refusal(set("TrackList", .boolean(true))) == "UnknownProperty")
    #expect(refusal(answer("Set", [.string(Self.player)], interface: Self.properties)) == "InvalidArgs")
    #expect(refusal(answer("Get", [.string("a.b"), .string("c")], interface: Self.properties)) == "UnknownInterface")
  }

  @Test func theStandardsOtherCallsAreAnswered() {
    let peer = "org.freedesktop.DBus.Peer"
    #expect(answer("Ping", interface: peer, path: "/any/path") == .reply([]))
    #expect(answer("GetMachineId", interface: peer) == .reply([.string("0123")]))
    #expect(refusal(answer("Fly", interface: peer)) == "UnknownMethod")
    #expect(refusal(answer("Fly")) == "UnknownMethod")
    #expect(refusal(answer("Play", interface: "a.b")) == "UnknownInterface")
    for (path, child) in [("/", "org"), ("/org", "mpris"), ("/org/mpris", "MediaPlayer2")] {
      let answer = answer("Introspect", interface: "org.freedesktop.DBus.Introspectable", path: path)
      guard case .reply(let values, nil) = answer else { return #expect(Bool(false), "\(answer)") }
      #expect(values.first?.string?.contains("<node name=\"\(child)\"/>") == true)
    }
    let nowhere = answer("Introspect", interface: "org.freedesktop.DBus.Introspectable", path: "/o")
    #expect(refusal(nowhere) == "UnknownObject")
  }

  /// Clients count the place on by themselves; they are told where that is wrong, and not more often than ten times a second.
  @Test func jumpsAreTold() {
    var follower = PlaceFollower()
    var state = Self.state()
    let start = MonotonicTime(nanoseconds: 1_000_000_000)
    func look(_ milliseconds: Double, _ place: Double) -> Bool {
      state.place = MediaTime(seconds: place)
      return follower.isJump(state, at: start.advanced(byMilliseconds: milliseconds))
    }
    #expect(!look(0, 4) && !look(1000, 5) && !look(2000, 6.2))
    #expect(look(2010, 9) && !look(2020, 2) && look(2200, 2) && !look(2300, 2.1))
    state.rate = 2
    #expect(!look(2400, 2.2) && !look(3400, 4.2) && look(4400, 5.2))
    state.status = .paused
    #expect(!look(4410, 5.22) && !look(9000, 5.22) && look(9100, 1))
    state.track?.number += 1
    #expect(!look(9200, 8))
  }
}
