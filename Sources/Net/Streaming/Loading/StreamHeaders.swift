import Frames
import HTTP
import Media

/// What the segments of a stream need beside themselves: playlists, indexes, initialisation sections and keys, each loaded once. One
/// thread.
final class StreamHeaders {
  private var sections: [InitializationSection: [UInt8]] = [:]
  private var keys: [StreamAddress: [UInt8]] = [:]
  private var licences: [StreamAddress: ClearKeyLicence] = [:]
  private var codings: [Coding: Int] = [:]
  private let variables: PlaylistVariables
  private let limits: StreamLimits
  /// Given by the caller.
  private let given: ContentKeys
  private let served: ServedFolder?
  /// What could not be had is not asked for with each segment.
  private var problems: [Place: HTTPProblem] = [:]

  private struct Place: Hashable {
    var address: StreamAddress
    var range: ByteRange?
    var question: String?
  }

  private struct Coding: Hashable {
    var rung: Int
    var stretch: Int
    var discontinuity: Int64
    var section: InitializationSection?
  }

  /// Codings so far.
  private var codingCount = 0

  /// More sections than a stream that switches to and fro needs are loaded again.
  private static let sectionLimit = 256

  init(_ variables: PlaylistVariables, _ options: StreamOptions) {
    (self.variables, limits, given, served) = (variables, options.limits, options.keys, options.served)
  }

  /// What could not be had is asked for again.
  func forgetProblems() { problems = [:] }

  func bytes(
    _ resource: StreamResource, _ resources: ResourceLoader
  ) throws(LoadProblem) -> (bytes: [UInt8], loaded: LoadedResource) {
    let place = Place(address: resource.address, range: resource.range, question: resource.question)
    if let problem = problems[place] { throw .failed(problem) }
    if problems.count >= Self.sectionLimit { problems.removeAll() }
    do throws(LoadProblem) {
      return try resources.bytes(resource)
    } catch {
      if case .failed(let problem) = error { problems[place] = problem }
      throw error
    }
  }

  /// The segments that a rung's playlist or index tells of.
  func timeline(
    _ source: SegmentSource, rung: Int?, _ resources: ResourceLoader
  ) throws(LoadProblem) -> SegmentTimeline {
    switch source {
    case .timeline(let timeline): return timeline
    case .playlist(_, let loaded?): return loaded.timeline
    case .playlist(let address, nil):
      let (bytes, loaded) = try bytes(
        StreamResource(kind: .playlist, address: address, rung: rung, byteLimit: Int64(ManifestLimits.byteCount)),
        resources)
      let playlist = try parsed { () throws(Failure) in
        try MediaPlaylist.parse(bytes, at: loaded.address, name: served?.file(loaded.address), variables: variables)
      }
      guard let playlist else {
        throw .failed(.badResponse("its playlist is a delta update, and nothing came before it"))
      }
      return playlist.timeline
    case .index(let file):
      let (bytes, _) = try bytes(
        StreamResource(
          kind: .index, address: file.address, range: file.indexRange, rung: rung, byteLimit: limits.headerBytes),
        resources)
      return try parsed { () throws(Failure) in try file.timeline(index: bytes) }
    case .insideVideo: throw .failed(.badResponse("a rendition names no segments"))
    }
  }

  private func parsed<Value>(_ parse: () throws(Failure) -> Value) throws(LoadProblem) -> Value {
    do throws(Failure) { return try parse() } catch { throw .refused(error) }
  }

  /// The bytes before a segment's own; empty where it needs none.
  func initialization(_ segment: Segment, rung: Int?, _ resources: ResourceLoader) throws(LoadProblem) -> [UInt8] {
    guard let section = segment.initialization else { return [] }
    if let known = sections[section] { return known }
    var (bytes, _) = try bytes(
      StreamResource(
        kind: .initialization, address: section.address, range: section.range, rung: rung,
        byteLimit: limits.headerBytes), resources)
    if let key = section.key {
      let cipher = try cipher(key, key.vector(forSegment: segment.number), rung: rung, resources)
      let plain = bytes.withUnsafeBytes { cipher.decrypt($0) }
      guard let last = cipher.finish() else {
        throw .failed(.badResponse("its initialisation section cannot be decrypted: its key is another's"))
      }
      bytes = plain + last
    }
    if sections.count >= Self.sectionLimit { sections.removeAll() }
    sections[section] = bytes
    return bytes
  }

  /// What decrypts a segment; nil where it is not encrypted.
  func cipher(of segment: Segment, rung: Int?, _ resources: ResourceLoader) throws(LoadProblem) -> BlockCipher? {
    guard let key = segment.key else { return nil }
    return try cipher(key, key.vector(forSegment: segment.number), rung: rung, resources)
  }

  private func cipher(
    _ key: SegmentKey, _ vector: InitializationVector, rung: Int?, _ resources: ResourceLoader
  ) throws(LoadProblem) -> BlockCipher {
    if keys[key.address] == nil {
      if keys.count >= Self.sectionLimit { keys.removeAll() }
      let limit = Int64(BlockCipher.blockBytes)
      keys[key.address] =
        try bytes(
          StreamResource(kind: .key, address: key.address, rung: rung, byteLimit: limit), resources
        ).bytes
    }
    let known = keys[key.address] ?? []
    return try parsed { () throws(Failure) in try BlockCipher(key: known, vector: vector.bytes) }
  }

  /// What decrypts a track's samples; nil where they are not encrypted.
  func key(_ protection: Protection?, rung: Int?, _ resources: ResourceLoader) throws(LoadProblem) -> [UInt8]? {
    guard let protection else { return nil }
    let identifier = protection.defaultKeyIdentifier
    if let key = given.key(identifier) { return key }
    guard let address = try parsed(given.licenceAddress) ?? protection.license else {
      let cause = given.count == 0 ? "its manifest names no ClearKey licence" : "there is no key for it"
      throw .refused(StreamRefusal.locked(cause, identifier))
    }
    if let key = licences[address]?.key(identifier) { return key }
    // A file has all keys; a server gives the ones that it is asked for.
    if licences[address] == nil, given.licenceURL == nil || identifier == nil {
      try addFile(address, isOnlyWay: identifier == nil, rung: rung, resources)
    }
    if licences[address]?.key(identifier) == nil, let identifier {
      try addAnswer(address, to: identifier, rung: rung, resources)
    }
    guard let key = licences[address]?.key(identifier) else {
      throw .refused(StreamRefusal.locked("its ClearKey licence has no key for it", identifier))
    }
    return key
  }

  /// - Parameter isOnlyWay: else a server that gives none by GET is asked by POST.
  private func addFile(
    _ address: StreamAddress, isOnlyWay: Bool, rung: Int?, _ resources: ResourceLoader
  ) throws(LoadProblem) {
    var resource = StreamResource(kind: .key, address: address, rung: rung, byteLimit: limits.licenceBytes)
    resource.isNamed = given.licenceURL != nil
    do throws(LoadProblem) {
      let licence = ClearKeyLicence(try bytes(resource, resources).bytes)
      if licence == nil, isOnlyWay { throw Self.damaged }
      licences[address] = licence ?? ClearKeyLicence()
    } catch {
      // The program's own server answers no questions.
      guard case .failed(let problem) = error, problem.status != nil, !isOnlyWay, served?.file(address) == nil else {
        throw located(error, address)
      }
    }
  }

  /// A licence that was not loaded, with its server's address: it may be another one than the stream's.
  private func located(_ problem: LoadProblem, _ address: StreamAddress) -> LoadProblem {
    guard case .failed(let cause) = problem else { return problem }
    // The cause names a file.
    let name = cause.status == 404 && served?.file(address) != nil ? "" : " '\(served?.file(address) ?? "\(address)")'"
    return .failed(cause.behind("its ClearKey licence\(name) cannot be loaded"))
  }

  private func addAnswer(
    _ address: StreamAddress, to identifier: [UInt8], rung: Int?, _ resources: ResourceLoader
  ) throws(LoadProblem) {
    var resource = StreamResource(
      kind: .key, address: address, rung: rung, question: ClearKeyLicence.question([identifier]),
      byteLimit: limits.licenceBytes)
    resource.isNamed = given.licenceURL != nil
    let known = licences[address]
    do throws(LoadProblem) {
      guard var licence = ClearKeyLicence(try bytes(resource, resources).bytes) else { throw Self.damaged }
      if let known { licence.add(known) }
      licences[address] = licence
    } catch {
      guard case .failed(let problem) = error, problem.status != nil, let known else { throw located(error, address) }
      // The server is one of files; what it gave stands.
      if known.isEmpty { throw Self.damaged }
    }
  }

  private static var damaged: LoadProblem {
    .refused(StreamRefusal.locked("its ClearKey licence is damaged, or none"))
  }

  /// The number of a segment's coding.
  func coding(of segment: Segment, rung: Int, stretch: Int) -> Int {
    let coding = Coding(
      rung: rung, stretch: stretch, discontinuity: segment.discontinuity, section: segment.initialization)
    if let known = codings[coding] { return known }
    // Each discontinuity of a live stream makes one more.
    if codings.count >= Self.sectionLimit { codings.removeAll() }
    codings[coding] = codingCount
    codingCount += 1
    return codingCount - 1
  }
}

/// Why a stream is not played that could be.
enum StreamRefusal {
  /// - Parameters:
  ///   - cause: why there is no key.
  ///   - identifier: of the key, where it is known.
  static func locked(_ cause: String, _ identifier: [UInt8]? = nil) -> Failure {
    Failure(
      .encrypted, "cannot decrypt the video", cause: cause,
      remedy: identifier.map { "give the key \(keyName($0)) with --key or --key-file" }
        ?? "ask the stream's provider for its keys")
  }
}
