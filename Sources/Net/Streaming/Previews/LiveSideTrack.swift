import Frames
import HTTP

/// The newest playlist or manifest of a live stream's small pictures, which are loaded in any order. One thread.
final class LiveSideTrack {
  private let followed: FollowedVideo
  private let variables: PlaylistVariables
  private var playlists: LivePlaylists
  private var manifest: LiveManifest?

  init(_ followed: FollowedVideo, _ variables: PlaylistVariables) {
    (self.followed, self.variables) = (followed, variables)
    playlists = LivePlaylists(zero: nil, leader: followed.live.axis)
    manifest = followed.live.manifest.map { LiveManifest(following: $0) }
  }

  /// The track as the manifest has it that was loaded last; nil: as the first one does.
  var track: StreamTrack? { manifest.map { followed.renewed($0.presentation) } }

  /// The segments that a playlist tells of, when it is needed first.
  fileprivate func timeline(
    _ address: StreamAddress, _ headers: StreamHeaders, _ resources: ResourceLoader
  ) throws(LoadProblem) -> SegmentTimeline {
    if let known = playlists[address] { return known.timeline }
    let loader = PlaylistLoader(variables: variables, headers: headers, resources: resources)
    let first = try loader.first(address, isLive: playlists.isLive, rung: nil)
    playlists.leader = followed.live.axis
    return playlists.add(first, at: address, now: resources.transport.now)
  }

  /// Loads playlist or manifest again where it is time. What fails is asked for again when it is time again.
  func refresh(
    _ track: inout StreamTrack, _ headers: StreamHeaders, _ resources: ResourceLoader
  ) throws(LoadProblem) {
    let now = resources.transport.now
    if manifest != nil {
      let leader = followed.live.manifest
      guard let manifest, manifest.wait(at: now, leader: leader) ?? 1 <= 0 else { return }
      _ = self.manifest?.follow(leader)
      if let presentation = self.manifest?.presentation { track = followed.renewed(presentation) }
    } else if let address = track.playlist(rung: 0), let known = playlists[address], known.wait(at: now) ?? 1 <= 0 {
      let loader = PlaylistLoader(variables: variables, headers: headers, resources: resources)
      do throws(LoadProblem) {
        let next = try loader.next(after: known.playlist, waits: false, rung: nil)
        playlists.leader = followed.live.axis
        _ = playlists.renew(address, with: next, waited: false, now: resources.transport.now)
        if let known = playlists[address] { track.learn(known.timeline, rung: 0, stretch: 0) }
      } catch {
        playlists.failed(address, waited: false, now: resources.transport.now)
        guard case .failed = error else { throw error }
      }
    }
  }

  /// Whether a segment can be loaded yet.
  func isThere(_ place: StreamTrack.Place, _ track: StreamTrack, _ transport: any StreamTransport) -> Bool {
    guard let manifest, let times = track.availability(of: place, rung: 0) else { return true }
    return times.whole <= manifest.wall(transport)
  }
}

extension StreamTrack {
  /// The segment of small pictures at a position. Loads the playlist or index that lists it. Nil at the end.
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
