import Frames

extension MediaPlaylist {
  /// Reads a media playlist.
  ///
  /// - Parameters:
  ///   - bytes: its text after content decoding, at most `ManifestLimits.byteCount`.
  ///   - address: the one it was loaded from, after redirects: the base of its URLs.
  ///   - previous: the state before this reload. It gives each segment its place on the axis, and a delta update the
  ///     segments that it leaves out. Nil for the first load.
  ///   - variables: of the multivariant playlist.
  /// - Returns: nil for a delta update that leaves out segments which `previous` lacks: load the whole playlist.
  ///
  /// Throws for text that is not a media playlist, for violations of the RFC that leave no segment to play, and for
  /// unsupported encryption. `previous` stays valid.
  public static func parse(
    _ bytes: [UInt8], at address: StreamAddress, name: String? = nil, previous: MediaPlaylist? = nil,
    variables: PlaylistVariables? = nil
  ) throws(Failure) -> MediaPlaylist? {
    do throws(ManifestFlaw) {
      guard bytes.count <= ManifestLimits.byteCount else { throw ManifestFlaw.tooLong }
      var parser = MediaPlaylistParser(address: address, previous: previous, imported: variables)
      return try parser.parse(bytes)
    } catch {
      throw error.failure("playlist", name ?? address.description)
    }
  }
}

extension ManifestFlaw {
  package static var tooLong: ManifestFlaw { ManifestFlaw("it is longer than \(ManifestLimits.byteCount >> 20) MiB") }
}

/// Tells multivariant from media playlists.
package enum PlaylistKind {
  /// Whether it names variants, groups or session data. A playlist with neither kind of tag is taken for a media
  /// playlist.
  package static func isMultivariant(_ bytes: [UInt8]) -> Bool {
    var lines = PlaylistLines(bytes)
    while let (_, text) = lines.next() {
      guard let (tag, _) = PlaylistTag.read(text), let isOfMedia = tag.isOfMedia else { continue }
      if !isOfMedia { return true }
      if tag == .segmentDuration { return false }
    }
    return false
  }
}
