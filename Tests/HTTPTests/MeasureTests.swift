import Foundation
import Frames
import HTTP
import Support
import Testing

extension HTTPTests {
  /// What `Benchmarks/requests/run` prints; nothing is asserted of times.
  @Suite(.enabled(if: ProcessInfo.processInfo.environment["BENCH360_REQUESTS"] != nil, "BENCH360_REQUESTS is not set"))
  struct MeasureTests {
    private static func row(_ name: String, _ values: [Double], _ unit: String) {
      let sorted = values.sorted()
      func percentile(_ share: Double) -> String {
        String(format: "%.3f", sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))])
      }
      print("requests|\(name)|\(unit)|\(sorted.count)|\(percentile(0.5))|\(percentile(0.99))|\(percentile(1))")
    }

    @Test(arguments: CancelTests.Place.allCases)
    func cancelling(place: CancelTests.Place) throws {
      var (call, whole): ([Double], [Double]) = ([], [])
      for _ in 0..<50 {
        let (server, url, isThere) = try CancelTests.trap(place)
        let client = try makeClient()
        let transfer = client.start(try makeRequest(url), .streamed(capacity: 1 << 16))
        try #require(Patience.until(every: 1) { isThere() })
        let start = MonotonicTime.now
        transfer.cancel()
        #expect(problem { _ = try transfer.head() } == .cancelled)
        call.append(MonotonicTime.now.milliseconds(since: start))
        let record = try #require(transfer.record())
        whole.append(record.ended.milliseconds(since: start))
        withExtendedLifetime(server) {}
      }
      Self.row("cancel, \(place.rawValue): the caller goes on", call, "ms")
      Self.row("cancel, \(place.rawValue): the record is there", whole, "ms")
    }

    @Test func throughput() throws {
      let content = [UInt8](repeating: 1, count: 256 << 20)
      let server = try ScriptedServer { $1.serve(content, $0) }
      let client = try makeClient()
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let rates = try (0..<8).map { _ in
        let transfer = client.start(try makeRequest(server.url("/")), .streamed())
        let start = MonotonicTime.now
        var count = 1
        while count > 0 { count = try buffer.withUnsafeMutableBytes { try transfer.read(into: $0) } }
        return Double(content.count) / 1e6 / MonotonicTime.now.seconds(since: start)
      }
      Self.row("256 MiB streamed from this process", rates, "MB/s")
    }

    @Test func smallRequests() throws {
      let server = try ScriptedServer { $1.serve([1, 2, 3], $0) }
      let client = try makeClient()
      let times = try (0..<5000).map { _ in
        let start = MonotonicTime.now
        _ = try client.fetch(makeRequest(server.url("/")), limit: 3)
        return MonotonicTime.now.milliseconds(since: start)
      }
      Self.row("3 bytes on an open connection", times, "ms")
    }
  }
}
