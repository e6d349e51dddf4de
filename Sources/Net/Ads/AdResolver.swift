import Frames
import HTTP
import Streaming

/// Follows wrappers to the ads that can be played. Waits for the network; one thread.
public struct AdResolver {
  /// The answer of an ad server, or a file. Throws in one sentence.
  public typealias Loading = (_ place: String, _ policy: AddressPolicy) throws(Failure) -> AdDocument

  private let wishes: AdWishes
  private let load: Loading

  public init(_ wishes: AdWishes = AdWishes(), load: @escaping Loading) { (self.wishes, self.load) = (wishes, load) }

  /// What is told of an ad by the wrappers around it.
  private struct Chain {
    var base: AdBase
    var tags: [String] = []
    var requests: [AdRequest] = []
    var errors: [AdURL] = []
    var followsWrappers = true
    var allowsSeveral = true

    /// URLs that the present document names.
    func urls(_ texts: [String]) -> [AdURL] { texts.map { AdURL($0, base.policy) } }
  }

  /// - Parameter base: where the schedule lies.
  public func pod(of pause: AdBreak, from base: AdBase) -> AdPod {
    var pod = AdPod()
    var chain = Chain(base: base)
    switch pause.source {
    case .response(let response): add(response, chain, to: &pod)
    case .tag(let tag):
      chain.followsWrappers = pause.followsWrappers
      follow(tag, chain, to: &pod)
    }
    return pod
  }

  /// Loads an answer, and adds its ads.
  private func follow(_ tag: String, _ chain: Chain, to pod: inout AdPod) {
    let place: String
    let response: VASTResponse
    do throws(Failure) {
      place = try chain.base.resolving(tag)
    } catch {
      return pod.failures.append(AdFailure(.noAnswer, error, errors: chain.errors))
    }
    guard !chain.tags.contains(place), chain.tags.count <= AdLimits.wrappers else {
      let cause =
        chain.tags.contains(place) ? "its wrappers name each other" : "it has more than \(AdLimits.wrappers) wrappers"
      return pod.failures.append(AdFailure(.tooManyWrappers, Self.failure(place, cause), errors: chain.errors))
    }
    var chain = chain
    chain.tags.append(place)
    do throws(Failure) {
      let document = try load(place, chain.base.policy)
      chain.base = document.base
      do throws(ManifestFlaw) {
        response = try VASTResponse(document.bytes)
      } catch {
        let isVersion = error.cause.hasPrefix("its version")
        let cause = (error.line.map { "line \($0): " } ?? "") + error.cause
        return pod.failures.append(
          AdFailure(isVersion ? .badVersion : .badXML, Self.failure(place, cause), errors: chain.errors))
      }
    } catch {
      return pod.failures.append(AdFailure(.noAnswer, error, errors: chain.errors))
    }
    add(response, chain, to: &pod)
  }

  private func add(_ response: VASTResponse, _ chain: Chain, to pod: inout AdPod) {
    let row = response.ads.filter { $0.sequence != nil }.sorted { $0.sequence ?? 0 < $1.sequence ?? 0 }
    var alone = response.ads.filter { $0.sequence == nil }
    guard !response.ads.isEmpty else {
      let cause = "the server has no ad"
      return pod.failures.append(
        AdFailure(.noAd, Self.failure(chain.tags.last, cause), errors: chain.errors + chain.urls(response.errors)))
    }
    for ad in chain.allowsSeveral ? row : Array(row.prefix(1)) {
      if add(ad, chain, to: &pod) { continue }
      // One that stands alone takes its place.
      while !alone.isEmpty, !add(alone.removeFirst(), chain, to: &pod) {}
    }
    guard row.isEmpty else { return }
    while !alone.isEmpty, !add(alone.removeFirst(), chain, to: &pod) {}
  }

  /// Returns whether there is one to play.
  private func add(_ ad: VASTAd, _ chain: Chain, to pod: inout AdPod) -> Bool {
    let before = pod.ads.count
    guard before < AdLimits.adCount else { return false }
    var chain = chain
    let requests = ad.impressions.map { VASTRequest(event: .impression, url: $0) } + (ad.linear?.requests ?? [])
    chain.requests += requests.map { AdRequest(event: $0.event, url: AdURL($0.url, chain.base.policy)) }
    chain.errors += chain.urls(ad.errors)
    guard let wrapper = ad.wrapper else {
      do throws(AdFlaw) {
        pod.ads.append(try playable(ad, chain))
      } catch {
        pod.failures.append(
          AdFailure(error.code, Self.failure(ad.title ?? ad.id ?? chain.tags.last, error.cause), errors: chain.errors))
      }
      return pod.ads.count > before
    }
    guard chain.followsWrappers else {
      pod.failures.append(
        AdFailure(
          .tooManyWrappers, Self.failure(chain.tags.last, "a wrapper around it allows no further one"),
          errors: chain.errors))
      return false
    }
    (chain.followsWrappers, chain.allowsSeveral) = (wrapper.followsWrappers, wrapper.allowsSeveral)
    follow(wrapper.tag, chain, to: &pod)
    return pod.ads.count > before
  }

  private struct AdFlaw: Error {
    var code: AdFailure.Code
    var cause: String
  }

  private func playable(_ ad: VASTAd, _ chain: Chain) throws(AdFlaw) -> PlayableAd {
    guard let linear = ad.linear else {
      throw AdFlaw(code: .notLinear, cause: "it has nothing that takes the place of the picture")
    }
    guard var file = wishes.choose(linear.files) else {
      if linear.files.contains(where: { $0.program?.uppercased() == "VPAID" }) {
        throw AdFlaw(code: .program, cause: "it is a VPAID program (JavaScript), which is never run")
      }
      let types = Set(linear.files.map(\.type)).sorted().joined(separator: ", ")
      throw AdFlaw(
        code: linear.files.isEmpty ? .noFile : .noPlayableFile,
        cause: linear.files.isEmpty
          ? "it names no file" : "none of its files can be played: \(oneLine(types, limit: 100))")
    }
    do throws(Failure) {
      file.url = try chain.base.resolving(file.url)
    } catch {
      throw AdFlaw(code: .noFile, cause: error.cause)
    }
    return PlayableAd(
      id: ad.id, title: ad.title, file: file, policy: chain.base.policy, duration: linear.duration, skips: linear.skips,
      requests: chain.requests, errors: chain.errors)
  }

  private static func failure(_ name: String?, _ cause: String) -> Failure {
    let name = name.map { " '\(oneLine(shown($0), limit: 120))'" } ?? ""
    return Failure(.media, "cannot play the ad\(name)", cause: cause, remedy: "the clip goes on without it")
  }

  /// Of a URL, what may be told.
  private static func shown(_ name: String) -> String {
    guard name.contains("://") else { return name }
    return (try? HTTPURL(name)).map { "\($0)" } ?? "a URL"
  }
}

/// Where a document of ads was found. What a server names never leads to files of this machine, nor to hosts that only this machine reaches.
public struct AdBase: Sendable, Hashable {
  private enum Place: Sendable, Hashable {
    /// A folder of this machine, with `/` at its end; empty: the present one.
    case folder(String)
    case server(HTTPURL)
  }

  private let place: Place
  /// The hosts that its URLs may lead to.
  public let policy: AddressPolicy

  /// - Parameters:
  ///   - place: the path or URL of the document.
  ///   - policy: of the URLs that it names.
  public init(_ place: String, policy: AddressPolicy) {
    self.policy = policy
    if let url = try? HTTPURL(place) {
      self.place = .server(url)
    } else {
      self.place = .folder(place.lastIndex(of: "/").map { String(place[...$0]) } ?? "")
    }
  }

  /// A path, or a URL of `http` or `https`.
  func resolving(_ reference: String) throws(Failure) -> String {
    do throws(HTTPProblem) {
      switch place {
      case .server(let url): return try url.resolving(reference).text
      case .folder(let folder):
        if reference.contains("://") { return try HTTPURL(reference).text }
        return reference.hasPrefix("/") ? reference : folder + reference
      }
    } catch {
      throw Failure(.media, "cannot load an ad", cause: error.cause, remedy: "the clip goes on without it")
    }
  }
}
