import Foundation
import Frames
import HTTP
import Support
import Synchronization
import Testing

extension HTTPTests {
  /// Many requests: all are answered, and nothing grows.
  @Suite(.tier(.test)) struct LoadTests {
    @Test func twoHundredAtOnce() throws {
      let waiting = Atomic<Int>(0)
      let server = try ScriptedServer { request, connection in
        // All are there before the first is answered.
        waiting.add(1, ordering: .relaxed)
        _ = Patience.until { waiting.load(ordering: .relaxed) >= 200 }
        return connection.serve(Array(String(repeating: request.path, count: 1000).utf8), request)
      }
      let client = try makeClient()
      let transfers = try (0..<200).map { number in
        client.start(try makeRequest(server.url("/\(number)")), .streamed(capacity: 1 << 16))
      }
      for (number, transfer) in transfers.enumerated() {
        #expect(try transfer.rest() == Array(String(repeating: "/\(number)", count: 1000).utf8))
      }
      try #require(client.log.wait(forCount: 200, seconds: Patience.seconds))
      var cursor = RequestLog.Cursor()
      #expect(Set(client.log.take(&cursor).map(\.number)) == Set(0..<200))
      #expect(Patience.until { server.connectionsOpen <= 32 }, "idle connections are bounded")
    }

    /// In a process of its own: what it counts belongs to the whole process.
    @Test func thousandsOfRequestsLeaveNothingBehind() async {
      await #expect(processExitsWith: .success) {
        func count(_ folder: String) throws -> Int {
          try FileManager.default.contentsOfDirectory(atPath: "/proc/self/" + folder).count
        }
        let server = try ScriptedServer { request, connection in
          request.path == "/lost" ? false : connection.serve([UInt8](repeating: 1, count: 1000), request)
        }
        let client = try makeClient { $0.logCapacity = 100 }
        func round(_ number: Int) throws {
          switch number % 100 {
          case 7: client.start(try makeRequest(server.url("/cancelled"))).cancel()
          case 8: _ = problem { _ = try client.fetch(try makeRequest(server.url("/lost")), limit: 1000) }
          case 9: _ = problem { _ = try client.fetch(try makeRequest(server.url("/")), limit: 10) }
          default: _ = try client.fetch(try makeRequest(server.url("/")), limit: 1000)
          }
        }
        for number in 0..<500 { try round(number) }
        let (descriptors, threads) = (try count("fd"), try count("task"))
        let rounds = Tier.selected == .full ? 10_000 : 2000
        for number in 0..<rounds { try round(number) }
        try #require(client.log.wait(forCount: 500 + rounds, seconds: Patience.seconds))
        // A connection that was just closed may still be there on the server's side.
        #expect(try Patience.until { try count("fd") <= descriptors + 2 && count("task") <= threads + 1 })
      }
    }

    @Test func clientsTakeTheirThreadAndConnectionsAlong() throws {
      let server = try ScriptedServer { $1.serve([1], $0) }
      for _ in 0..<50 {
        let client = try makeClient()
        _ = try client.fetch(makeRequest(server.url("/")), limit: 1)
      }
      #expect(server.connectionsAccepted == 50)
      #expect(Patience.until { server.connectionsOpen == 0 })
    }
  }
}
