import Foundation
import Frames
import HTTP
import Support
import Synchronization
import Testing

extension HTTPTests {
  /// A request ends when it is told to, wherever it is, and leaves a record.
  @Suite(.tier(.test)) struct CancelTests {
    /// Where a request is when it is cancelled.
    enum Place: String, CaseIterable {
      case connecting, handshake, waitingForHead, inHead, inBody, paused, redirecting
    }

    /// A server that keeps requests there for ever, and the URL that leads there.
    static func trap(_ place: Place) throws -> (keeps: AnyObject, url: String, has: () -> Bool) {
      switch place {
      case .connecting:
        let full = try FullListener()
        return (full, "http://127.0.0.1:\(full.port)/", { true })
      case .handshake:
        let silent = try FullListener(accepts: true)
        return (silent, "https://127.0.0.1:\(silent.port)/", { true })
      default:
        let server = try ScriptedServer { request, connection in
          let block = [UInt8](repeating: 1, count: 10_000)
          switch place {
          case .inHead: connection.send("HTTP/1.1 200 OK\r\nX: y\r\n")
          case .inBody: connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nabc")
          case .paused:
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send(block) {}
          case .redirecting:
            guard request.path == "/" else { break }
            connection.respond("302 Found", ["Location: /next"])
            return true
          default: break
          }
          connection.waitForEnd()
          return false
        }
        return (server, server.url("/"), { server.requests.count == (place == .redirecting ? 2 : 1) })
      }
    }

    @Test(arguments: Place.allCases)
    func aCancelledRequestEnds(place: Place) throws {
      let (server, url, isThere) = try Self.trap(place)
      let client = try makeClient()
      let transfer = client.start(try makeRequest(url), .streamed(capacity: 1 << 16))
      try #require(Patience.until { isThere() })
      switch place {
      case .inBody: try #require(Patience.until { transfer.bytesAtHand == 3 })
      case .paused: try #require(Patience.until { transfer.bytesAtHand > 1 << 15 })
      default: break
      }
      // A thread that waits is let go, and not only the next one that asks.
      let ended = Mutex<HTTPProblem?>(nil)
      let waiting = try WorkerThread {
        let found = problem {
          _ = try transfer.head()
          _ = try transfer.rest()
        }
        ended.withLock { $0 = found }
      }
      transfer.cancel()
      waiting.join()
      #expect(ended.withLock { $0 } == .cancelled)
      #expect(problem { _ = try transfer.head() } == .cancelled)
      let record = try #require(transfer.record())
      #expect(record.outcome == .cancelled && record.problemKind == .cancelled)
      #expect(record.hops.count == (place == .redirecting ? 2 : 1))
      if place == .inBody { #expect(record.bodyBytes == 3) }
      if let server = server as? ScriptedServer {
        #expect(Patience.until { server.connectionsOpen == 0 }, "the server sees the connection end")
      }
      transfer.cancel()
      #expect(client.log.count == 1)
    }

    @Test func cancellingBeforeTheStartEndsToo() throws {
      let server = try ScriptedServer { $1.serve([1], $0) }
      let client = try makeClient()
      for _ in 0..<200 {
        let transfer = client.start(try makeRequest(server.url("/")))
        transfer.cancel()
        let record = try #require(transfer.record())
        #expect(record.outcome == .cancelled || record.outcome == .finished)
      }
      try #require(client.log.wait(forCount: 200, seconds: Patience.seconds))
    }

    @Test func aTransferThatIsDroppedIsCancelled() throws {
      let (server, url, _) = try Self.trap(.waitingForHead)
      let client = try makeClient()
      _ = client.start(try makeRequest(url))
      #expect(client.log.wait(forCount: 1, seconds: Patience.seconds))
      var cursor = RequestLog.Cursor()
      #expect(client.log.take(&cursor).map(\.outcome) == [.cancelled])
      withExtendedLifetime(server) {}
    }

    @Test func aClientThatEndsCancelsAll() throws {
      let (server, url, isThere) = try Self.trap(.waitingForHead)
      var client: HTTPClient? = try makeClient()
      let log = try #require(client?.log)
      let transfer = try #require(client?.start(try makeRequest(url)))
      try #require(Patience.until { isThere() })
      client = nil
      #expect(log.count == 1 && transfer.record()?.outcome == .cancelled)
      #expect(problem { _ = try transfer.head() } == .cancelled)
      withExtendedLifetime(server) {}
    }

    @Test func aCallThatIsToldToStopStops() throws {
      let (server, url, isThere) = try Self.trap(.waitingForHead)
      let client = try makeClient()
      let interruption = Interruption()
      nonisolated(unsafe) let isWaiting = isThere
      let thread = try WorkerThread {
        _ = Patience.until { isWaiting() }
        interruption.request()
      }
      defer { thread.join() }
      let found = problem { _ = try client.fetch(try makeRequest(url), limit: 9, unless: interruption) }
      #expect(found == .cancelled)
      #expect(client.log.wait(forCount: 1, seconds: Patience.seconds))
      withExtendedLifetime(server) {}
    }
  }
}
