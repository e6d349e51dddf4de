import Frames
import Streaming

/// When ads are played in a clip: VMAP 1.0, or one VAST before the clip.
public struct AdSchedule: Sendable, Hashable {
  /// In the schedule's order.
  public var breaks: [AdBreak] = []
  /// Breaks that are left out, for the user.
  public var notes: [String] = []

  public init(breaks: [AdBreak]) { self.breaks = breaks }

  /// - Parameters:
  ///   - bytes: VMAP or VAST.
  ///   - name: of the file or the server, for messages.
  ///
  /// Throws `.media` for text that is neither, in one sentence.
  public init(_ bytes: [UInt8], _ name: String) throws(Failure) {
    do throws(ManifestFlaw) {
      let root = try AdReader.read(bytes)
      if root.name == "VMAP" { try read(root) } else { breaks = [AdBreak(.start, .response(try VASTResponse(root)))] }
    } catch {
      throw Failure(
        error.kind, "cannot read the ads '\(name)'",
        cause: (error.line.map { "line \($0): " } ?? "") + oneLine(error.cause),
        remedy: "it must be VMAP 1.0, or VAST 2 to 4")
    }
  }

  private mutating func read(_ root: AdElement) throws(ManifestFlaw) {
    for element in root.all("AdBreak") {
      guard breaks.count < AdLimits.breakCount else {
        throw ManifestFlaw("it has more than \(AdLimits.breakCount) breaks")
      }
      let text = element["timeOffset"] ?? ""
      guard let place = AdBreak.Place(text) else {
        notes.append("the break at '\(text.prefix(20))' is left out: that is no place in a clip")
        continue
      }
      let kinds = (element["breakType"] ?? "linear").split(separator: ",").map { MPDText.trimmed(String($0)) }
      guard kinds.contains("linear") else {
        notes.append("the break at '\(text.prefix(20))' is left out: it has no linear ads")
        continue
      }
      guard let source = element.first("AdSource"), let ads = try AdBreak.Source(source) else {
        notes.append("the break at '\(text.prefix(20))' is left out: it has no ads of VAST")
        continue
      }
      var pause = AdBreak(place, ads)
      (pause.id, pause.requests) = (element["breakId"], element.requests)
      pause.followsWrappers = source.isYes("followRedirects", usual: true)
      breaks.append(pause)
    }
  }
}

/// Ads at one place of a clip.
public struct AdBreak: Sendable, Hashable {
  public enum Place: Sendable, Hashable {
    case start, end
    case place(AdPlace)

    /// `start`, `end`, `00:10:00`, `50%`; nil for other text, and for the number of a place that only the publisher knows.
    init?(_ text: String) {
      switch text {
      case "start": self = .start
      case "end": self = .end
      default:
        guard let place = AdPlace(text) else { return nil }
        self = .place(place)
      }
    }
  }

  public enum Source: Sendable, Hashable {
    /// The URL of VAST.
    case tag(String)
    case response(VASTResponse)

    /// Nil for an element that has no VAST.
    fileprivate init?(_ element: AdElement) throws(ManifestFlaw) {
      if let tag = element.first("AdTagURI")?.text, !tag.isEmpty {
        self = .tag(tag)
      } else if let data = element.first("VASTAdData") ?? element.first("VASTData"), let root = data.first("VAST") {
        self = .response(try VASTResponse(root))
      } else {
        return nil
      }
    }
  }

  public var place: Place
  public var source: Source
  public var id: String?
  public var followsWrappers = true
  /// Requested at its beginning, its end, and where nothing can be played.
  public var requests: [VASTRequest] = []

  public init(_ place: Place, _ source: Source) { (self.place, self.source) = (place, source) }
}
