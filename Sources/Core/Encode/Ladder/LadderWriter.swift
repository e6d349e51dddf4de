internal import CFFmpeg
import Frames
import Media
import TestPicture

/// How far a ladder is.
public struct LadderProgress: Hashable, Sendable {
  /// Being encoded, counted from 0.
  public var rung: Int
  public var rungs: Int
  /// Frames of that rung.
  public var done: Int
  public var frames: Int
  /// Of all the work, from 0 to 1: by pixels.
  public var fraction: Double

  init(_ specification: LadderSpecification, rung: Int, done: Int) {
    let pixels = specification.rungs.map { Double($0.size.width * $0.size.height) }
    let share = Double(done) / Double(specification.clip.frames)
    (self.rung, rungs, self.done, frames) = (rung, pixels.count, done, specification.clip.frames)
    fraction = (pixels[..<rung].reduce(0, +) + share * pixels[rung]) / pixels.reduce(0, +)
  }
}

/// Writes the ladder of `specification` as a folder at `path`: HLS with MPEG-TS and with fragmented MP4, DASH with the
/// same fragmented MP4, alternate audio, subtitles, thumbnails, and `ladder.json`, which tells all of it.
///
/// The folder appears as a whole, in the place of an earlier ladder, or not at all after a failure. `progress` is called
/// after every frame, and often while none is encoded, on the caller's thread; it returns false to cancel. `json` makes
/// the text of `ladder.json`: keys in snake_case. FFmpeg's log is captured from then on. Blocks until the folder is
/// complete.
///
/// Throws `Failure`: `.usage` for an invalid specification and for a rung whose frames cannot be read, `.unsupported`
/// when this FFmpeg lacks x264, AAC or a container, `.output` when the folder cannot be written, `.cancelled` when
/// `progress` returned false.
public func generateLadder(
  _ specification: LadderSpecification, to path: String, json: (LadderIndex) throws -> [UInt8],
  progress: (LadderProgress) -> Bool = { _ in true }
) throws {
  try specification.validate()
  FFmpegCallback.install()
  var writer = try LadderWriter(specification, path: path)
  func tell(_ rung: Int, _ done: Int) throws {
    guard progress(LadderProgress(specification, rung: rung, done: done)) else {
      throw Failure(.cancelled, "stopped writing '\(path)'", cause: "cancelled in rung \(rung)")
    }
  }
  try writer.writeSound { try tell(0, 0) }
  try writer.writeTexts { try tell(0, 0) }
  for rung in specification.rungs.indices {
    try writer.writeRung(rung) { done in try tell(rung, done) }
  }
  try writer.finish(json)
}

/// The parts of a ladder, one after the other, and the index that grows with them.
struct LadderWriter: ~Copyable {
  static let index = "ladder.json"
  static let manifest = "manifest.mpd"
  static let (transportFolder, fragmentFolder) = ("hls-ts", "hls-fmp4")
  /// All that a ladder's folder can hold.
  static let entries: Set<String> = [
    index, manifest, transportFolder, fragmentFolder, LadderEncryption.licence, "keys", "subtitles",
    LadderThumbnails.folder,
  ]

  private let specification: LadderSpecification
  private let encryption: LadderEncryption?
  private let folder: OutputFolder
  private var index: LadderIndex
  /// Ticks a second of the video's clock in fragmented MP4.
  private var timescale = 0
  /// Of each rung, of each segment, dB.
  private var quality: [[Double]] = []

  init(_ specification: LadderSpecification, path: String) throws {
    self.specification = specification
    encryption = LadderEncryption(specification)
    folder = try OutputFolder(path: path, entries: Self.entries)
    index = LadderIndex(
      synthetic: specification.tag.comment, rate: specification.clip.rate, frames: specification.clip.frames,
      segmentFrames: specification.segmentFrames)
    index.encryption = encryption?.facts(segments: specification.segments.count)
  }

  /// Alternate audio. `check` is called often, and throws to stop.
  mutating func writeSound(_ check: () throws -> Void) throws {
    for (track, language) in specification.languages.enumerated() {
      let sound = try LadderSound(specification, track: track, check)
      var facts = LadderIndex.Sound(
        language: language, track: track, codecs: LadderSound.codecs, sampleRate: SoundEncoder.sampleRate)
      let transport = specification.hasHLS ? try sound.transportMuxer() : nil
      var output = TrackOutput(
        name: "audio-\(language)", specification: specification, encryption: encryption, transport: transport,
        fragments: try sound.fragmentMuxer(
          comment: specification.tag.comment, encryption: commonEncryption(track: 256 + track)))
      for number in sound.segments.indices {
        let samples = sound.samples(ofSegment: number)
        let rate = Double(SoundEncoder.sampleRate)
        try output.write(
          sound.segments[number], number: number, start: Double(samples.lowerBound) / rate,
          duration: Double(samples.count) / rate, frames: nil, to: folder)
      }
      facts.renditions = try output.finish(to: folder)
      index.audio.append(facts)
    }
  }

  /// Subtitles, thumbnails and keys. `check` is called often, and throws to stop.
  mutating func writeTexts(_ check: () throws -> Void) throws {
    for language in specification.languages {
      let subtitles = LadderSubtitles(specification: specification, language: language)
      let name = "subtitles/\(language).vtt"
      try folder.write(Array(subtitles.track.utf8), to: name)
      var playlists: [String] = []
      for (base, origin) in [(Self.transportFolder, TransportMuxer.origin), (Self.fragmentFolder, 0)]
      where specification.hasHLS {
        for (number, frames) in specification.segments.enumerated() {
          let segment = subtitles.segment(frames, origin: origin)
          try folder.write(Array(segment.utf8), to: "\(base)/subtitles-\(language)/\(numbered(number)).vtt")
        }
        playlists.append("\(base)/subtitles-\(language).m3u8")
      }
      index.subtitles.append(LadderIndex.Subtitles(language: language, file: name, playlists: playlists))
    }
    let thumbnails = try LadderThumbnails(specification)
    let images = (0..<thumbnails.imageCount).map(LadderThumbnails.image)
    for (number, image) in images.enumerated() {
      try folder.write(try thumbnails.jpeg(ofImage: number), to: image)
      try check()
    }
    try folder.write(Array(thumbnails.trackText.utf8), to: LadderThumbnails.track)
    index.thumbnails = LadderIndex.Thumbnails(
      track: LadderThumbnails.track, images: images, interval: specification.thumbnailSeconds,
      columns: LadderThumbnails.columns, rows: LadderThumbnails.rows, size: thumbnails.size)
    try writeKeys()
  }

  private func writeKeys() throws {
    guard let encryption, let facts = index.encryption else { return }
    for (number, file) in facts.files.enumerated() {
      let bytes = facts.scheme == .aes128 ? encryption.key(number) : Array(encryption.licenceText.utf8)
      try folder.write(bytes, to: file)
    }
  }

  /// Encodes a rung once, and writes each segment in both packagings as soon as it is complete.
  ///
  /// - Parameter progress: is told the frames drawn so far, also while the encoder is emptied; throws to stop.
  mutating func writeRung(_ number: Int, progress: (Int) throws -> Void) throws {
    let clip = specification.clip(ofRung: number)
    let pictures = try PictureEncoder(clip, hasGlobalHeader: true, check: { try progress(0) })
    let codecs = ByteStream.codecName(of: extradata(of: pictures.encoder))
    var facts = LadderIndex.Rung(rung: number, size: clip.size, bitRate: clip.bitRate ?? 0, codecs: codecs ?? "avc1")
    let transport = specification.hasHLS ? try TransportMuxer(of: pictures.encoder) : nil
    let fragments = try FragmentMuxer(
      of: pictures.encoder, comment: clip.tag.comment, encryption: commonEncryption(track: number)
    ) { VideoTrack.describe($0, clip) }
    timescale = fragments.timescale
    var output = TrackOutput(
      name: "video-\(number)", specification: specification, encryption: encryption, transport: transport,
      fragments: fragments)
    var checksums = try FrameChecksums(
      of: pictures.encoder, clip, try SegmentQuality(specification, rung: number) { try progress(0) })
    var cutter = SegmentCutter(specification.segments)
    for frame in (0..<clip.frames).map(Optional.some) + [nil] {
      var packets: [CodedPacket] = []
      try pictures.encode(frame: frame) {
        packets.append(CodedPacket($0))
        if frame == nil { try progress(clip.frames) }
      }
      for packet in packets {
        try checksums.add(packet)
        if let complete = try cutter.add(packet) { try write(complete, &output) }
      }
      if let frame { try progress(frame + 1) }
    }
    try write(try cutter.finish(), &output)
    try checksums.add(nil)
    facts.renditions = try output.finish(to: folder)
    facts.checksums = checksums.values
    quality.append(checksums.quality.decibels)
    index.rungs.append(facts)
  }

  private func write(_ segment: SegmentCutter.Segment, _ output: inout TrackOutput) throws {
    try output.write(
      segment.packets, number: segment.number, start: specification.seconds(segment.frames.lowerBound),
      duration: specification.seconds(segment.frames.count), frames: segment.frames, to: folder)
  }

  private func commonEncryption(track: Int) -> CommonEncryption? {
    guard let encryption, let scheme = encryption.commonScheme else { return nil }
    return CommonEncryption(
      scheme: scheme, key: encryption.key(0), keyIdentifier: encryption.keyIdentifier, track: track)
  }

  private func extradata(of encoder: borrowing Encoder) -> [UInt8] {
    let context = encoder.context
    return Array(UnsafeBufferPointer(start: context.pointee.extradata, count: Int(context.pointee.extradata_size)))
  }

  /// Playlists, manifest and index; then the folder gets its name.
  consuming func finish(_ json: (LadderIndex) throws -> [UInt8]) throws {
    if specification.hasHLS {
      for (packaging, base, kind) in [
        (LadderIndex.Packaging.ts, Self.transportFolder, LadderIndex.Presentation.Kind.hlsTS),
        (.fmp4, Self.fragmentFolder, .hlsFMP4),
      ] {
        let playlists = HLSPlaylists(
          specification: specification, index: index, encryption: encryption, packaging: packaging, folder: base)
        for (name, text) in playlists.all { try folder.write(Array(text.utf8), to: name) }
        index.presentations.append(LadderIndex.Presentation(kind: kind, file: "\(base)/\(HLSPlaylists.main)"))
      }
    }
    if specification.hasDASH {
      let manifest = DASHManifest(
        specification: specification, index: index, encryption: encryption, timescale: timescale)
      try folder.write(Array(manifest.text.utf8), to: Self.manifest)
      index.presentations.append(LadderIndex.Presentation(kind: .dash, file: Self.manifest))
    }
    index.fillTable(quality: quality, isSphere: specification.clip.projection == .equirectangular)
    try folder.write(try json(index), to: Self.index)
    try folder.finish()
  }
}
