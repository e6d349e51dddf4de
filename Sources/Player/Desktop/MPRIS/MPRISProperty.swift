import Frames

/// A property of the two interfaces of MPRIS 2.2 that the player has. Pure.
struct MPRISProperty: Sendable {
  /// Behind `org.mpris.`.
  var interface: String
  var name: String
  /// The value's type, by its code.
  var signature: String
  /// Clients are told of changes; not of the place, which moves by itself.
  var isTold = true
  var read: @Sendable (PlayerState) -> BusValue
  /// The request that sets it; nil: values that the player does not take. Nil: it can only be read.
  var write: (@Sendable (BusValue) -> PlayerRequest?)?

  static let root = "MediaPlayer2"
  static let player = "MediaPlayer2.Player"

  static let table: [MPRISProperty] = [
    constant(root, "CanQuit", .boolean(true)),
    constant(root, "CanRaise", .boolean(true)),
    constant(root, "HasTrackList", .boolean(false)),
    constant(root, "CanSetFullscreen", .boolean(true)),
    MPRISProperty(
      interface: root, name: "Fullscreen", signature: "b", read: { .boolean($0.isFullscreen) },
      write: { if case .boolean(let isWanted) = $0 { .setFullscreen(isWanted) } else { nil } }),
    constant(root, "Identity", .string("bench360")),
    constant(root, "DesktopEntry", .string("bench360")),
    constant(root, "SupportedUriSchemes", .strings(["file", "http", "https"])),
    // Those of the desktop entry.
    constant(
      root, "SupportedMimeTypes",
      .strings([
        "video/mp4", "video/quicktime", "video/x-matroska", "video/webm", "video/mp2t", "video/x-msvideo", "video/ogg",
      ])),

    MPRISProperty(interface: player, name: "PlaybackStatus", signature: "s", read: { .string($0.status.rawValue) }),
    MPRISProperty(
      interface: player, name: "LoopStatus", signature: "s", read: { .string($0.loop.rawValue) },
      write: { $0.string.flatMap { PlayerState.Loop(rawValue: $0) }.map { .setLoop($0) } }),
    MPRISProperty(
      interface: player, name: "Shuffle", signature: "b", read: { .boolean($0.isShuffled) },
      write: { if case .boolean(let isWanted) = $0 { .setShuffle(isWanted) } else { nil } }),
    MPRISProperty(
      interface: player, name: "Rate", signature: "d", read: { .double($0.rate) },
      write: { value in
        guard case .double(let rate) = value, rate.isFinite, rate >= 0 else { return nil }
        // As the specification has it.
        return rate == 0 ? .pause : .setRate(min(max(rate, PlayerState.rates.lowerBound), PlayerState.rates.upperBound))
      }),
    constant(player, "MinimumRate", .double(PlayerState.rates.lowerBound)),
    constant(player, "MaximumRate", .double(PlayerState.rates.upperBound)),
    MPRISProperty(interface: player, name: "Metadata", signature: "a{sv}", read: { .table(metadata($0)) }),
    MPRISProperty(
      interface: player, name: "Volume", signature: "d", read: { .double($0.volume) },
      write: { value in
        guard case .double(let volume) = value, !volume.isNaN else { return nil }
        return .setVolume(min(max(volume, 0), 1))
      }),
    MPRISProperty(
      interface: player, name: "Position", signature: "x", isTold: false, read: { .int64($0.place.microseconds) }),
    MPRISProperty(interface: player, name: "CanGoNext", signature: "b", read: { .boolean($0.canGoNext) }),
    MPRISProperty(interface: player, name: "CanGoPrevious", signature: "b", read: { .boolean($0.canGoPrevious) }),
    MPRISProperty(interface: player, name: "CanPlay", signature: "b", read: { .boolean($0.track != nil) }),
    MPRISProperty(interface: player, name: "CanPause", signature: "b", read: { .boolean($0.track != nil) }),
    MPRISProperty(
      interface: player, name: "CanSeek", signature: "b", read: { .boolean($0.track?.canSeek ?? false) }),
    constant(player, "CanControl", .boolean(true)),
  ]

  private static func constant(_ interface: String, _ name: String, _ value: BusValue) -> MPRISProperty {
    MPRISProperty(interface: interface, name: name, signature: value.signature, read: { _ in value })
  }

  /// Of no clip: the path that MPRIS reserves for that.
  static func trackPath(_ track: PlayerState.Track?) -> String {
    track.map { "/org/bench360/track/\($0.number)" } ?? "/org/mpris/MediaPlayer2/TrackList/NoTrack"
  }

  private static func metadata(_ state: PlayerState) -> [String: BusValue] {
    var table: [String: BusValue] = ["mpris:trackid": .path(trackPath(state.track))]
    guard let track = state.track else { return table }
    (table["xesam:title"], table["xesam:url"]) = (.string(track.title), .string(track.url))
    if let length = track.length { table["mpris:length"] = .int64(length.microseconds) }
    return table
  }

  /// New values of an interface's properties.
  struct Change: Sendable, Hashable {
    var interface: String
    var values: [String: BusValue]
  }

  /// The properties that clients are to be told of, by interface, in the table's order.
  static func changes(from before: PlayerState?, to now: PlayerState) -> [Change] {
    [root, player].compactMap { interface in
      var values: [String: BusValue] = [:]
      for property in table where property.interface == interface && property.isTold {
        let value = property.read(now)
        if before.map({ property.read($0) != value }) ?? false { values[property.name] = value }
      }
      return values.isEmpty ? nil : Change(interface: interface, values: values)
    }
  }
}

extension MediaTime {
  var microseconds: Int64 { nanoseconds / 1000 }

  init(microseconds: Int64) { self.init(nanoseconds: microseconds.multipliedSaturated(by: 1000)) }
}
