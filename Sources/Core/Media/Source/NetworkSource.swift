/// A URL that libavformat's own protocols fetch: of a playlist, a manifest, or another protocol than HTTP. Any thread.
package final class NetworkSource: ByteSource {
  package let path: String
  package let url: String
  package let allowedProtocols: String
  package var isRemote: Bool { true }
  package var bytes: (any RandomAccessBytes)? { nil }

  package init(_ path: String) {
    let location = MediaLocation(path)
    self.path = path
    (url, allowedProtocols) = (location.url, location.allowedProtocols)
  }
}
