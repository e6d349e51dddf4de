import Bench360Player
import Decode
import Frames
import Render
import Session
import Support
import Testing
import Viewer

/// In which order projections are offered, what the viewer says of a guess, and what it remembers.
@Suite struct ProjectionOrderTests {
  @Test func theLikeliestComesFirst() {
    #expect(
      ProjectionOrder.cycle(opened: .flat, likely: [.halfEquirectangular])
        == [.flat, .halfEquirectangular, .equirectangular, .littlePlanet])
    #expect(
      ProjectionOrder.cycle(opened: .equirectangular, likely: [.equirectangular])
        == [.equirectangular, .flat, .littlePlanet])
    #expect(ProjectionOrder.cycle(opened: .flat, likely: []) == [.flat, .equirectangular, .littlePlanet])
    let menu = ProjectionOrder.menu(likely: [.halfEquirectangular])
    #expect(menu.first == .halfEquirectangular && Set(menu) == Set(Projection.allCases))
    #expect(menu.count == Projection.allCases.count)
  }

  @Test func theMenuFollowsThatOrder() throws {
    var facts = ControlFacts()
    facts.projection = .flat
    facts.projections.order = ProjectionOrder.menu(likely: [.eac])
    let menu = try #require(Menu(.projection, facts))
    #expect(
      menu.items.first?.choice == .projection(.eac)
        && menu.items.first(where: \.isCurrent)?.choice == .projection(.flat))
  }

  @Test func theNoticeNamesTheKey() {
    var guess = GeometryGuess(
      projection: .equirectangular, stereo: .topBottom, certainty: .likely, reasons: [.shape(width: 1, height: 1)])
    #expect(guess.notice(key: "p") == "looks like 360° for two eyes, top-bottom — p shows it flat")
    #expect(guess.notice(key: nil).hasSuffix("— the menu of projections shows it flat"))
    guess.certainty = .possible
    #expect(guess.notice(key: "p") == "may be 360° for two eyes, top-bottom — p shows it so")
    #expect(guess.stereo(in: .flat) == .mono && guess.stereo(in: .littlePlanet) == .topBottom)
  }

  @Test func anEarlierChoiceIsToldWhereItShows() {
    let entry = RememberedGeometries.Entry(path: "/a.mp4", projection: .flat, stereo: .mono)
    #expect(
      entry.notice(insteadOf: .fisheye, key: "p") == "Flat as you chose before, instead of Fisheye — p changes it")
    #expect(
      entry.notice(insteadOf: .littlePlanet, key: nil)
        == "Flat as you chose before, instead of Little planet — the menu of projections changes it")
    #expect(entry.notice(insteadOf: .flat, key: "p") == nil)
  }

  /// Thumbnails show what the view is made of: one eye, in the shape of its sphere.
  @Test func thumbnailsFollowTheGeometry() throws {
    func options(_ projection: Projection, _ stereo: StereoLayout, _ bounds: SphereBounds? = nil) -> ThumbnailOptions {
      ThumbnailOptions(PictureGeometry(projection: projection, stereo: stereo, sampleAspect: 0.5, bounds: bounds))
    }
    let sphere = options(.equirectangular, .topBottom)
    #expect(sphere.stereo == .topBottom && sphere.isSpherical == true && sphere.aspect == 2)
    #expect(options(.littlePlanet, .mono).aspect == 2 && options(.halfEquirectangular, .sideBySide).aspect == 1)
    #expect(options(.equirectangular, .mono, SphereBounds(left: 0.25, top: 0, width: 0.5, height: 1)).aspect == 1)
    let flat = options(.flat, .sideBySide)
    #expect(flat.stereo == .sideBySide && flat.isSpherical == false && flat.aspect == nil)
    #expect(options(.cubemap3x2, .mono).aspect == nil)
  }

  @Test func choicesAreRemembered() {
    var remembered = RememberedGeometries()
    remembered.remember(.init(path: "/a b/c.mp4", projection: .flat, stereo: .mono))
    remembered.remember(.init(path: "/d.mp4", projection: .fisheye, stereo: .sideBySide))
    remembered.remember(.init(path: "/a b/c.mp4", projection: .halfEquirectangular, stereo: .topBottom))
    remembered.remember(.init(path: "https://me:secret@a.example/x.mp4", projection: .flat, stereo: .mono))
    remembered.remember(.init(path: "/line\nbreak.mp4", projection: .flat, stereo: .mono))
    #expect(remembered.entries.map(\.path) == ["/a b/c.mp4", "/d.mp4"])
    let read = RememberedGeometries(text: remembered.text + "nonsense\nflat what /x\n")
    #expect(read == remembered && read["/a b/c.mp4"]?.stereo == .topBottom && read["/e.mp4"] == nil)
    for number in 0..<300 { remembered.remember(.init(path: "/\(number)", projection: .flat, stereo: .mono)) }
    #expect(remembered.entries.count == 200 && remembered.entries.first?.path == "/299")
  }
}
