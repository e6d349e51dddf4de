import Frames
import HTTP

/// What a live stream tells anew of a track that playing does not wait for: subtitles, or small pictures. One thread.
final class LiveSideTrack {
  private let followed: FollowedVideo
  private let playlists: LivePlaylists
  private let manifest: ManifestRefresher?

  /// A playlist whose segments are very short is loaded so often at most, in seconds.
  private static let leastInterval = 0.2

  init(_ followed: FollowedVideo, _ variables: PlaylistVariables) {
    self.followed = followed
    playlists = LivePlaylists(variables, zero: nil, leader: followed.live.axis)
    manifest = ManifestRefresher(following: followed.live)
  }

  /// The track as the manifest has it that was loaded last; nil: as the first one does.
  var track: StreamTrack? { manifest.map { followed.renewed($0.presentation) } }

  /// Earlier segments have left the window; nil: none has.
  var begin: MediaTime? { followed.live.edge?.start }

  /// The segments that a playlist tells of, when it is needed first.
  func timeline(
    _ address: StreamAddress, _ headers: StreamHeaders, _ resources: ResourceLoader
  ) throws(LoadProblem) -> SegmentTimeline {
    try playlists.timeline(address, rung: nil, headers, resources)
  }

  /// Loads playlist or manifest again where it is time. What fails is asked for again when it is time again.
  func refresh(_ track: inout StreamTrack, _ resources: ResourceLoader) throws(LoadProblem) {
    do throws(LoadProblem) {
      if let manifest {
        guard manifest.wait(at: resources.transport.now) ?? 1 <= 0 else { return }
        _ = try manifest.reload(resources)
        track = followed.renewed(manifest.presentation)
      } else if let address = track.playlist(rung: 0), isDue(address, at: resources.transport.now) {
        _ = try playlists.reload(address, waits: false, rung: nil, resources)
        if let known = playlists[address] { track.learn(known.timeline, rung: 0, stretch: 0) }
      }
    } catch {
      guard case .failed = error else { throw error }
    }
  }

  /// As RFC 8216 §6.3.4 has it: half a target duration after a load that brought nothing.
  private func isDue(_ address: StreamAddress, at now: Double) -> Bool {
    guard let known = playlists[address], !known.playlist.isEnded else { return false }
    let target = known.playlist.targetDuration.seconds
    let interval = known.advanced >= known.loaded ? target : target / 2
    return now >= known.loaded + max(interval, Self.leastInterval)
  }

  /// Whether a segment can be loaded yet.
  func isThere(_ place: StreamTrack.Place, _ track: StreamTrack, _ transport: any StreamTransport) -> Bool {
    guard let manifest, let times = track.availability(of: place, rung: 0) else { return true }
    return times.whole <= manifest.wall(transport)
  }
}
