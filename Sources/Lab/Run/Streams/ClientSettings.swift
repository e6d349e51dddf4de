import Adaptation
import Frames
import Host
import Streaming
import Verdict

/// How many players load the stream of a trial at the same time, and what they do with it.
public struct ClientSettings: Sendable, Codable, Hashable {
  /// What a player does with what it has loaded.
  public enum Decoding: String, Sendable, Codable, CaseIterable {
    /// Frames are decoded and drawn.
    case real
    /// Segments are parsed, and their frames consumed at their times: no picture is made.
    case virtual
  }

  public var count = 1
  public var decoding = Decoding.real
  /// From one client's start to the next one's, s.
  public var stagger = 0.1

  public init() {}

  /// So many clients at most: each has threads, connections and a buffer of its own.
  public static func most(_ decoding: Decoding) -> Int { decoding == .real ? 16 : 256 }

  /// For the record: nil where one player decodes and draws.
  var recorded: Record.Settings.Clients? {
    guard count > 1 || decoding == .virtual else { return nil }
    return Record.Settings.Clients(count: count, decoding: decoding.rawValue, stagger: count > 1 ? stagger : 0)
  }

  /// Refuses clients whose full buffers would not fit in memory.
  ///
  /// Throws `.usage`.
  func check(fit rungs: [StreamRung], _ load: LoadPolicy, availableMebibytes: Double?) throws(Failure) {
    guard count > 1, let available = availableMebibytes else { return }
    let highest = rungs.map(\.peakBitrate).max() ?? 0
    let rate = min(highest, load.peakBitrate.map { max($0, rungs.map(\.peakBitrate).min() ?? 0) } ?? highest)
    let each = load.maximum * rate / 8 / 1_048_576 + (decoding == .real ? Self.realMebibytes : Self.virtualMebibytes)
    guard Double(count) * each > available else { return }
    throw Failure(
      .usage, "cannot play \(count) clients at a time",
      cause: "with full buffers they take \(Int(saturating: Double(count) * each)) MiB, and "
        + "\(Int(saturating: available)) MiB are free",
      remedy: "give fewer --clients, a smaller --buffer or a lower --peak-bitrate")
  }

  /// What a client takes beside its buffer: threads, a segment that is parsed; decoders, pictures and a device of its own.
  private static let (virtualMebibytes, realMebibytes) = (4.0, 128.0)
}

extension StreamSettings {
  /// The controllers that are named: clients take them in turn. At least one.
  public var controllers: [String] {
    controller.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  /// Those of one client, counted from 0: with a controller of its own.
  func of(client index: Int) -> StreamSettings {
    var settings = self
    settings.controller = controllers[index % controllers.count]
    return settings
  }

  /// Those of the first client, alone.
  var ofOnePlayer: StreamSettings {
    var settings = of(client: 0)
    settings.clients.count = 1
    return settings
  }

  /// Throws `.usage` for clients that do not fit in memory.
  func check(fit rungs: [StreamRung]) throws(Failure) {
    try clients.check(fit: rungs, load, availableMebibytes: MemoryState().availableMebibytes)
  }
}
