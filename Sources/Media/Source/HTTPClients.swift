import Frames
import HTTP
import Synchronization

/// The clients of this process, one for each kind of options: sources share their connections. Any thread.
enum HTTPClients {
  private static let clients = Mutex<[NetworkOptions: HTTPClient]>([:])

  /// Starts it where there is none. Its thread waits until the process ends.
  static func client(for network: NetworkOptions) throws(Failure) -> HTTPClient {
    let result: Result<HTTPClient, Failure> = clients.withLock { clients in
      if let client = clients[network] { return .success(client) }
      var options = HTTPClientOptions()
      options.verifiesCertificates = network.verifiesCertificates
      do throws(Failure) {
        let client = try HTTPClient(options)
        clients[network] = client
        return .success(client)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
