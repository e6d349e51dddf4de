import Decode
import Frames
import Verdict

/// The methods in use during a trial, for the record's settings.
public struct TrialFacts: Sendable, Codable {
  public var decoder: DecoderDescription?
  public var upload: String?
  public var shading: String?
  public var convertedFrom: String?
  /// The output that played the clip's sound, with its faults, and the track; nil if none was played.
  public var sound: String?
  public var soundTrack: Int?
  /// Colour processing after the matrix; nil if no view was drawn.
  public var colorConversion: String?
  /// The source of display times of scenarios in a window; nil: as offscreen.
  public var presentSource: PresentSource?
  public var reasons: [ReasonKey: String] = [:]
  public var warnings: [Record.Warning] = []

  /// Records whether `frame` was converted, and why.
  mutating func add(conversionOf frame: VideoFrame) {
    guard convertedFrom != frame.convertedFrom else { return }
    convertedFrom = frame.convertedFrom
    reasons[.convertedFrom] = frame.conversionReason
  }

  /// Known values of later trials, or of other clients, replace earlier ones; each warning is kept once.
  mutating func merge(_ other: TrialFacts) {
    decoder = other.decoder ?? decoder
    upload = other.upload ?? upload
    shading = other.shading ?? shading
    presentSource = other.presentSource ?? presentSource
    convertedFrom = other.convertedFrom ?? convertedFrom
    colorConversion = other.colorConversion ?? colorConversion
    (sound, soundTrack) = (other.sound ?? sound, other.soundTrack ?? soundTrack)
    reasons.merge(other.reasons) { $1 }
    for warning in other.warnings where !warnings.contains(warning) { warnings.append(warning) }
  }
}
