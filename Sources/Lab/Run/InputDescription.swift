import Decode
import FoundationEssentials
import Frames
import Media
import Playback
import Session
import Verdict

extension MediaInfo {
  /// The clip as the record describes it: the container's fields, with `auto` resolved.
  ///
  /// - Parameters:
  ///   - name: as its user named it.
  ///   - hash: SHA-256 of the file; nil of a URL.
  package func recordInput(name: String, hash: String?, geometry: GeometryChoice) -> Record.Input {
    var input = Record.Input(name: Record.Input.name(of: name))
    let (resolved, _) = geometry.resolve(self)
    input.sha256 = hash
    input.container = container
    input.codec = video.codec
    input.profile = video.profile
    input.pixelFormat = video.pixelFormat
    input.size = video.size
    input.sampleAspect = video.sampleAspect
    input.rate = video.frameRate
    input.frames = video.frameCount
    input.durationSeconds = durationSeconds
    input.gop = video.groupOfPictures.map { max(1, $0.longestFrames) }
    input.color = video.color
    input.projection = resolved.projection.rawValue
    input.stereo = resolved.stereo.rawValue
    return input
  }

  /// Assumptions about the clip that limit what the numbers mean.
  func recordWarnings(_ geometry: GeometryChoice) -> [Record.Warning] {
    var warnings: [Record.Warning] = []
    let (resolved, reasons) = geometry.resolve(self)
    if geometry.projection == nil, let guess = geometry.guess, !resolved.projection.usesCamera {
      let named = "--projection \(guess.projection.rawValue) --stereo \(guess.stereo.rawValue)"
      warnings.append(
        .init(
          code: .maybeSpherical, text: "the picture \(guess.sentence), but the file does not say so: it is shown flat",
          remedy: "if it is, add \(guess.isLikely ? "--projection guess" : named)"))
    }
    if geometry.projection == nil, video.spherical != nil, !resolved.projection.usesCamera {
      warnings.append(
        .init(code: .shownFlat, text: "the clip is shown flat: \(reasons[.projection] ?? "it is not read")"))
    }
    if video.isMultiview {
      warnings.append(
        .init(code: .baseView, text: "the clip holds both eyes as MV-HEVC: only its base view, one eye, is decoded"))
    }
    if video.isInterlaced {
      warnings.append(
        .init(code: .interlaced, text: "the video is interlaced: frames are shown as coded, without deinterlacing"))
    }
    if video.hasAlpha {
      warnings.append(.init(code: .alpha, text: "the video has an alpha channel, which is not drawn: it is opaque"))
    }
    if let ignored = video.color.ignored {
      warnings.append(
        .init(
          code: .color,
          text: "the file signals colours that bench360 cannot do (\(ignored.joined(separator: ", "))): "
            + "input.color tells the fallback"))
    }
    if video.isDolbyVision {
      warnings.append(
        .init(code: .dolbyVision, text: "the video is Dolby Vision: its base layer alone is shown"))
    }
    if !audio.isEmpty, let reason = audio.compactMap(\.refusal).first, audio.allSatisfy({ $0.refusal != nil }) {
      warnings.append(.init(code: .audio, text: "the clip's audio is not played: \(reason)"))
    }
    return warnings
  }
}
