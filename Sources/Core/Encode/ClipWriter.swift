internal import CFFmpeg
import Frames
import Glibc
import Media
import TestPicture

/// Generates the synthetic clip of `specification` at `path`; the extension names the container.
///
/// The file at `path` is replaced as a whole, or left unchanged after a failure. `progress` is called after every frame,
/// and often before the first and behind the last, with the frames done and the total, on the caller's thread; it
/// returns false to cancel. The container's `comment`
/// holds the specification's `SyntheticTag`; raw streams and MPEG-TS have no field for it. MP4 and Matroska store
/// spherical mapping and stereo arrangement. FFmpeg's log is captured from then on. Blocks until the file is complete.
///
/// Throws `Failure`: `.usage` for an invalid specification or container, `.unsupported` when no encoder here
/// supports it, `.output` when the file cannot be written, `.cancelled` when `progress` returned false.
public func generateClip(
  _ specification: ClipSpecification, to path: String, progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }
) throws {
  try specification.validate()
  var specification = specification
  if specification.hasAudio, specification.scene.flashPeriod == nil {
    specification.scene.flashPeriod = SceneFlash.period(rate: specification.rate)
  }
  // Encoders log banners and summaries through FFmpeg; failures are thrown.
  FFmpegCallback.install()
  // SVT-AV1 writes to standard error itself unless its log is disabled.
  if specification.codec == "av1" { setenv("SVT_LOG", "0", 0) }
  let file = try OutputFile(path: path)
  try file.requireSupport(of: specification)
  func tell(_ done: Int) throws {
    guard progress(done, specification.frames) else {
      throw Failure(
        .cancelled, "stopped writing '\(path)'", cause: "cancelled after \(done) of \(specification.frames) frames")
    }
  }
  let video = try VideoTrack(specification, in: file) { try tell(0) }
  var audio: ToneTrack? = nil
  if specification.hasAudio { audio = try ToneTrack(specification, isAmbisonic: false, in: file) }
  var spatial: ToneTrack? = nil
  if specification.isAmbisonic { spatial = try ToneTrack(specification, isAmbisonic: true, in: file) }
  try file.start(comment: specification.tag.comment)
  for number in 0..<specification.frames {
    try video.write(frame: number, to: file)
    let seconds = specification.duration * Double(number + 1) / Double(specification.frames)
    try audio?.write(until: seconds, to: file)
    try spatial?.write(until: seconds, to: file)
    try tell(number + 1)
  }
  try video.finish(to: file) { try tell(specification.frames) }
  try audio?.finish(to: file)
  try spatial?.finish(to: file)
  // Behind the picture and the tone.
  try file.finish(ambisonicTrack: specification.isAmbisonic ? 2 : nil)
}
