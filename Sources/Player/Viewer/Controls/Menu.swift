import Bench360Player
import Frames
import Overlay
import Playlists

/// The setting that a menu item changes.
package enum MenuChoice: Sendable, Hashable {
  case projection(Projection)
  case stereo(StereoLayout)
  case rate(Double)
  /// The number of a track; nil: none.
  case subtitles(Int?)
  /// The number of a track of sound.
  case audio(Int)
  /// The number of a rung, from the lowest; nil: by what the network carries.
  case quality(Int?)
  case playlist(PlaylistChoice)
}

/// What the menu of a playlist changes.
package enum PlaylistChoice: Sendable, Hashable {
  case panel
  case shuffle
  case repeats(PlayQueue.Repeat)
}

/// A menu of a control: a list of items, some of them checked.
///
/// To add a menu: a control whose purpose is `openMenu`, a line in `items`, a case of `MenuChoice`, and its handling in
/// `Viewer.choose`.
package struct Menu: Sendable, Hashable {
  package struct Item: Sendable, Hashable {
    package var title: String
    package var choice: MenuChoice
    package var isCurrent: Bool

    package init(_ title: String, _ choice: MenuChoice, isCurrent: Bool) {
      (self.title, self.choice, self.isCurrent) = (title, choice, isCurrent)
    }
  }

  /// The control that opens it.
  package let control: Control
  package let items: [Item]

  package init(_ control: Control, _ items: [Item]) { (self.control, self.items) = (control, items) }

  /// Nil if the menu has no items.
  package init?(_ control: Control, _ facts: ControlFacts) {
    let items = Self.items(of: control, facts)
    guard !items.isEmpty else { return nil }
    self.init(control, items)
  }

  private static func items(of control: Control, _ facts: ControlFacts) -> [Item] {
    let words = facts.words
    return switch control {
    case .projection:
      facts.projections.order.map { Item(words[$0.title], .projection($0), isCurrent: $0 == facts.projection) }
    case .stereo:
      StereoLayout.allCases.map { Item(words[$0.title], .stereo($0), isCurrent: $0 == facts.stereo) }
    case .speed:
      Viewer.rates.map { Item(words.rate($0), .rate($0), isCurrent: $0 == facts.rate) }
    case .audio:
      facts.sound.tracks.sorted { $0.key < $1.key }.map {
        Item($0.value, .audio($0.key), isCurrent: $0.key == facts.sound.chosen)
      }
    case .quality:
      [Item(words[.auto], .quality(nil), isCurrent: facts.qualities.fixed == nil)]
        + facts.qualities.titles.enumerated().reversed().map {
          Item($0.element, .quality($0.offset), isCurrent: $0.offset == facts.qualities.fixed)
        }
    case .subtitles:
      [Item(words[.menuOff], .subtitles(nil), isCurrent: facts.chosenSubtitles == nil)]
        + facts.subtitles.sorted { $0.key < $1.key }.map {
          Item($0.value, .subtitles($0.key), isCurrent: $0.key == facts.chosenSubtitles)
        }
    case .playlist:
      [
        Item(words[.panel], .playlist(.panel), isCurrent: facts.files.showsPanel),
        Item(words[.shuffle], .playlist(.shuffle), isCurrent: facts.files.isShuffled),
      ]
        + PlayQueue.Repeat.allCases.map {
          Item(words[$0.title], .playlist(.repeats($0)), isCurrent: $0 == facts.files.repeats)
        }
    default: []
    }
  }

  /// The item with initial keyboard focus.
  var currentIndex: Int { items.firstIndex(where: \.isCurrent) ?? 0 }
}

extension Projection {
  /// A name that users recognise in the list.
  var title: Word {
    switch self {
    case .flat: .flat
    case .equirectangular: .equirectangular
    case .halfEquirectangular: .halfEquirectangular
    case .cubemap3x2: .cubemap3x2
    case .cubemap6x1: .cubemap6x1
    case .eac: .eac
    case .fisheye: .fisheye
    case .littlePlanet: .littlePlanet
    }
  }
}

extension PlayQueue.Repeat {
  var title: Word {
    switch self {
    case .off: .repeatOff
    case .one: .repeatOne
    case .all: .repeatAll
    }
  }
}

extension StereoLayout {
  var title: Word {
    switch self {
    case .mono: .onePicture
    case .topBottom: .topBottom
    case .sideBySide: .sideBySide
    }
  }
}
