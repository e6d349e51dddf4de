import Frames
import HTTP

/// What a live stream tells anew of a track that playing does not wait for: subtitles, or small pictures. One thread.
final class LiveSideTrack {
  private let followed: FollowedVideo
  private let playlists: LivePlaylists
  private let manifest: ManifestRefresher?

  init(_ followed: FollowedVideo, _ variables: PlaylistVariables) {
    self.followed = followed
    playlists = LivePlaylists(variables, zero: nil, leader: { [live = followed.live] in live.axis })
    manifest = ManifestRefresher(following: followed.live)
  }

  /// The track as the manifest has it that was loaded last; nil: as the first one does.
  var track: StreamTrack? { manifest.map { followed.renewed($0.presentation) } }

  /// Earlier segments have left the window; nil: none has.
  var begin: MediaTime? { followed.live.edge?.start }

  /// The segments that a playlist tells of, when it is needed first.
  fileprivate func timeline(
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
      } else if let address = track.playlist(rung: 0), playlists[address]?.wait(at: resources.transport.now) ?? 1 <= 0 {
        _ = try playlists.reload(address, waits: false, rung: nil, resources)
        if let known = playlists[address] { track.learn(known.timeline, rung: 0, stretch: 0) }
      }
    } catch {
      guard case .failed = error else { throw error }
    }
  }

  /// Whether a segment can be loaded yet.
  func isThere(_ place: StreamTrack.Place, _ track: StreamTrack, _ transport: any StreamTransport) -> Bool {
    guard let manifest, let times = track.availability(of: place, rung: 0) else { return true }
    return times.whole <= manifest.wall(transport)
  }
}

extension StreamTrack {
  /// The segment that holds a place of a track that playing does not wait for; loads what tells where it lies. Nil at the end.
  ///
  /// - Parameter live: nil: on demand.
  mutating func find(
    _ place: MediaTime, live: LiveSideTrack?, _ headers: StreamHeaders, _ resources: ResourceLoader
  ) throws(LoadProblem) -> Place? {
    while true {
      switch self.place(rung: 0, at: place) {
      case .found(let place): return place
      case .ended: return nil
      case .needs(let source, let stretch):
        let timeline: SegmentTimeline
        if let live, case .playlist(let address, nil) = source {
          timeline = try live.timeline(address, headers, resources)
        } else {
          timeline = try headers.timeline(source, rung: nil, resources)
        }
        learn(timeline, rung: 0, stretch: stretch)
      }
    }
  }
}
