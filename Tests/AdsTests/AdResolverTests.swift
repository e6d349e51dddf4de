import Ads
import Frames
import HTTP
import Support
import Testing

/// From tags to ads that can be played: wrappers, pods, files, and what is refused.
@Suite struct AdResolverTests {
  @Test func anAdIsFound() throws {
    let stage = AdStage()
    stage.files["http://ads/v"] = AdStage.vast(AdStage.ad("a"))
    let ad = try #require(stage.pod("http://ads/v").ads.first)
    #expect(ad.id == "a" && ad.title == "a" && ad.file.url == "http://cdn/a.mp4" && ad.file.bitrate == 800_000)
    #expect(ad.duration == MediaTime(seconds: 20.5) && ad.skips == .time(MediaTime(seconds: 5)))
    #expect(
      ad.errors.map(\.text) == ["http://a/e?c=[ERRORCODE]"] && ad.requests.first?.event == .impression
        && ad.requests.first?.url.text == "http://a/i")
    #expect(ad.requests.count == 6, "\(ad.requests)")
  }

  /// All wrappers are told, the outermost first.
  @Test(arguments: 0...7) func wrappersAreFollowedToALimit(count: Int) throws {
    let stage = AdStage()
    for number in 0..<count {
      stage.files["http://ads/\(number)"] = AdStage.vast(AdStage.wrapper("w\(number)", "http://ads/\(number + 1)"))
    }
    stage.files["http://ads/\(count)"] = AdStage.vast(AdStage.ad("a"))
    let pod = stage.pod("http://ads/0")
    let wrappers = (0..<count).map { "http://w\($0)" }
    guard count <= AdLimits.wrappers else {
      #expect(pod.ads.isEmpty && pod.failures.map(\.code) == [.tooManyWrappers] && stage.asked.count == 6)
      #expect(pod.failures.first?.errors.map(\.text) == (0...5).map { "http://w\($0)/e" }, "\(pod.failures)")
      return
    }
    let ad = try #require(pod.ads.first)
    #expect(
      ad.requests.filter { $0.event == .impression }.map(\.url.text) == wrappers.map { $0 + "/i" } + ["http://a/i"])
    #expect(
      ad.requests.filter { $0.event == .start }.map(\.url.text) == wrappers.map { $0 + "/start" } + ["http://a/start"])
    #expect(ad.errors.dropLast().map(\.text) == wrappers.map { $0 + "/e" })
  }

  /// Each URL has the policy of the document that names it: the user's own schedule may lead anywhere, a server's answer may not.
  @Test func everyURLHasThePolicyOfItsDocument() throws {
    let (own, internet) = (AddressPolicy.named, AddressPolicy.referred(from: .global))
    let stage = AdStage()
    stage.files["http://ads/0"] = AdStage.vast(AdStage.wrapper("w", "http://ads/1"))
    stage.files["http://ads/1"] = AdStage.vast(AdStage.ad("a"))
    let ad = try #require(stage.pod("http://ads/0").ads.first)
    #expect(stage.policies == [own, internet])
    #expect(ad.policy == internet && (ad.requests.map(\.url) + ad.errors).allSatisfy { $0.policy == internet })
  }

  @Test func wrappersThatNameEachOtherEnd() {
    let stage = AdStage()
    stage.files["http://ads/0"] = AdStage.vast(AdStage.wrapper("w", "/1"))
    stage.files["http://ads/1"] = AdStage.vast(AdStage.wrapper("v", "http://ads/0"))
    let pod = stage.pod("http://ads/0")
    #expect(pod.ads.isEmpty && pod.failures.map(\.code) == [.tooManyWrappers] && stage.asked.count == 2)
    #expect(pod.failures.first?.failure.cause == "its wrappers name each other")
    stage.files["http://ads/0"] = AdStage.vast(
      AdStage.wrapper("w", "http://ads/1", attributes: #"followAdditionalWrappers="false""#))
    #expect(stage.pod("http://ads/0").failures.map(\.code) == [.tooManyWrappers])
  }

  /// Ads with a sequence are one row; one that stands alone takes the place of one that cannot be played.
  @Test func podsArePlayedInOrder() {
    let stage = AdStage()
    let program = AdStage.file("http://cdn/p.js", type: "application/javascript", #"apiFramework="VPAID""#)
    stage.files["http://ads/v"] = AdStage.vast(
      AdStage.ad("b", attributes: #"sequence="2""#), AdStage.ad("spare"), AdStage.ad("a", attributes: #"sequence="1""#),
      AdStage.ad("c", attributes: #"sequence="3""#, program))
    let pod = stage.pod("http://ads/v")
    #expect(pod.ads.map(\.id) == ["a", "b", "spare"] && pod.failures.map(\.code) == [.program])
    #expect(pod.failures.first?.failure.description.contains("VPAID") == true)
    // Without a sequence the first that can be played is.
    stage.files["http://ads/v"] = AdStage.vast(AdStage.ad("x", program), AdStage.ad("y"), AdStage.ad("z"))
    #expect(stage.pod("http://ads/v").ads.map(\.id) == ["y"])
    // Of a pod behind a wrapper only the first, unless the wrapper allows all.
    stage.files["http://ads/v"] = AdStage.vast(
      AdStage.ad("a", attributes: #"sequence="1""#), AdStage.ad("b", attributes: #"sequence="2""#))
    for (attributes, ids) in [("", ["a"]), (#"allowMultipleAds="true""#, ["a", "b"])] {
      stage.files["http://ads/w"] = AdStage.vast(AdStage.wrapper("w", "v", attributes: attributes))
      #expect(stage.pod("http://ads/w").ads.map(\.id) == ids)
    }
  }

  @Test func theFileThatFitsIsTaken() throws {
    let stage = AdStage()
    let files = [("low", "320x180", 300), ("middle", "640x360", 900), ("high", "1920x1080", 5000)].map {
      AdStage.file("http://cdn/\($0)", size: $1, bitrate: $2)
    }
    let sphere = AdStage.file("http://cdn/360", type: "video/unknown", #"mediaType="360""#)
    stage.files["http://ads/v"] = AdStage.vast(AdStage.ad("a", files.joined() + sphere))
    func chosen(_ bitrate: Int?, _ height: Int?) -> String? {
      var wishes = AdWishes()
      (wishes.bitrate, wishes.height) = (bitrate, height)
      return stage.pod("http://ads/v", wishes: wishes).ads.first.map { String($0.file.url.dropFirst(11)) }
    }
    #expect(chosen(nil, nil) == "high" && chosen(1_000_000, nil) == "middle" && chosen(nil, 400) == "middle")
    #expect(chosen(100, nil) == "low" && chosen(nil, 90) == "low")
    stage.files["http://ads/v"] = AdStage.vast(
      AdStage.ad("a", AdStage.file("http://cdn/360", #"mediaType="360""#)), version: "4.2")
    #expect(stage.pod("http://ads/v").ads.first?.file.isSpherical == true)
  }

  /// Each has VAST's code, one sentence, and those to be told.
  @Test func failuresHaveTheirCodes() {
    let cases: [(String?, AdFailure.Code, String)] = [
      (nil, .noAnswer, "404"), ("no XML", .badXML, "not XML"), ("<VAST version=\"3.0\"><Ad>", .badXML, "well-formed"),
      ("<!DOCTYPE a><VAST/>", .badXML, "document type"), ("<MPD version=\"3.0\"/>", .badXML, "its root is <MPD>"),
      ("<VAST version=\"1.0\"/>", .badVersion, "'1.0'"), (AdStage.vast(""), .noAd, "no ad"),
      (AdStage.vast(AdStage.ad("a", "")), .noFile, "names no file"),
      (AdStage.vast(AdStage.ad("a", AdStage.file("f", type: "video/x-flv"))), .noPlayableFile, "video/x-flv"),
      (
        AdStage.vast("<Ad><InLine><Creatives><Creative><NonLinearAds/></Creative></Creatives></InLine></Ad>"),
        .notLinear, "takes the place"
      ),
    ]
    for (text, code, words) in cases {
      let stage = AdStage()
      stage.files["http://ads/w?user=secret"] = AdStage.vast(AdStage.wrapper("w", "http://ads/v?user=secret"))
      if let text { stage.files["http://ads/v?user=secret"] = text }
      let pod = stage.pod("http://ads/w?user=secret")
      #expect(pod.ads.isEmpty && pod.failures.map(\.code) == [code], "\(text ?? "nothing"): \(pod.failures)")
      let sentence = pod.failures.first?.failure.description ?? ""
      #expect(sentence.contains(words) && (!sentence.contains("secret") || text == nil), "\(sentence)")
      #expect(pod.failures.first?.errors.first?.text == "http://w/e")
    }
  }

  /// A server does not lead to files of this machine; a schedule of this machine does.
  @Test func serversNameNoFiles() {
    let stage = AdStage()
    for place in ["file:///etc/passwd", "data:text/plain,x", "gopher://h/"] {
      stage.files["http://ads/v"] = AdStage.vast(AdStage.ad("a", AdStage.file(place)))
      let pod = stage.pod("http://ads/v")
      #expect(pod.ads.isEmpty && pod.failures.count == 1, "\(pod)")
      stage.files["http://ads/w"] = AdStage.vast(AdStage.wrapper("w", place))
      #expect(stage.pod("http://ads/w").failures.map(\.code) == [.noAnswer])
    }
    stage.files["http://ads/v"] = AdStage.vast(AdStage.ad("a", AdStage.file("/etc/passwd")))
    #expect(stage.pod("http://ads/v").ads.first?.file.url == "http://ads/etc/passwd")
    stage.files["lists/v.xml"] = AdStage.vast(AdStage.ad("a", AdStage.file("a.mp4")))
    #expect(stage.pod("lists/v.xml").ads.first?.file.url == "lists/a.mp4")
  }

  /// Bytes that are flipped, cut and repeated neither stop the process nor take long.
  @Test func damagedAnswersAreRefused() {
    var random = SeededGenerator(for: "damagedAnswersAreRefused")
    let whole = Array(AdStage.vast(AdStage.ad("a"), AdStage.wrapper("w", "http://ads/x"), AdStage.ad("b")).utf8)
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(Int.random(in: bytes.indices, using: &random)...)
        case 2: bytes.insert(contentsOf: bytes.suffix(40), at: Int.random(in: bytes.indices, using: &random))
        default: bytes.remove(at: Int.random(in: bytes.indices, using: &random))
        }
        if bytes.count < 50 { bytes = whole }
      }
      let resolver = AdResolver { [bytes] (place, policy) throws(Failure) in
        AdDocument(bytes: bytes, base: AdBase(place, policy: policy))
      }
      let pod = resolver.pod(of: AdBreak(.start, .tag("http://ads/0")), from: AdBase("", policy: .named))
      #expect(pod.ads.count + pod.failures.count > 0, "seed \(random.seed)")
    }
  }

  @Test func greatAnswersAreRefused() {
    let stage = AdStage()
    let hostile: [(String, String)] = [
      (AdStage.vast(String(repeating: "<Ad>", count: 40) + String(repeating: "</Ad>", count: 40)), "nested"),
      (AdStage.vast(String(repeating: "<x/>", count: 30_000)), "elements"),
      (AdStage.vast("<Error>" + String(repeating: "a", count: 80_000) + "</Error>"), "too long"),
      (AdStage.vast(String(repeating: " ", count: 2 << 20)), "MiB"),
    ]
    for (text, words) in hostile {
      stage.files["http://ads/v"] = text
      let pod = stage.pod("http://ads/v")
      #expect(pod.failures.first?.failure.cause.contains(words) == true, "\(pod.failures)")
    }
    stage.files["http://ads/v"] = AdStage.vast(
      String(repeating: AdStage.ad("a", attributes: #"sequence="1""#), count: 90))
    #expect(stage.pod("http://ads/v").ads.count == 32)
  }
}
