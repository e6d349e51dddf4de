import Frames

/// Where a playlist, a segment or a key lies: an absolute URL of `http`, `https` or `file`, in ASCII, without a
/// fragment.
///
/// A remote address names only remote ones. A local address may name remote ones, and files in the folder tree of the
/// presentation's first file; the caller that opens the file checks symbolic links. The HTTP client checks hosts, for
/// it resolves their names.
public struct StreamAddress: Sendable, Hashable {
  public let text: String
  /// The folder, with `/` at its end, below which all files of a local presentation lie; nil for remote addresses.
  public let root: String?

  public var isRemote: Bool { root == nil }

  /// Made by the resolver alone, which has checked both.
  init(checked text: String, root: String?) {
    self.text = text
    self.root = root
  }

  /// A URL as a user or a redirect gives it. Throws for other schemes than `http` and `https`, and for text that is no
  /// URL.
  public init(url: String) throws(Failure) {
    do {
      self = try AddressResolver.remote(Array(url.utf8)[...])
    } catch {
      throw Failure(
        .input, "cannot open '\(oneLine(url, limit: 120))'", cause: error.cause, remedy: "name an http or https URL")
    }
  }

  /// The local file at an absolute path. `root`: a folder that contains it; its own folder where nil.
  ///
  /// Throws for a relative path, and for a `root` that does not contain the file.
  public init(file path: String, root: String? = nil) throws(Failure) {
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    guard path.hasPrefix("/"), !path.hasSuffix("/"), !path.utf8.contains(0), !names.contains("."), !names.contains("..")
    else {
      throw Failure(.input, "cannot open '\(path)'", cause: "this is not an absolute path without dots")
    }
    let own = String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
    let folder = root.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? own
    guard path.hasPrefix(folder) else {
      throw Failure(.input, "cannot open '\(path)'", cause: "it lies outside '\(folder)'")
    }
    self.root = folder
    text = "file://" + String(decoding: AddressResolver.encodedPath(Array(path.utf8)), as: UTF8.self)
  }

  /// The file's path, percent-decoded; nil for a remote address.
  public var path: String? {
    isRemote ? nil : AddressResolver.decodedPath(Array(text.utf8.dropFirst("file://".utf8.count)))
  }

  /// Resolves a reference that this resource holds, by RFC 3986 §5.2.
  ///
  /// Spaces and characters outside ASCII are percent-encoded. Throws where the reference is no URL, is longer than
  /// `ManifestLimits.addressLength`, or names a place that this resource may not name.
  public func resolving(_ reference: String) throws(Failure) -> StreamAddress {
    do {
      return try AddressResolver(self).resolve(Array(reference.utf8)[...])
    } catch {
      throw Failure(.input, "cannot open '\(oneLine(reference, limit: 120))'", cause: error.cause)
    }
  }

  /// The value of the query parameter `name` as it is written; nil where there is none.
  func queryValue(_ name: some Collection<UInt8>) -> [UInt8]? {
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
    for field in text[text.utf8.index(after: mark)...].utf8.split(separator: UInt8(ascii: "&")) {
      guard let equals = field.firstIndex(of: UInt8(ascii: "=")), field[..<equals].elementsEqual(name) else { continue }
      return Array(field[field.index(after: equals)...])
    }
    return nil
  }
}

/// For messages: without user, password and query.
extension StreamAddress: CustomStringConvertible {
  public var description: String { path ?? redactingSecrets(ofArgument: text) }
}
