import Frames
import HTTP
import Synchronization

/// The clients of this process, one that verifies certificates and one that does not: sources share their connections. Any thread.
enum HTTPClients {
  private static let clients = Mutex<[Bool: HTTPClient]>([:])

  /// Starts it where there is none. Its thread waits until the process ends.
  static func client(for network: NetworkOptions) throws(Failure) -> HTTPClient {
    let result: Result<HTTPClient, Failure> = clients.withLock { clients in
      if let client = clients[network.verifiesCertificates] { return .success(client) }
      var options = HTTPClientOptions()
      options.verifiesCertificates = network.verifiesCertificates
      do throws(Failure) {
        let client = try HTTPClient(options)
        clients[network.verifiesCertificates] = client
        return .success(client)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
