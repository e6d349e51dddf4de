import Adaptation
import Frames
import HTTP
import Media

/// A stream on demand that is taken along: what of it is loaded, and how it is written as a presentation of this machine. One thread.
package final class OfflineStream {
  /// What has to be loaded, in its order. Names are ours; each lies in a folder of its track.
  package let files: [OfflineFile]
  /// What the files are of: equal for equal segments.
  package let identity: String
  /// Of the video, in seconds.
  package let seconds: Double
  package let format: Presentation.Format
  private let presentation: Presentation
  private let plan: OfflinePlan
  private let resources: ResourceLoader
  private let attempt: String

  /// Loads the manifest and the playlists of what is wanted.
  ///
  /// Throws `.usage` for tracks that it does not have, `.unsupported` for a live stream, and otherwise as `LoadedStream` does.
  ///
  /// - Parameter name: of the stream, in messages.
  package init(
    _ url: String, name: String, _ wish: OfflineWish, _ requests: OfflineRequests
  ) throws(Failure) {
    attempt = "cannot download '\(name)'"
    resources = requests.resources
    let address = try StreamAddress(url: requests.named.text)
    let (bytes, loaded): ([UInt8], LoadedResource)
    do throws(LoadProblem) {
      (bytes, loaded) = try resources.bytes(
        StreamResource(kind: .manifest, address: address, byteLimit: Int64(ManifestLimits.byteCount)))
    } catch {
      throw error.failure(attempt) ?? Failure.stoppedStream(name)
    }
    var presentation = try Manifest.parse(bytes, at: loaded.address, keys: resources.options.keys)
    format = presentation.format
    if presentation.liveness.map({ !$0.isEnded }) ?? false { throw Self.live(attempt) }
    let headers = StreamHeaders(presentation.variables, resources.options)
    var tracks: [OfflineTrack] = []
    var counts: [OfflineTrack.Kind: Int] = [:]
    for choice in try presentation.choices(wish, attempt) {
      counts[choice.kind, default: 0] += 1
      tracks.append(
        OfflineTrack(
          kind: choice.kind, folder: Self.folder(choice.kind, counts[choice.kind] ?? 0), set: choice.set,
          stretches: try Self.stretches(choice, presentation, headers, resources, attempt)))
    }
    presentation.source = try presentation.source(of: wish, attempt)
    self.presentation = presentation
    plan = OfflinePlan(tracks, resources.options.limits)
    files = plan.files
    guard files.contains(where: { $0.seconds > 0 }) else {
      throw Failure(.media, attempt, cause: "it has no segments", remedy: "check the manifest")
    }
    identity = try plan.identity()
    seconds = tracks.first?.seconds ?? 0
  }

  private static func folder(_ kind: OfflineTrack.Kind, _ number: Int) -> String {
    switch kind {
    case .video: "video"
    case .audio: "audio-\(number)"
    case .subtitles: "subtitles-\(number)"
    }
  }

  private static func live(_ attempt: String) -> Failure {
    Failure(
      .unsupported, attempt, cause: "it is a live stream, which has no end yet", remedy: "download it once it has ended"
    )
  }

  /// The segments of a track, of which each playlist or index is loaded.
  private static func stretches(
    _ choice: OfflineChoice, _ presentation: Presentation, _ headers: StreamHeaders, _ resources: ResourceLoader,
    _ attempt: String
  ) throws(Failure) -> [OfflineStretch] {
    var stretches: [OfflineStretch] = []
    for (period, rendition) in choice.renditions {
      if case .insideVideo = rendition.source { continue }
      let timeline = try timeline(rendition, headers, resources, presentation, attempt)
      guard timeline.count != nil else { throw live(attempt) }
      stretches.append(OfflineStretch(period, rendition, timeline))
    }
    return stretches
  }

  private static func timeline(
    _ rendition: Rendition, _ headers: StreamHeaders, _ resources: ResourceLoader, _ presentation: Presentation,
    _ attempt: String
  ) throws(Failure) -> SegmentTimeline {
    var problem: LoadProblem?
    for source in [rendition.source] + rendition.mirrors {
      do throws(LoadProblem) {
        return try self.timeline(source, headers, resources, presentation, attempt)
      } catch {
        if case .refused(let failure) = error { throw failure }
        problem = problem ?? error
      }
    }
    throw problem?.failure(attempt) ?? Failure.stoppedStream(attempt)
  }

  private static func timeline(
    _ source: SegmentSource, _ headers: StreamHeaders, _ resources: ResourceLoader, _ presentation: Presentation,
    _ attempt: String
  ) throws(LoadProblem) -> SegmentTimeline {
    guard case .playlist(let address, nil) = source else { return try headers.timeline(source, rung: nil, resources) }
    let (bytes, loaded) = try resources.bytes(
      StreamResource(kind: .playlist, address: address, byteLimit: Int64(ManifestLimits.byteCount)))
    let playlist: MediaPlaylist?
    do throws(Failure) {
      playlist = try MediaPlaylist.parse(bytes, at: loaded.address, variables: presentation.variables)
    } catch {
      throw .refused(error)
    }
    guard let playlist, playlist.isEnded else { throw .refused(live(attempt)) }
    return playlist.timeline
  }

  /// Of a track, as its manifest tells; nil where it does not.
  package func expectedBytes(track: Int) -> Double? {
    guard let bandwidth = plan.tracks[track].stretches.first?.rendition.bandwidth else { return nil }
    let rate = bandwidth.average ?? bandwidth.peak
    return rate > 0 ? Double(rate) * plan.tracks[track].seconds / 8 : nil
  }

  // MARK: - Loading

  /// Loads a file, and hands on its bytes as they come, each once; requests that fail go on from where they ended.
  ///
  /// - Parameter take: throws to end it.
  package func load(
    _ file: OfflineFile, take: @escaping (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    try resources.hand(on: file.resource, attempt, began: { _ in }, take: take)
  }

  /// The licences of its ClearKey tracks as one text, where their servers let them be kept; nil where there are none, or one may not
  /// be kept: then the manifest names the servers'.
  package func licence() throws(Failure) -> [UInt8]? {
    var kept = ClearKeyLicence()
    for protection in Set(plan.tracks.flatMap { $0.stretches.compactMap(\.rendition.protection) }) {
      guard let address = try resources.options.keys.licenceAddress() ?? protection.license,
        let licence = try licence(at: address, for: protection)
      else {
        return nil
      }
      kept.add(licence)
    }
    return kept.isEmpty ? nil : kept.text
  }

  private func licence(at address: StreamAddress, for protection: Protection) throws(Failure) -> ClearKeyLicence? {
    let isNamed = resources.options.keys.licenceURL != nil
    let questions =
      (isNamed ? [] : [nil])
      + (protection.defaultKeyIdentifier.map { [ClearKeyLicence.question([$0], keeps: true)] } ?? [])
    for question in questions {
      var resource = StreamResource(
        kind: .key, address: address, question: question, byteLimit: resources.options.limits.licenceBytes)
      resource.isNamed = isNamed
      do throws(LoadProblem) {
        let licence = ClearKeyLicence(try resources.bytes(resource).bytes)
        if let licence, licence.mayBeKept, licence.key(protection.defaultKeyIdentifier) != nil { return licence }
      } catch {
        guard case .failed(let problem) = error, problem.status != nil else {
          throw error.failure(attempt) ?? Failure.stoppedStream(attempt)
        }
      }
    }
    return nil
  }

  /// Whether the caller has all keys: they are not kept, and playing needs them again.
  package var hasGivenKeys: Bool {
    plan.tracks.allSatisfy { track in
      track.stretches.compactMap(\.rendition.protection).allSatisfy {
        resources.options.keys.key($0.defaultKeyIdentifier) != nil
      }
    }
  }

  /// Whether any track can be played with a licence alone.
  package var isProtected: Bool {
    plan.tracks.contains { $0.stretches.contains { $0.rendition.protection != nil } }
  }

  // MARK: - Writing

  /// The playlists, or the manifest, of the loaded files; the first is the one to play.
  ///
  /// - Parameters:
  ///   - sizes: bytes of each file.
  ///   - licence: the file of the licence; nil: none was kept.
  package func manifests(sizes: [String: Int64], licence: String?) -> [(name: String, text: String)] {
    switch format {
    case .hls: HLSWriter(presentation: presentation, plan: plan, sizes: sizes).files()
    case .dash: MPDWriter(presentation: presentation, plan: plan, licence: licence).files()
    }
  }
}
