import Foundation
import Support
import Testing

extension StreamCommandTests {
  /// Clips with ads by the program.
  @Suite(.tier(.test)) struct AdsTests {
    private static func run(_ folder: String, _ clip: String, _ options: [String]) throws -> (
      counters: [String: Int], gaps: [Double], warnings: [String]
    ) {
      let began = ContinuousClock.now
      let result = try Program.run(
        Program.shortRun(clip, scenario: "ads", seconds: 1) + ["--duration", "4", "-o", "record.json", "--force"]
          + options,
        in: folder)
      let milliseconds = (ContinuousClock.now - began) / .milliseconds(1)
      #expect(result.status == 0, "\(result.errors)")
      let record = try RecordText(file: folder + "/record.json")
      let gaps = record.samples("gap_ms")
      #expect(gaps.allSatisfy { $0 > -100 } && gaps.reduce(0, +) < milliseconds, "\(gaps)")
      let trial = try #require((record.scenarios.first?["trials"] as? [[String: Any]])?.first)
      let warnings = (record.values["warnings"] as? [[String: Any]] ?? []).filter {
        $0["code"] as? String == "ad_failed"
      }
      return (
        (trial["counters"] as? [String: Int]) ?? [:], gaps, warnings.compactMap { $0["text"] as? String }
      )
    }

    /// Into each ad and out of it; every frame of the clip and of the ads is shown or counted, each once, and is the right one.
    @Test func gapsAreMeasured() throws {
      try Program.withClip { folder, clip in
        let found = try Self.run(folder, clip, [])
        #expect(found.gaps.count == 4, "\(found.gaps)")
        let counters = found.counters
        #expect(counters["ads_played"] == 3 && counters["ads_failed"] ?? 0 == 0 && counters["wrong_frame"] == 0)
        #expect((counters["presented"] ?? 0) + (counters["dropped"] ?? 0) >= 40, "\(counters)")
      }
    }

    /// An ad that plays, and three that do not: the clip goes on, each is told with its reason, and the servers are.
    @Test func failuresAreLeftOutAndTold() throws {
      try Program.withClip { folder, clip in
        try Program.generate("ad.mp4", in: folder, ["--projection", "flat", "--size", "320x160", "--duration", "1"])
        let file = [UInt8](try Data(contentsOf: URL(filePath: folder + "/ad.mp4")))
        let server = try ScriptedServer { request, connection in
          switch request.path {
          case "/ad.mp4": return connection.serve(file, request, ["ETag: \"a\""])
          case "/hangs":
            connection.waitForEnd()
            return false
          default: return connection.respond("404 Not Found", [], body: [])
          }
        }
        func pause(_ place: String, _ source: String) -> String {
          "<AdBreak timeOffset=\"\(place)\"><AdSource>\(source)</AdSource></AdBreak>"
        }
        func ad(_ name: String, _ file: String) -> String {
          """
          <VASTAdData><VAST version="3.0"><Ad id="\(name)"><InLine><AdTitle>\(name)</AdTitle>
          <Impression>\(server.url("/seen/" + name))</Impression><Error>\(server.url("/error/" + name))?c=[ERRORCODE]</Error>
          <Creatives><Creative><Linear><TrackingEvents>
          <Tracking event="start">\(server.url("/start"))</Tracking><Tracking event="midpoint">\(server.url("/half"))</Tracking>
          <Tracking event="complete">\(server.url("/end"))</Tracking></TrackingEvents><MediaFiles>\(file)</MediaFiles>
          </Linear></Creative></Creatives></InLine></Ad></VAST></VASTAdData>
          """
        }
        let played = ad("good", "<MediaFile type=\"video/mp4\">\(server.url("/ad.mp4"))</MediaFile>")
        let program = ad(
          "program", "<MediaFile type=\"application/javascript\" apiFramework=\"VPAID\">x.js</MediaFile>")
        let gone = ad("gone", "<MediaFile type=\"video/mp4\">\(server.url("/gone.mp4"))</MediaFile>")
        let schedule =
          "<VMAP version=\"1.0\">" + pause("start", played) + pause("20%", program) + pause("90%", gone)
          + pause("end", "<AdTagURI>\(server.url("/hangs"))</AdTagURI>") + "</VMAP>"
        try Data(schedule.utf8).write(to: URL(filePath: folder + "/ads.xml"))
        let found = try Self.run(folder, clip, ["--ads", "ads.xml"])
        #expect(found.counters["ads_played"] == 1 && found.counters["ads_failed"] == 3, "\(found.counters)")
        #expect(found.counters["wrong_frame"] == 0 && found.gaps.count == 3, "\(found.gaps)")
        for words in ["VPAID", "404", "/hangs"] {
          #expect(found.warnings.contains { $0.contains(words) }, "\(found.warnings)")
        }
        let told = server.requests.map(\.path)
        for path in ["/seen/good", "/start", "/half", "/end", "/error/program?c=901", "/error/gone?c=401"] {
          #expect(told.count { $0 == path } == 1, "\(path): \(told)")
        }
        #expect(!told.contains("/seen/gone") && !told.contains { $0.hasPrefix("/error/good") })
      }
    }

    @Test(arguments: [
      ("none.xml", nil, "cannot read the ads 'none.xml'"), ("ads.xml", "<html/>", "its root is <html>, not <VAST>"),
      ("ads.xml", "no", "cannot read the ads 'ads.xml': it is not XML"),
    ])
    func schedulesThatAreNoneAreRefused(name: String, text: String?, sentence: String) throws {
      try Program.withClip { folder, clip in
        if let text { try Data(text.utf8).write(to: URL(filePath: folder + "/" + name)) }
        let result = try Program.run(
          Program.shortRun(clip, scenario: "ads", seconds: 1) + ["--ads", name, "-o", "record.json"], in: folder)
        #expect(result.status != 0 && result.errors.contains(sentence), "\(result)")
      }
    }
  }
}
