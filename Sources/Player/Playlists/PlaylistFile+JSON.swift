import FoundationEssentials
import Frames
import Render

// JSON: a list of clips, or an object with a title and a list of clips, as `results/playlist.schema.json` describes it.
extension PlaylistFile {
  /// - Parameter path: of the file: its clips may lie beside it.
  ///
  /// Throws `.input` for text that is no playlist, with the clip at fault, counted from 1.
  public init(json bytes: [UInt8], path: String) throws(Failure) {
    guard bytes.count <= PlaylistLimits.byteCount else { throw Self.tooLong(path) }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw Failure(
        .input, "cannot read the playlist '\(path)'", cause: "it is not UTF-8, as JSON is",
        remedy: "write it anew as UTF-8")
    }
    let text: Text
    do {
      text = try JSONDecoder().decode(Text.self, from: Data(bytes))
    } catch is TooManyItems {
      throw Self.tooMany(path)
    } catch {
      throw Failure(
        .input, "cannot read the playlist '\(path)'", cause: Self.cause(error),
        remedy: "write {\"items\": [{\"source\": \"clip.mp4\"}]}; results/playlist.schema.json describes it")
    }
    let base = PlaylistBase(file: path)
    self.init(title: text.title?.shownText, items: [])
    for (number, item) in text.items.enumerated() {
      do throws(Flaw) {
        items.append(try item.item(base))
      } catch {
        throw Failure(
          .input, "cannot read the playlist '\(path)'", cause: "clip \(number + 1): \(error.cause)",
          remedy: error.remedy)
      }
    }
    guard !items.isEmpty else { throw Self.empty(path) }
  }

  private static func cause(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "it is no JSON" }
    switch error {
    case .keyNotFound(_, let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
      let place = context.codingPath.compactMap { key in key.intValue.map { "clip \($0 + 1)" } ?? key.stringValue }
        .filter { $0 != "items" }
      return "it is no playlist: "
        + (place.isEmpty ? "it has no list of clips" : place.joined(separator: ", ") + " is of another kind")
    default: return "it is no JSON"
    }
  }
}

/// What is wrong with one clip of a playlist.
private struct Flaw: Error {
  var cause: String
  var remedy: String
}

private struct Text: Decodable {
  var title: String?
  var items: [Item]

  private enum Key: String, CodingKey {
    case title, items
  }

  init(from decoder: any Decoder) throws {
    if var list = try? decoder.unkeyedContainer() {
      (title, items) = (nil, try Self.items(&list))
      return
    }
    let object = try decoder.container(keyedBy: Key.self)
    title = try object.decodeIfPresent(String.self, forKey: .title)
    var list = try object.nestedUnkeyedContainer(forKey: .items)
    items = try Self.items(&list)
  }

  /// Stops at the limit: an item takes a hundred times the memory of its text.
  private static func items(_ list: inout any UnkeyedDecodingContainer) throws -> [Item] {
    var items: [Item] = []
    while !list.isAtEnd {
      guard items.count < PlaylistLimits.itemCount else { throw TooManyItems() }
      items.append(try list.decode(Item.self))
    }
    return items
  }
}

private struct TooManyItems: Error {}

/// The path alone, or an object.
private struct Item: Decodable {
  var source: String?
  var sources: [StoredPlace] = []
  var title: String?
  var subtitles: [StoredPlace] = []
  var poster: String?
  var projection: String?
  var stereo: String?
  /// In seconds.
  var start: Double?
  var duration: Double?

  private enum Key: String, CodingKey {
    case source, sources, title, subtitles, poster, projection, stereo, start, duration
  }

  init(from decoder: any Decoder) throws {
    if let path = try? decoder.singleValueContainer().decode(String.self) {
      source = path
      return
    }
    let object = try decoder.container(keyedBy: Key.self)
    source = try object.decodeIfPresent(String.self, forKey: .source)
    sources = try object.decodeIfPresent([StoredPlace].self, forKey: .sources) ?? []
    title = try object.decodeIfPresent(String.self, forKey: .title)
    subtitles = try object.decodeIfPresent([StoredPlace].self, forKey: .subtitles) ?? []
    poster = try object.decodeIfPresent(String.self, forKey: .poster)
    projection = try object.decodeIfPresent(String.self, forKey: .projection)
    stereo = try object.decodeIfPresent(String.self, forKey: .stereo)
    start = try object.decodeIfPresent(Double.self, forKey: .start)
    duration = try object.decodeIfPresent(Double.self, forKey: .duration)
  }

  func item(_ base: PlaylistBase) throws(Flaw) -> PlaylistItem {
    let places = ([source].compactMap { $0 } + sources.map(\.path)).compactMap(base.resolving)
    guard let first = places.first else {
      throw Flaw(cause: "it has no source", remedy: "give it \"source\" with a path or URL")
    }
    var item = PlaylistItem(first, title: title?.shownText)
    item.alternatives = Array(places.dropFirst())
    item.subtitles = subtitles.compactMap { base.resolving($0.path) }
    item.poster = poster.flatMap(base.resolving)
    item.projection = try choice(projection, "projection")
    item.stereo = try choice(stereo, "stereo")
    item.start = try time(start, "start")
    item.duration = try time(duration, "duration")
    return item
  }

  private func choice<Value: RawRepresentable & CaseIterable>(
    _ text: String?, _ name: String
  ) throws(Flaw) -> Value? where Value.RawValue == String {
    guard let text else { return nil }
    if let value = Value(rawValue: text) { return value }
    let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
    throw Flaw(cause: "there is no \(name) '\(text.prefix(40))'", remedy: "there are: \(known)")
  }

  private func time(_ seconds: Double?, _ name: String) throws(Flaw) -> MediaTime? {
    guard let seconds else { return nil }
    guard seconds >= 0, seconds < 1e7 else {
      throw Flaw(cause: "its \(name) is \(seconds)", remedy: "give seconds, from 0 on")
    }
    return MediaTime(seconds: seconds)
  }
}

/// A path or URL alone, or in an object, as `src`, `file` or `source`.
private struct StoredPlace: Decodable {
  var path: String

  private enum Key: String, CodingKey, CaseIterable {
    case src, file, source
  }

  init(from decoder: any Decoder) throws {
    if let path = try? decoder.singleValueContainer().decode(String.self) {
      self.path = path
      return
    }
    let object = try decoder.container(keyedBy: Key.self)
    for key in Key.allCases {
      if let path = try object.decodeIfPresent(String.self, forKey: key) {
        self.path = path
        return
      }
    }
    path = try object.decode(String.self, forKey: .src)
  }
}
