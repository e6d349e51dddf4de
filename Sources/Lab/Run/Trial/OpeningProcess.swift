import Adaptation
import Decode
import FoundationEssentials
import Frames
import Glibc
import HTTP
import Host
import Media
import Session
import Streaming

/// The description of an input, and the bytes that were loaded for it.
package struct OpenedInput: Codable {
  package var info: MediaInfo
  /// The probable geometry of an untagged picture; nil unless it was asked for.
  var guess: GeometryGuess?
  /// Bytes of response bodies; nil for an input that is no stream.
  var bytes: Int64?
}

/// Opens a clip in a process of its own, which can be killed if libavformat hangs, and returns the clip's description.
public enum OpeningProcess {
  private struct Request: Codable {
    var path: String
    var network: NetworkOptions
    var guesses: Bool
    /// How the input is loaded as a stream; nil: as a clip.
    var stream: Stream?
  }

  /// How a stream is described.
  package struct Stream: Codable {
    var settings: StreamSettings
    /// In messages.
    var name: String
    /// Where the caller serves it from a folder; nil: it does not.
    var served: ServedFolder?
    /// Where `KeptSegment` keeps its first segment; nil: it is not kept.
    var folder: String?
  }

  private enum Event: Codable {
    case opened(OpenedInput)
    case failed(FailureDescription)
  }

  /// Added to the limit that the process enforces on itself.
  private static let graceSeconds = 5.0
  private static let limitSeconds = 30.0
  /// A segment that takes longer is not kept.
  private static let segmentSeconds = 10.0

  /// The description of `path`, as `Media.probe` gives it. Blocks while opening, at most about half a minute.
  ///
  /// Throws the failure of opening; `.timeout` if it did not end; `.cancelled` if `shouldStop` became true or the user
  /// asked to stop.
  public static func probe(
    _ path: String, network: NetworkOptions, shouldStop: () -> Bool = { false }
  ) throws(Failure) -> MediaInfo {
    try open(path, network: network, guesses: false, shouldStop: shouldStop).info
  }

  /// The same, and what an untagged picture probably is where `guesses` asks for that.
  ///
  /// - Parameters:
  ///   - stream: how the input is loaded as a stream; nil: as a clip.
  package static func open(
    _ path: String, network: NetworkOptions, guesses: Bool, stream: Stream? = nil, shouldStop: () -> Bool = { false }
  ) throws(Failure) -> OpenedInput {
    let attempt = "cannot open '\(stream?.name ?? path)'"
    let child = try ChildProcess<Event>(
      ["opening"], request: Request(path: path, network: network, guesses: guesses, stream: stream), attempt: attempt)
    defer { child.end() }
    let deadline = MonotonicTime.now.advanced(byMilliseconds: (limitSeconds + graceSeconds) * 1000)
    while true {
      if Interrupt.isRequested || shouldStop() {
        throw Failure(.cancelled, attempt, cause: "it was interrupted")
      }
      guard let events = child.events(withinMilliseconds: 50) else { throw child.crash(attempt, stage: "open") }
      switch events.first {
      case .opened(let input):
        child.hasFinished = true
        return input
      case .failed(let description): throw description.failure
      case nil: break
      }
      guard MonotonicTime.now < deadline else {
        throw Failure(
          .timeout, attempt, cause: "opening did not end within \(Int(limitSeconds)) s",
          remedy: stream == nil
            ? "the file or playlist is damaged, or keeps FFmpeg's demuxer busy without end"
            : "check the network, and whether the server answers")
      }
    }
  }

  /// The child's side: the request on standard input, the answer on standard output.
  public static func serve() {
    Watchdog.start(
      wait: { MediaWatch.waitForCalls(endsOverdueCalls: true) },
      overdue: { MediaWatch.overdue(endsOverdueCalls: true) }
    ) { tell(.failed(FailureDescription($0))) }
    do {
      let request = try JSONDecoder().decode(Request.self, from: Data(OpenFile.standardInput.read()))
      if let stream = request.stream {
        return tell(.opened(try describe(request.path, stream, request.network)))
      }
      let clip = try ProbedClip(path: request.path, network: request.network)
      tell(.opened(OpenedInput(info: clip.info, guess: request.guesses ? GeometryGuess.of(clip) : nil)))
    } catch let failure as Failure {
      tell(.failed(FailureDescription(failure)))
    } catch {
      tell(.failed(FailureDescription(Failure(.failed, "cannot open a clip", cause: "\(error)"))))
    }
  }

  /// Describes a stream by its manifest and its first segment, and loads no other segment.
  private static func describe(
    _ url: String, _ wanted: Stream, _ network: NetworkOptions
  ) throws(Failure) -> OpenedInput {
    let interruption = Interruption()
    interruption.setDeadline(.now.advanced(byMilliseconds: limitSeconds * 1000))
    var options = try wanted.settings.options(seed: 1, network: network)
    options.served = wanted.served
    // No room for a second segment.
    options.load = LoadPolicy(minimum: 0, maximum: 0)
    let stream = try LoadedStream(url, name: wanted.name, options)
    defer { stream.stop() }
    do throws(Failure) {
      let info = try stream.packets(interruption: interruption).info
      if let folder = wanted.folder {
        let patience = Interruption(within: interruption)
        patience.setDeadline(.now.advanced(byMilliseconds: segmentSeconds * 1000))
        KeptSegment.keep(stream, in: folder, unless: patience)
      }
      // The statistics lack requests that have not ended.
      stream.stop()
      return OpenedInput(info: info, bytes: stream.statistics.bytes)
    } catch {
      guard error.kind == .cancelled, interruption.shouldStop else { throw error }
      throw unopened(stream.path, stream.history, stream.trouble)
    }
  }

  /// The failure of a stream of which no segment came in time.
  package static func unopened(_ name: String, _ history: StreamHistory, _ trouble: NetworkTrouble?) -> Failure {
    let attempt = "cannot open '\(name)'"
    let (whole, seconds) = ("opening did not end within \(Int(limitSeconds)) s", Int(limitSeconds))
    if let trouble {
      return Failure(
        .timeout, attempt, cause: "\(whole): \(trouble.cause)",
        remedy: "check the network, and whether the server answers")
    }
    // A live manifest that is loaded again and again lists nothing that can be loaded.
    let loads = history.requests.count { [.manifest, .playlist].contains($0.kind) && $0.outcome == .finished }
    let hasMedia = history.requests.contains { $0.kind == .segment }
    guard loads > 1, !hasMedia else {
      return Failure(.timeout, attempt, cause: whole, remedy: "check the network, and whether the server answers")
    }
    return Failure(
      .timeout, attempt, cause: "its manifest or playlist listed no segment that can be loaded, for \(seconds) s",
      remedy: "it is a live stream that has ended, or this machine's clock is wrong: name one that is running")
  }

  private static func tell(_ event: Event) {
    guard var line = try? JSONEncoder().encode(event) else { return }
    line.append(UInt8(ascii: "\n"))
    try? OpenFile.standardOutput.write(line)
  }
}
