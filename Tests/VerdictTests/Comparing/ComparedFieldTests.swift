import Foundation
import Frames
import RecordSamples
import Testing
import Verdict

/// When numbers may be compared.
@Suite struct ComparedFieldTests {
  /// Each field with a record that differs in it alone, and, where it can be unknown, one that does not know it.
  private static let changes:
    [String: (other: @Sendable (inout Record) -> Void, none: (@Sendable (inout Record) -> Void)?)] = [
      "machine": ({ $0.environment.machine.hostClass = "other" }, nil),
      "device": ({ $0.environment.device?.uuid = "other" }, { $0.environment.device = nil }),
      "driver": ({ $0.environment.device?.driver = "other" }, { $0.environment.device?.driver = nil }),
      "ffmpeg": (
        { $0.environment.libraries.ffmpeg.runtime = "other" }, { $0.environment.libraries.ffmpeg.runtime = nil }
      ),
      "size": ({ $0.settings.viewing.size = PictureSize(width: 16, height: 9) }, { $0.settings.viewing.size = nil }),
      "view": ({ $0.settings.viewing.view?.roll = 1 }, { $0.settings.viewing.view = nil }),
      "camera": ({ $0.settings.viewing.camera = "other" }, { $0.settings.viewing.camera = nil }),
      "bounds": ({ $0.settings.geometry.bounds = SphereBounds(left: 0, top: 0, width: 0.5, height: 1) }, nil),
      "pose": ({ $0.settings.geometry.pose?.yaw = 1 }, { $0.settings.geometry.pose = nil }),
      "projection": ({ $0.settings.geometry.projection = "other" }, { $0.settings.geometry.projection = nil }),
      "geometry": ({ $0.settings.geometry.sphere = "other" }, { $0.settings.geometry.sphere = nil }),
      "stereo": ({ $0.settings.geometry.stereo = "other" }, { $0.settings.geometry.stereo = nil }),
      "eye": ({ $0.settings.geometry.eye = "other" }, { $0.settings.geometry.eye = nil }),
      "lens_fov": ({ $0.settings.geometry.lensFov = 190 }, { $0.settings.geometry.lensFov = nil }),
      "decoder": ({ $0.settings.decoding.decoder = "other" }, { $0.settings.decoding.decoder = nil }),
      "threads": ({ $0.settings.decoding.threads = 3 }, { $0.settings.decoding.threads = nil }),
      "low_delay": ({ $0.settings.decoding.lowDelay = true }, nil),
      "converted_from": ({ $0.settings.decoding.convertedFrom = "yuv444p" }, nil),
      "color_conversion": (
        { $0.settings.drawing.colorConversion = "other" }, { $0.settings.drawing.colorConversion = nil }
      ),
      "upload": ({ $0.settings.drawing.upload = "other" }, { $0.settings.drawing.upload = nil }),
      "shading": ({ $0.settings.drawing.shading = "other" }, { $0.settings.drawing.shading = nil }),
      "refresh": ({ $0.settings.pacing.refreshHz = 59.94 }, { $0.settings.pacing.refreshHz = nil }),
      "look_ahead": ({ $0.settings.pacing.lookAhead = 2 }, { $0.settings.pacing.lookAhead = nil }),
      "audio": (
        { $0.settings.pacing.audio = "null" }, { record in record.scenarios.removeAll { $0.name == "play" } }
      ),
      "audio_track": ({ $0.settings.pacing.audioTrack = 2 }, { $0.settings.pacing.audioTrack = nil }),
      "audio_delay": ({ $0.settings.pacing.audioDelayMs = 100 }, nil),
      "controller": ({ $0.settings.streaming?.controller = "bba" }, { $0.settings.streaming = nil }),
      "estimator": ({ $0.settings.streaming?.estimator = "sliding" }, { $0.settings.streaming = nil }),
      "cmcd": ({ $0.settings.streaming?.cmcd = "query" }, { $0.settings.streaming = nil }),
      "buffer": ({ $0.settings.streaming?.bufferMinimum = 3 }, { $0.settings.streaming = nil }),
      "bitrates": ({ $0.settings.streaming?.startBitrate = 3e6 }, { $0.settings.streaming = nil }),
      "start_time": ({ $0.settings.streaming?.startTime = 3 }, { $0.settings.streaming = nil }),
      "live_latency": (
        { $0.settings.streaming?.live = .init(latency: 3, startDate: nil) }, { $0.settings.streaming = nil }
      ),
      "clients": (
        { $0.settings.clients = .init(count: 4, decoding: "virtual", stagger: 0.1) }, { $0.settings.clients = nil }
      ),
      "players": (
        { $0.settings.observation?.players[0].command = "other" }, { $0.settings.observation = nil }
      ),
      "screen": (
        { $0.settings.observation?.screen = PictureSize(width: 16, height: 9) }, { $0.settings.observation = nil }
      ),
      "streams": ({ $0.settings.streams = 4 }, { record in record.scenarios.removeAll { $0.name == "density" } }),
      "retries": ({ $0.settings.streaming?.retries = 3 }, { $0.settings.streaming = nil }),
      "network": ({ $0.settings.streaming?.link?.rttMs = 3 }, { $0.settings.streaming = nil }),
      "faults": ({ $0.settings.streaming?.faults = "faults.json" }, { $0.settings.streaming = nil }),
      "packaging": ({ $0.settings.streaming?.packaging = "dash" }, { $0.settings.streaming = nil }),
      "input_events": (
        { $0.settings.viewing.inputEventsSha256 = "other" }, { $0.settings.viewing.inputEventsSha256 = nil }
      ),
      "ads": ({ $0.settings.pacing.ads = "other" }, { $0.settings.pacing.ads = nil }),
      "present": ({ $0.settings.pacing.present = "other" }, { $0.settings.pacing.present = nil }),
      "present_source": ({ $0.scenarios[0].presentSource = .presentWait }, { $0.scenarios[0].presentSource = nil }),
      "duration": ({ $0.settings.repetition.durationSeconds = 6 }, nil),
      "seed": ({ $0.settings.repetition.seed = 1 }, nil),
      "pin": ({ $0.settings.pin = "0" }, nil),
      "stress": ({ $0.settings.stress = "cpu" }, nil),
      "validate": ({ $0.settings.drawing.validate = true }, nil),
    ]

  /// A record that knows every field.
  private static var whole: Record {
    var record = Sides.fps(Sides.spread(100))
    record.settings.viewing.camera = "still"
    record.settings.streaming = Record.Settings.Streaming()
    record.settings.streaming?.packaging = "hls-ts"
    record.settings.streaming?.link = Record.Settings.Streaming.Link(network: "constant")
    record.settings.observation = Sample.observed.settings.observation
    record.settings.geometry.projection = "equirectangular"
    record.settings.geometry.pose = Pose()
    record.settings.geometry.sphere = "ray"
    record.settings.geometry.stereo = "mono"
    record.settings.geometry.eye = "left"
    record.settings.geometry.lensFov = 180
    record.settings.drawing.shading = "fragment"
    record.settings.pacing.present = "offscreen"
    record.settings.pacing.lookAhead = 8
    record.settings.pacing.ads = "ads.xml"
    (record.settings.pacing.audio, record.settings.pacing.audioTrack) = ("null:drift=100", 1)
    var play = record.scenarios[0]
    (play.name, play.trials) = ("play", [])
    record.scenarios.append(play)
    play.name = "density"
    record.scenarios.append(play)
    record.settings.viewing.inputEventsSha256 = String(repeating: "a", count: 64)
    return record
  }

  private static func changed(_ field: ComparedField) throws -> Record {
    var record = whole
    try #require(changes[field.name], "the table of changes lacks '\(field.name)'").other(&record)
    #expect(record != whole)
    return record
  }

  /// Two files of a name are two cameras; a file under two names is one.
  @Test func cameraFilesAreWhatIsInThem() throws {
    let field = try #require(ComparedField.named("camera"))
    var (first, second) = (Self.whole, Self.whole)
    (first.settings.viewing.camera, first.settings.viewing.cameraSha256) = (
      "tour.json", String(repeating: "a", count: 64)
    )
    (second.settings.viewing.camera, second.settings.viewing.cameraSha256) = (
      "tour.json", String(repeating: "b", count: 64)
    )
    let failure = #expect(throws: Failure.self) { try Sides.compare([first], [second]) }
    #expect(failure?.kind == .incomparable && failure?.description.contains(field.name) ?? false)
    (second.settings.viewing.camera, second.settings.viewing.cameraSha256) = (
      "copy.json", first.settings.viewing.cameraSha256
    )
    #expect(throws: Never.self) { try Sides.compare([first], [second]) }
  }

  @Test func theTableOfChangesHasNoOtherRows() {
    #expect(Set(Self.changes.keys) == Set(ComparedField.all.map(\.name)))
    #expect(ComparedField.named("clip") == nil && ComparedField.named("schema") == nil)
  }

  @Test(arguments: ComparedField.all.map(\.name)) func aDifferenceIsRefusedUnlessItIsTheThingTested(_ name: String)
    throws
  {
    let field = try #require(ComparedField.named(name))
    let (base, head) = ([Self.whole], [try Self.changed(field)])
    let failure = try Sides.refusal(base, head)
    #expect(failure.cause.hasPrefix("base and head differ in \(name) ("), "\(failure)")
    #expect(!failure.cause.contains("), "), "another field differs too: \(failure)")
    #expect(failure.remedy == "give --vary \(name) if that is the thing tested")
    let others = Set(ComparedField.all.map(\.name)).subtracting([name])
    #expect(throws: Failure.self) { try Sides.compare(base, head) { $0.varied = others } }
    for varied in [[name], nil] as [Set<String>?] {
      let comparison = try Sides.compare(base, head) { $0.varied = varied }
      #expect(comparison.varied.map(\.field) == [name] && comparison.results.map(\.verdict) == [.same])
      #expect(comparison.varied.allSatisfy { $0.base != $0.head })
    }
  }

  @Test(arguments: ComparedField.all.map(\.name)) func aSideThatMixesIsRefused(_ name: String) throws {
    let field = try #require(ComparedField.named(name))
    let (pure, mixed) = ([Self.whole], [Self.whole, try Self.changed(field)])
    for (base, head) in [(pure, mixed), (mixed, pure), (mixed, mixed)] {
      for varied in [[], [name], nil] as [Set<String>?] {
        let failure = try #require(throws: Failure.self) { try Sides.compare(base, head) { $0.varied = varied } }
        #expect(failure.kind == .incomparable)
        #expect(failure.cause.hasPrefix("a side mixes records that differ in \(name) ("), "\(failure)")
      }
    }
  }

  @Test(arguments: ComparedField.all.map(\.name)) func whatIsUnknownAgreesWithAnything(_ name: String) throws {
    guard let forget = Self.changes[name]?.none else { return }
    var unknown = Self.whole
    forget(&unknown)
    for (base, head) in [([Self.whole], [unknown]), ([unknown], [Self.whole]), ([Self.whole, unknown], [Self.whole])] {
      let comparison = try Sides.compare(base, head)
      #expect(comparison.varied.isEmpty && comparison.results.map(\.verdict) == [.same])
    }
  }

  @Test func allDifferencesAreNamedAtOnce() throws {
    var head = Self.whole
    head.settings.decoding.threads = 8
    head.environment.device?.driver = "Mesa 24.0.1"
    let failure = try Sides.refusal([Self.whole], [head])
    #expect(
      failure.cause
        == "base and head differ in driver (Mesa 22.3.6 against Mesa 24.0.1), threads (2 against 8)")
    #expect(failure.remedy == "give --vary driver,threads if that is the thing tested")
  }

  @Test func aDifferenceBetweenClipsIsNone() throws {
    var (a, b) = (Sides.fps(Sides.spread(100), clip: "a"), Sides.fps(Sides.spread(100), clip: "b"))
    a.settings.geometry.projection = "flat"
    b.settings.geometry.projection = "equirectangular"
    #expect(try Sides.compare([a, b], [b, a]).varied.isEmpty)
  }
}
