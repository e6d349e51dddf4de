import Bench360Player
import Foundation
import Frames
import Support
import Testing

extension PlayerTests {
  /// Clips with ads: what is shown, and what is told of it.
  @Suite struct PlayerAdsTests {
    /// A clip of 2 s, and ads of half a second.
    private static func withAds(
      _ breaks: [(place: String, ads: [String])], refresh: Double = 60, _ body: (Player) async throws -> Void
    ) async throws {
      try await TestFolders.withTemporary { folder in
        let schedule = folder + "/ads.xml"
        try Data(AdText.vmap(breaks).utf8).write(to: URL(filePath: schedule))
        let player = try PlayerSupport.player(try PlayerSupport.clip(), refresh: refresh) { $0.ads = schedule }
        try await body(player)
      }
    }

    private static func ad(_ number: Int = 1, skips: String? = nil, told: String? = nil) throws -> String {
      AdText.ad(try PlayerSupport.clip(frames: 15), number: number, skips: skips, told: told)
    }

    /// Before it, within it and after it: each ad in its turn, and the clip, which stands meanwhile.
    @Test func adsTakeThePlaceOfTheClip() async throws {
      let ad = try Self.ad()
      try await Self.withAds([("start", [ad, try Self.ad(2)]), ("50%", [ad]), ("end", [ad])]) { player in
        let (events, lines) = (PlayerTests.collect(player.events), PlayerTests.collect(player.analytics()))
        player.play()
        var states: [Player.State] = []
        let hasEnded = Patience.until {
          states.append(player.state)
          return player.state.status == .ended
        }
        #expect(hasEnded)
        let ended = player.state
        #expect(ended.ad == nil && ended.position.seconds > 1.9, "\(ended)")
        let counts = ended.counts
        #expect(counts.presented + counts.dropped + counts.skipped == 60, "of the clip alone: \(counts)")
        events.cancel()
        let ads: [Int?] = await events.value.compactMap { if case .ad(let ad) = $0 { .some(ad?.number) } else { nil } }
        #expect(ads.compactMap(\.self) == [1, 2, 1, 1] && ads.last == .some(nil), "\(ads)")
        lines.cancel()
        let told = await lines.value.filter { $0.contains("\"event\":\"ad_") }
        let ends = told.filter { $0.contains("\"outcome\":\"played\"") }
        #expect(
          told.count == 8 && ends.count == 4 && told[0].contains("ad_begin") && told[0].contains("\"ad\":1"), "\(told)")
        // In an ad within the clip it stands where the break is, or where a busy machine's next refresh was: frames of 30 a second that
        // lie between them are not shown.
        let within = states.filter { $0.ad != nil && $0.position > .zero && $0.position.seconds < 1.9 }
        let places = Set(within.map(\.position.seconds))
        let late = Double(counts.dropped + counts.skipped) / 30
        #expect(places.count == 1 && places.allSatisfy { $0 > 0.95 && $0 < 1.05 + late }, "\(places), \(counts)")
        #expect(within.allSatisfy { $0.isPlaying && $0.ad?.title == "Ad 1" && $0.ad?.duration?.seconds == 0.5 })
      }
    }

    /// Pause, sound and skipping are for the ad; the clip cannot be sought in.
    @Test func anAdIsPausedAndSkipped() async throws {
      let server = try ScriptedServer { _, connection in connection.respond("200 OK", [], body: []) }
      let ad = AdText.ad(try PlayerSupport.clip(frames: 900), skips: "00:00:00", told: server.url(""))
      try await Self.withAds([("start", [ad])]) { player in
        player.play()
        #expect(Patience.until { player.state.ad?.position.seconds ?? 0 > 0.2 })
        player.pause()
        player.isMuted = true
        #expect(Patience.until { player.state.status == .paused })
        let paused = player.state
        #expect(!paused.isPlaying && paused.position == .zero && paused.ad?.secondsToSkip == 0, "\(paused)")
        #expect(await player.sought(to: MediaTime(seconds: 1)) == .missed)
        let refusal: String
        do {
          _ = try await player.image(at: .zero)
          refusal = ""
        } catch {
          refusal = "\(error)"
        }
        #expect(refusal.contains("an ad is shown"))
        player.play()
        #expect(Patience.until { player.state.isPlaying && player.state.ad != nil })
        player.skipAd()
        #expect(Patience.until { player.state.ad == nil && player.state.position > .zero })
        let told: Set = ["/start", "/pause", "/mute", "/resume", "/skip"]
        #expect(Patience.until { Set(server.requests.map(\.path)).isSuperset(of: told) })
        #expect(!server.requests.contains { $0.path == "/complete" })
      }
    }

    /// A clip that is not played shows its first picture, and no ad.
    @Test func adsWaitUntilTheClipPlays() async throws {
      try await Self.withAds([("start", [try Self.ad()])]) { player in
        _ = await player.state { $0.status == .ready }
        let number = try await player.image(at: MediaTime(seconds: 1.51)).number()
        #expect(number == 45)
        #expect(player.state.ad == nil)
        player.play()
        #expect(Patience.until { player.state.ad != nil })
        #expect(Patience.until { player.state.ad == nil })
        #expect(player.state.position.seconds >= 1.4, "it goes on where it was")
      }
    }

    /// Ads that cannot be opened, that hold no pictures, and a schedule that is none: told, and the clip plays.
    @Test func failuresLeaveTheClip() async throws {
      try await TestFolders.withTemporary { folder in try await Self.failures(in: folder) }
    }

    private static func failures(in folder: String) async throws {
      try Data("no pictures".utf8).write(to: URL(filePath: folder + "/broken.mp4"))
      let ads = [AdText.ad("/nowhere/ad.mp4"), AdText.ad(folder + "/broken.mp4", number: 2), try Self.ad(3)]
      try await Self.withAds([("start", ads)]) { player in
        let events = PlayerTests.collect(player.events)
        player.play()
        #expect(await player.state { $0.status == .ended }.counts.presented > 0)
        events.cancel()
        let told = await events.value
        let troubles = told.compactMap { if case .trouble(let failure) = $0 { failure.description } else { nil } }
        #expect(
          troubles.count == 2 && troubles[0].contains("/nowhere/ad.mp4") && troubles[1].contains("broken"),
          "\(troubles)")
        #expect(
          told.contains { if case .ad(let ad) = $0 { ad?.number == 1 && ad?.title == "Ad 3" } else { false } },
          "\(told)")
      }
      let player = try PlayerSupport.player(try PlayerSupport.clip(frames: 30)) { $0.ads = folder + "/broken.mp4" }
      let events = PlayerTests.collect(player.events)
      player.play()
      #expect(await player.state { $0.status == .ended }.counts.presented > 0)
      events.cancel()
      #expect(
        await events.value.contains {
          if case .trouble(let failure) = $0 { failure.description.contains("ads") } else { false }
        })
    }
  }
}
