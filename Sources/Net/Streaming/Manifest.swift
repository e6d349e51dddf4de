import Frames
import Media

/// Reads playlists and manifests of either format.
public enum Manifest {
  /// A presentation from an HLS playlist of either kind, or a DASH manifest.
  ///
  /// A media playlist becomes a presentation of one rendition, whose source holds it.
  ///
  /// - Parameters:
  ///   - bytes: the text after content decoding, at most `ManifestLimits.byteCount`.
  ///   - address: the one it was loaded from, after redirects: the base of its URLs.
  ///   - name: of the stream in messages; nil: the address.
  ///   - keys: a track that one of them decrypts is not refused for the systems of protection that the manifest names.
  ///
  /// Throws one sentence, with the line where it is known, for text of another format, damaged text, text beyond
  /// `ManifestLimits`, URLs that it may not name, and unsupported protection. Safe on any thread.
  public static func parse(
    _ bytes: [UInt8], at address: StreamAddress, name: String? = nil, keys: ContentKeys = ContentKeys()
  ) throws(Failure) -> Presentation {
    let isXML = firstByte(bytes) == UInt8(ascii: "<")
    let noun = isXML ? "manifest" : "playlist"
    do throws(ManifestFlaw) {
      guard bytes.count <= ManifestLimits.byteCount else { throw ManifestFlaw.tooLong }
      if isXML {
        var parser = MPDParser(address: address, keys: keys)
        return try parser.presentation(MPDReader.read(bytes))
      }
      if PlaylistKind.isMultivariant(bytes) {
        var parser = MultivariantParser(address: address)
        return try parser.parse(bytes)
      }
      var parser = MediaPlaylistParser(address: address, previous: nil, imported: nil)
      guard let playlist = try parser.parse(bytes) else {
        throw ManifestFlaw("it is a delta update, and nothing came before it")
      }
      return presentation(playlist)
    } catch {
      throw error.failure(noun, name ?? address.description)
    }
  }

  /// The first byte behind a byte order mark and white space.
  private static func firstByte(_ bytes: [UInt8]) -> UInt8? {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    return text.first { $0 > 0x20 }
  }

  private static func presentation(_ playlist: MediaPlaylist) -> Presentation {
    let rendition = Rendition(
      id: "0", bandwidth: Bandwidth(peak: 0), source: .playlist(playlist.address, loaded: playlist))
    var set = AdaptationSet(id: "", kind: playlist.isIFramesOnly ? .trickPlay : .video, renditions: [rendition])
    set.isDefault = true
    let duration = playlist.isEnded ? playlist.timeline.end ?? .zero : nil
    var presentation = Presentation(
      format: .hls, address: playlist.address,
      periods: [Period(id: "", start: .zero, duration: duration, adaptationSets: [set])])
    presentation.duration = duration
    presentation.startPoint = playlist.startPoint
    presentation.hasIndependentSegments = playlist.hasIndependentSegments
    presentation.breaks = playlist.breaks
    return presentation
  }
}

extension Presentation {
  /// Whether and how the manifest changes; nil for a multivariant playlist.
  public var liveness: Liveness? {
    guard format == .dash else {
      guard case .playlist(_, let loaded?)? = periods.first?.adaptationSets.first?.renditions.first?.source else {
        return nil
      }
      return loaded.liveness
    }
    guard let live else { return Liveness(kind: .onDemand, isEnded: true) }
    // Without an interval the manifest does not change; with its length known, nothing is added behind it.
    return Liveness(
      kind: live.window == nil ? .event : .window, isEnded: live.updateInterval == nil && duration != nil,
      updateInterval: live.updateInterval, holdBack: live.suggestedDelay ?? live.targetLatency)
  }
}

extension Rendition {
  /// The segments; nil where another resource must be loaded first.
  public var timeline: SegmentTimeline? { source.timeline }
}

extension SegmentSource {
  var timeline: SegmentTimeline? {
    switch self {
    case .timeline(let timeline): timeline
    case .playlist(_, let loaded): loaded?.timeline
    case .index, .insideVideo: nil
    }
  }
}
