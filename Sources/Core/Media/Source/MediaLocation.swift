import Glibc

/// Where bytes come from, by how it is written: a file of this machine, or a URL that libavformat fetches.
///
/// `file://` URLs are files. A scheme may be written in capitals.
package struct MediaLocation {
  /// A file's path, or the URL with its scheme in lower case.
  package let path: String
  package let isRemote: Bool

  package init(_ input: String) {
    guard let colon = input.firstRange(of: "://"), !input[..<colon.lowerBound].isEmpty,
      input[..<colon.lowerBound].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) })
    else {
      (path, isRemote) = (input, false)
      return
    }
    let scheme = input[..<colon.lowerBound].lowercased()
    if scheme == "file", let file = localFile(input[colon.upperBound...]) {
      (path, isRemote) = (file, false)
    } else {
      (path, isRemote) = (scheme + input[colon.lowerBound...], true)
    }
  }

  /// As libavformat takes it: `file:` keeps it from reading a colon in a file's name as a protocol.
  var url: String { isRemote ? path : "file:" + path }

  /// A remote playlist can never name a local file.
  var allowedProtocols: String {
    isRemote ? "http,https,tcp,tls,httpproxy,crypto,data" : "file,crypto,data"
  }
}

/// The path of the file that `input` names, where it is a `file://` URL; else `input` as it is.
public func plainInput(_ input: String) -> String {
  let location = MediaLocation(input)
  return location.isRemote ? input : location.path
}

/// Whether opening `input` may open further inputs: a URL, or a playlist or manifest of HLS or DASH. Reads a file's
/// first bytes.
public func namesOtherInputs(_ input: String) -> Bool {
  let location = MediaLocation(input)
  if location.isRemote { return true }
  let file = open(location.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard file >= 0 else { return false }
  defer { close(file) }
  var bytes = [UInt8](repeating: 0, count: 1024)
  let count = read(file, &bytes, bytes.count)
  let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  return text.contains("#EXTM3U") || text.contains("<MPD")
}

/// The path in what follows `file://`; nil where that names another machine.
private func localFile(_ rest: Substring) -> String? {
  let path = rest.hasPrefix("localhost/") ? rest.dropFirst("localhost".count) : rest
  guard path.hasPrefix("/") else { return nil }
  let file = String(path.prefix { $0 != "?" && $0 != "#" }).withoutPercentEncoding
  return file.utf8.contains(0) ? nil : file
}
