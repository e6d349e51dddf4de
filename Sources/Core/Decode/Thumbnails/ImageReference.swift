import Frames
import Media

/// Where a track's images are: pure, by RFC 3986, and by the rule that holds for playlists.
///
/// A track from the network names things on the network, never a file of this machine; a track on this machine names
/// files, never the network.
public func resolveImage(_ reference: String, track: String) throws(Failure) -> String {
  let attempt = "cannot read the image '\(reference.prefix(200))' of '\(track)'"
  func refused(_ cause: String) -> Failure {
    Failure(.input, attempt, cause: cause, remedy: "keep the images beside it")
  }
  let scheme = scheme(of: reference)
  if MediaLocation(track).isRemote {
    if let scheme, scheme != "http", scheme != "https" {
      throw refused("a track from the network cannot name '\(scheme):'")
    }
    guard let url = resolve(reference, scheme: scheme, base: track) else { throw refused("the URL is malformed") }
    return url
  }
  var path = reference[...]
  if let scheme {
    guard scheme == "file" else { throw refused("a track on this machine cannot name '\(scheme):'") }
    path = path.dropFirst("file:".count)
    if path.hasPrefix("//localhost/") { path = path.dropFirst("//localhost".count) }
    if path.hasPrefix("///") { path = path.dropFirst(2) }
  }
  guard !path.hasPrefix("//") else { throw refused("a track on this machine cannot name another one") }
  let name = String(path.prefix { $0 != "?" }).withoutPercentEncoding
  guard !name.isEmpty, !name.utf8.contains(0) else { throw refused("the name is malformed") }
  guard !name.hasPrefix("/"), let slash = track.lastIndex(of: "/") else { return name }
  return track[...slash] + name
}

/// As a reference relative to the folder it lies in: everything but unreserved characters of RFC 3986 is escaped.
public func imageReference(toFile name: String) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  var bytes: [UInt8] = []
  for byte in name.utf8 {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
    default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// What stands before the first colon, in lower case, where that is a scheme.
private func scheme(of reference: String) -> String? {
  guard let colon = reference.firstIndex(of: ":"), reference.first?.isLetter ?? false,
    reference[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) })
  else { return nil }
  return reference[..<colon].lowercased()
}

/// RFC 3986, 5.2, for a base with an authority.
private func resolve(_ reference: String, scheme: String?, base: String) -> String? {
  guard let colon = base.firstRange(of: "://") else { return nil }
  let baseScheme = base[..<colon.lowerBound].lowercased()
  let afterScheme = base[colon.upperBound...]
  let authority = afterScheme.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
  let basePath = afterScheme.dropFirst(authority.count).prefix { $0 != "?" && $0 != "#" }
  let rest = scheme.map { reference.dropFirst($0.count + 1) } ?? reference[...]
  if scheme != nil {
    return rest.hasPrefix("//") && rest.count > 2 ? "\(scheme ?? ""):\(rest)" : nil
  }
  guard baseScheme == "http" || baseScheme == "https" else { return nil }
  if rest.hasPrefix("//") { return rest.count > 2 ? "\(baseScheme):\(rest)" : nil }
  let path = rest.prefix { $0 != "?" }
  let query = rest.dropFirst(path.count)
  let folder = basePath.lastIndex(of: "/").map { basePath[...$0] } ?? "/"
  let merged = path.isEmpty ? basePath : path.hasPrefix("/") ? path : folder + path
  return "\(baseScheme)://\(authority)\(withoutDots(merged))\(query)"
}

/// RFC 3986, 5.2.4.
private func withoutDots(_ path: Substring) -> String {
  var kept: [Substring] = []
  let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
  for (number, segment) in segments.enumerated() {
    let isLast = number == segments.count - 1
    switch segment {
    case ".": if isLast { kept.append("") }
    case "..":
      _ = kept.popLast()
      if isLast { kept.append("") }
    default: kept.append(segment)
    }
  }
  return "/" + kept.joined(separator: "/")
}
