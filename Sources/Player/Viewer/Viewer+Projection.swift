import Bench360Player
import Frames
import Playlists

// Which projection a clip is drawn in: the file's, the user's, or what an untagged picture probably is.
extension Viewer {
  /// The caller's choices for a clip; where they leave the geometry open, what the user chose for that clip before, or the playlist says.
  func sessionOptions(for item: PlaylistItem) -> RenderSession.Options {
    var session = options.session
    guard session.geometry.projection == nil else { return session }
    guard let chosen = files.geometry(of: item.source) else {
      session.geometry.projection = item.projection
      session.geometry.stereo = session.geometry.stereo ?? item.stereo
      return session
    }
    session.geometry.projection = chosen.projection
    session.geometry.stereo = session.geometry.stereo ?? chosen.stereo
    return session
  }

  /// Says why a clip is not drawn as its metadata says, and which key changes that: the user chose so before, or an untagged
  /// clip is taken for a sphere. Returns false where there is nothing to say.
  func tellOfGeometry(_ showing: Showing) -> Bool {
    let choice = showing.clip.choice
    if options.session.geometry.projection == nil, let chosen = files.geometry(of: showing.path),
      let notice = chosen.notice(
        insteadOf: choice.automaticProjection(showing.clip.info),
        key: options.keys.keys(of: .projection).first, words)
    {
      say(notice)
      return true
    }
    guard let guess = choice.guess, choice.projection == nil else { return false }
    say(guess.notice(key: options.keys.keys(of: .projection).first, words))
    return true
  }

  /// Shows another projection. Eyes that were guessed belong to the guessed projection: flat, the whole picture is shown.
  func project(_ projection: Projection) {
    guard let showing else { return }
    let guess = showing.clip.choice.guess
    reshape { geometry in
      defer { geometry.projection = projection }
      guard let guess, geometry.stereo == guess.stereo(in: geometry.projection) else { return }
      geometry.stereo = guess.stereo(in: projection)
    }
  }

  /// The projection that the key shows next.
  func nextProjection(_ showing: Showing) -> Projection {
    let cycle = ProjectionOrder.cycle(opened: showing.opened, likely: showing.likelyProjections)
    return cycle.after(showing.clip.geometry.projection)
  }

  /// Shows the same picture in another geometry, and remembers that; shows a message if it cannot be drawn.
  ///
  /// - Parameter notice: nil: the words of the menus.
  func reshape(notice: Word? = nil, _ change: (inout PictureGeometry) -> Void) {
    guard let showing else { return }
    let before = showing.clip.geometry
    var geometry = before
    change(&geometry)
    // Bounds and pose belong to the file's own projection.
    if geometry.projection != before.projection { (geometry.bounds, geometry.pose) = (nil, .none) }
    do throws(Failure) {
      try showing.clip.change(to: geometry)
      isStale = true
      let shown = [geometry.projection.title, geometry.stereo.title] + (geometry.eye == .both ? [.bothEyes] : [])
      say(words.line((notice.map { [$0] } ?? shown).map { .word($0) }))
      if geometry.projection != before.projection || geometry.stereo != before.stereo {
        files.choose(geometry, for: showing.path)
      }
    } catch {
      say(error.description)
    }
  }
}

extension Showing {
  /// What the picture is or probably is, the likeliest first.
  var likelyProjections: [Projection] {
    let tagged = clip.info.video.spherical.flatMap { Projection(metadata: $0.projection) }
    return [tagged, clip.choice.guess?.projection].compactMap { $0 }
  }
}

extension RememberedGeometries.Entry {
  /// `Flat as you chose before, instead of Fisheye — p changes it`; nil where the user chose what is shown anyway.
  package func notice(insteadOf projection: Projection, key: String?, _ words: Words = .english) -> String? {
    guard projection != self.projection else { return nil }
    return words[
      .chosenBefore(
        words[self.projection.title], insteadOf: words[projection.title], key: key ?? words[.projectionMenu])]
  }
}

extension GeometryGuess {
  /// `looks like 360° — p shows it flat`.
  package func notice(key: String?, _ words: Words = .english) -> String {
    let (key, sphere) = (key ?? words[.projectionMenu], projection == .halfEquirectangular ? "180°" : "360°")
    let what =
      switch stereo {
      case .mono: sphere
      case .topBottom: words[.twoEyesTopBottom(sphere)]
      case .sideBySide: words[.twoEyesSideBySide(sphere)]
      }
    return isLikely
      ? words[.showsFlat(claim: words[.looksLike(what)], key: key)]
      : words[.showsSo(claim: words[.mayBe(what)], key: key)]
  }

  /// How the eyes of the picture are arranged where it is drawn in a projection.
  package func stereo(in projection: Projection) -> StereoLayout { projection == .flat ? .mono : stereo }
}

/// The order in which projections are offered. Pure.
package enum ProjectionOrder {
  /// The projections of the key: the one the clip was opened with, then the likeliest.
  package static func cycle(opened: Projection, likely: [Projection]) -> [Projection] {
    ordered([opened] + likely + [.equirectangular, .flat, .littlePlanet])
  }

  /// All of them, the likeliest first.
  package static func menu(likely: [Projection]) -> [Projection] { ordered(likely + Projection.allCases) }

  private static func ordered(_ projections: [Projection]) -> [Projection] {
    projections.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
