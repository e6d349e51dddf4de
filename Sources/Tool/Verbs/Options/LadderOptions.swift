import ArgumentParser
import Encode
import Frames
import TestPicture

/// What `generate --ladder` adds to the options of a clip.
struct LadderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Instead of a clip, write a folder with several bit rates of it as HLS and DASH, whose frames also show their rung.",
      valueName: "folder"),
    completion: .directory)
  var ladder: String?

  @Option(
    help: ArgumentHelp(
      "The rungs as WIDTHxHEIGHT@BITRATE, lowest first; five by default, for the projection.",
      valueName: "256x144@150k,…"))
  var rungs: RungList?

  @Option(name: .customLong("segment"), help: ArgumentHelp("Seconds of a segment (default: 2).", valueName: "seconds"))
  var segmentSeconds: Double?

  @Option(
    help: ArgumentHelp(
      "Languages of the alternate audio and of the subtitles (default: en,de).", valueName: "en,de"))
  var languages: String?

  @Option(
    help: ArgumentHelp(
      "Encrypt with test keys: aes-128 writes HLS, clearkey and clearkey-cbcs write DASH.", valueName: "scheme"),
    completion: .list(EncryptionArgument.allCases.map(\.rawValue)))
  var encrypt: EncryptionArgument?

  @Option(
    name: .customLong("key-rotation"),
    help: ArgumentHelp("With aes-128, segments after which the key changes.", valueName: "segments"))
  var keyRotation: Int?

  /// Throws a usage error for options that only a ladder has.
  func requireNone() throws {
    let given = [
      rungs.map { _ in "--rungs" }, segmentSeconds.map { _ in "--segment" }, languages.map { _ in "--languages" },
      encrypt.map { _ in "--encrypt" }, keyRotation.map { _ in "--key-rotation" },
    ].compactMap { $0 }
    guard given.isEmpty else { throw ValidationError("\(given.joined(separator: ", ")): add --ladder FOLDER.") }
  }

  /// The ladder of `clip`'s scene, rate and duration.
  func specification(of clip: ClipSpecification) throws -> LadderSpecification {
    var ladder = LadderSpecification(projection: clip.projection)
    ladder.clip = clip
    if let rungs { ladder.rungs = rungs.rungs }
    if let segmentSeconds { ladder.segmentSeconds = segmentSeconds }
    if let languages { ladder.languages = languages.split(separator: ",").map(String.init) }
    guard keyRotation == nil || encrypt == .aes128 else {
      throw ValidationError("--key-rotation: add --encrypt aes-128.")
    }
    ladder.encryption =
      switch encrypt {
      case .aes128: .aes128(rotation: keyRotation)
      case .clearKey: .clearKey
      case .clearKeyPattern: .clearKeyPattern
      case nil: nil
      }
    return ladder
  }
}

enum EncryptionArgument: String, ExpressibleByArgument, CaseIterable {
  case aes128 = "aes-128"
  case clearKey = "clearkey"
  case clearKeyPattern = "clearkey-cbcs"
}

/// `256x144@150k,640x360@1.2M`
struct RungList: ExpressibleByArgument {
  let rungs: [LadderSpecification.Rung]

  init?(argument: String) {
    var rungs: [LadderSpecification.Rung] = []
    for text in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = text.split(separator: "@", omittingEmptySubsequences: false)
      guard parts.count == 2, let size = PictureSize(argument: String(parts[0])), let bitRate = Self.bitRate(parts[1])
      else { return nil }
      rungs.append(LadderSpecification.Rung(size: size, bitRate: bitRate))
    }
    self.rungs = rungs
  }

  /// Nil unless it is a number from 1 to 10¹² after its suffix is applied.
  private static func bitRate(_ text: Substring) -> Int? {
    let factor = text.hasSuffix("k") ? 1e3 : text.hasSuffix("M") ? 1e6 : 1
    guard let number = Double(factor == 1 ? text : text.dropLast()), number > 0, number * factor <= 1e12 else {
      return nil
    }
    return Int((number * factor).rounded())
  }
}
