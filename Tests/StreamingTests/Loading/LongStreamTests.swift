import Adaptation
import Foundation
import Frames
import HTTP
import Media
import Support
import Testing

import Streaming

/// Hours of media on the virtual clock: nothing grows but the record, by its requests.
@Suite(.tier(.test), .serialized) struct LongStreamTests {
  private static let variable = "BENCH360_STREAM_HOURS"
  /// `Benchmarks/streams/proofs day` wants 24.
  private static let hours = ProofSize.count(variable, usual: 1)
  private static let segmentSeconds = 4.0

  /// A decoder that takes segments a little before the picture is there. One thread.
  private final class Reader {
    private let stream: VirtualStream
    private var end = 0.0
    private var number = 0
    private var alive: [Weak] = []
    private(set) var (taken, wrong, mostAlive, mostWaiting) = (0, 0, 0, 0.0)

    private struct Weak { weak var bytes: SegmentBytes? }

    init(_ stream: VirtualStream) { self.stream = stream }

    func sought(to place: Double) {
      end = (place / LongStreamTests.segmentSeconds).rounded(.down) * LongStreamTests.segmentSeconds
    }

    func read(_ store: SegmentStore, upTo place: Double) {
      mostWaiting = max(mostWaiting, store.bufferSeconds)
      while end < min(place + LongStreamTests.segmentSeconds, store.loadedEnd.seconds - 0.001),
        let segment = try? store.next(unless: Interruption(), orSuperseded: false)
      {
        let number = Int((segment.start.seconds / LongStreamTests.segmentSeconds).rounded())
        let isRight = number == Int(end / LongStreamTests.segmentSeconds)
        let name = stream.name(of: VirtualRun.bytes(of: segment), segment: number)
        if !isRight || name == nil { wrong += 1 }
        end += LongStreamTests.segmentSeconds
        taken += 1
        alive.append(Weak(bytes: segment.bytes))
      }
      guard alive.count > 64 else { return }
      alive.removeAll { $0.bytes == nil }
      mostAlive = max(mostAlive, alive.count)
    }
  }

  private static func transport(_ form: VirtualStream.Form, _ generator: inout SeededGenerator) throws
    -> VirtualTransport
  {
    let table = try RungTable(
      name: "long", bitrates: [4000, 8000, 16_000],
      durations: Array(repeating: segmentSeconds, count: hours * 3600 / Int(segmentSeconds)))
    let periods = (0..<200).map { _ in
      NetworkTrace.Period(
        seconds: .random(in: 5...60, using: &generator), bitsPerSecond: .random(in: 12_000...60_000, using: &generator),
        roundTrip: 0.05)
    }
    let transport = VirtualTransport(
      VirtualStream(table, form), over: try NetworkTrace(name: "long", periods: periods))
    transport.tick = 0.05
    var draws = generator
    transport.fault = { row, number in
      guard number > 0, Int.random(in: 0..<50, using: &draws) == 0 else { return nil }
      return row.last == nil ? .lost(after: Int.random(in: 0...4000, using: &draws)) : nil
    }
    return transport
  }

  @Test(arguments: [VirtualStream.Form.hls, .dash])
  func nothingGrows(form: VirtualStream.Form) throws {
    var generator = SeededGenerator(for: "nothing grows, \(form)")
    let transport = try Self.transport(form, &generator)
    let reader = Reader(transport.stream)
    let seconds = Double(Self.hours) * 3600
    // A jump every ten minutes, a minute back or on.
    var jumps = 0
    for time in stride(from: 600, to: seconds, by: 600) {
      let step = Double.random(in: -60...60, using: &generator)
      transport.at(time) { store in
        let place = max(0, transport.place + step)
        jumps += store.seek(to: MediaTime(seconds: place)) ? 1 : 0
        reader.sought(to: place)
      }
    }
    var samples: [(hour: Double, held: Footprint, requests: Int)] = []
    transport.onPlay = { store, place in
      reader.read(store, upTo: place)
      guard transport.now >= seconds / 24 * Double(samples.count) else { return }
      if let held = try? Footprint() { samples.append((transport.now / 3600, held, transport.log.count)) }
    }
    let run = try VirtualRun.of(
      transport, StreamOptions(controller: try #require(ControllerChoice("dynamic"))), isDrained: false, within: 3600)
    #expect(run.hasEnded && run.failure == nil && run.history.requests.count == run.log.count)
    #expect(reader.wrong == 0 && reader.taken * Int(Self.segmentSeconds) > Int(seconds) - 3600)
    // A segment that was read is released; the store holds no more than its policy allows.
    #expect(reader.mostAlive <= 8 && reader.mostWaiting < 25 + Self.segmentSeconds, "\(reader.mostAlive)")
    let (first, middle, last) = (samples[1], samples[samples.count / 2], samples[samples.count - 1])
    for (hour, held, requests) in [first, middle, last] {
      let hour = (hour * 10).rounded() / 10
      print("growth|\(form)|\(hour)|\(requests)|\(held.resident / 1024)|\(held.descriptors)")
    }
    let rowBytes =
      MemoryLayout<StreamRequest>.stride + MemoryLayout<StreamHistory.Decision>.stride
      + MemoryLayout<StreamHistory.Placed>.stride + MemoryLayout<VirtualTransport.Row>.stride
    print(
      "\(form): \(run.seconds / 3600) h, \(reader.taken) segments, \(jumps) jumps, \(transport.stalls) stalls;",
      "at most \(reader.mostWaiting) s waited and \(reader.mostAlive) segments lived on; \(rowBytes) B for a request")
    guard ProofSize.isSet(Self.variable) else { return }
    // A request is some hundred bytes of the record, and of the server's log in this test.
    let growth = last.held.resident - middle.held.resident
    #expect(growth < 2048 * (last.requests - middle.requests) + (4 << 20), "\(growth) B")
    #expect(last.held.descriptors == first.held.descriptors)
  }
}
