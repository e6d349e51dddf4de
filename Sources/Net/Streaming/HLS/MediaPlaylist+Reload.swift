import Frames

extension MediaPlaylist {
  /// The address of the next load, with the delivery directives that the server understands
  /// (draft-pantos-hls-rfc8216bis §6.2.5): the response waits for the next segment or part, and leaves out segments of
  /// this playlist.
  ///
  /// - Parameters:
  ///   - waits: ask the server to answer when the next segment or part is there. Without effect where it cannot.
  ///   - skips: ask for a delta update. Without effect where the server sends none. Parse the response with this playlist
  ///     as the previous one, and load without `skips` where that returns nil.
  ///
  /// Directives of this playlist's own address are replaced.
  public func reloadAddress(waits: Bool = true, skips: Bool = true) -> StreamAddress {
    var directives: [String] = []
    if waits, server.canBlockReload, !isEnded {
      directives.append("_HLS_msn=\(mediaSequence.addingSaturated(Int64(timeline.count ?? 0)))")
      if edge.partTarget != nil { directives.append("_HLS_part=\(edge.parts.count)") }
    }
    if skips, server.canSkipUntil != nil, !isEnded {
      directives.append("_HLS_skip=\(server.canSkipDateRanges ? "v2" : "YES")")
    }
    return address.replacingDirectives(directives)
  }

  /// Whether the first segment that `before` lacks does not begin at the time of day at which the one before it ends. In a delta update
  /// that one is `before`'s.
  func hasDateJump(behind before: MediaPlaylist) -> Bool {
    let segments = timeline.listed ?? []
    guard let last = before.timeline.listed?.last, let index = timeline.index(ofNumber: last.number),
      segments.indices.contains(index + 1), let date = segments[index].wallTime,
      let begin = segments[index + 1].wallTime
    else { return false }
    let end = date + MediaTime(nanoseconds: segments[index].duration)
    return abs((begin - end).nanoseconds) > Self.dateSlack
  }

  /// Packagers round dates.
  private static let dateSlack: Int64 = 1_000_000_000
}

extension StreamAddress {
  /// The address with these fields behind the others of its query, and without other delivery directives. A local
  /// address has no query.
  func replacingDirectives(_ directives: [String]) -> StreamAddress {
    guard isRemote else { return self }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let own = parts.count == 2 ? parts[1].split(separator: "&", omittingEmptySubsequences: false) : []
    let fields = own.filter { !$0.hasPrefix("_HLS_") }.map { String($0) } + directives
    let place = String(parts.first ?? "")
    return StreamAddress(checked: fields.isEmpty ? place : place + "?" + fields.joined(separator: "&"), root: nil)
  }
}
