import FoundationEssentials
import Frames
import HTTP
import Streaming

/// What a download's folder says of itself: `download.json`. Whether it is whole says the folder's name.
public struct DownloadRecord: Sendable, Hashable, Codable {
  public enum Kind: String, Sendable, Codable {
    case file, hls, dash
  }

  /// The form of this text.
  public var schema = Self.schema
  public static let schema = "bench360-download/1"
  /// Where it comes from, without user, password and query.
  public var url: String
  /// SHA-256 of the URL and of what of it was wanted: equal for the same download.
  public var identity: String
  public var kind: Kind
  public var wish: OfflineWish?
  /// What its files are of: another content means that they are of no use.
  public var content: String?
  /// In the folder, what to play; nil before it is known.
  public var play: String?
  /// Of media, in seconds; nil where it is not known.
  public var seconds: Double?
  /// Of all files together.
  public var bytes: Int64?
  /// SHA-256 of `files.jsonl` once the download is whole; nil in downloads of versions before 0.2.
  public var list: String?
  public var began: Date
  public var ended: Date?
  /// Sentences for the user.
  public var notes: [String] = []

  init(url: String, identity: String, kind: Kind, began: Date) {
    (self.url, self.identity, self.kind, self.began) = (url, identity, kind, began)
  }
}

extension DownloadRecord {
  /// Nil for text that is none, or of a later form.
  init?(_ bytes: [UInt8]) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let record = try? decoder.decode(DownloadRecord.self, from: Data(bytes)), record.schema == Self.schema else {
      return nil
    }
    self = record
  }

  var text: String {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { preconditionFailure("a record has no value that JSON lacks") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

/// A version of a file on a server, as text.
struct FileVersion: Hashable, Codable {
  var entityTag: String?
  var lastModified: String?
  var total: Int64?

  init(_ validator: HTTPValidator) {
    (entityTag, lastModified, total) = (validator.entityTag, validator.lastModified, validator.total)
  }

  init?(_ text: String?) {
    guard let text, let version = try? JSONDecoder().decode(FileVersion.self, from: Data(text.utf8)) else { return nil }
    self = version
  }

  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  var validator: HTTPValidator { HTTPValidator(entityTag: entityTag, lastModified: lastModified, total: total) }

  /// The server says which version it is: its bytes can be told from another's.
  var isTelling: Bool { entityTag != nil || lastModified != nil }
}
