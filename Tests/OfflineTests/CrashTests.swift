import Encode
import Foundation
import Frames
import Media
import Origin
import Support
import Testing

import Offline

/// A process that ends in any step leaves nothing that looks whole and is not, and the next one goes on from there.
@Suite(.tier(.test)) struct CrashTests {
  /// Requests so far, and their bytes by path: of segments and other media, without playlists and manifests.
  private static func media(_ origin: Origin) -> [String: Int64] {
    var bytes: [String: Int64] = [:]
    for request in origin.log where !request.path.hasSuffix(".m3u8") && !request.path.hasSuffix(".mpd") {
      bytes[request.path, default: 0] += Int64(request.bytes)
    }
    return bytes
  }

  /// What lies in a library after an end is whole only if every byte is there.
  private static func check(_ folder: String, _ note: String) throws {
    for found in try Downloads(folder).list() where found.isWhole {
      #expect(try Downloads(folder).verify(found).isEmpty, "\(note)")
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where !name.hasSuffix(".part") {
      #expect(try Downloads(folder).list().contains { $0.name == name && $0.isWhole }, "\(note): '\(name)'")
    }
  }

  private static func run(_ url: String, _ folder: String, _ disk: CrashingDisk) throws -> KeptDownload? {
    var options = DownloadOptions()
    options.wish.rung = .lowest
    do {
      return try Download(url, into: folder, options, interruption: Interruption(), disk: disk).run()
    } catch {
      #expect(error.cause == CrashingDisk.cause, "\(error)")
      return nil
    }
  }

  /// Ends in each step of a stream's download, one after the other, and goes on: whole files are not loaded again.
  @Test(arguments: [LadderIndex.Presentation.Kind.hlsFMP4, .dash])
  func everyStepMayBeTheLast(kind: LadderIndex.Presentation.Kind) throws {
    let ladder = try OfflineStage.shortLadder(kind == .hlsFMP4 ? .aes128(rotation: 1) : nil)
    let file = OfflineStage.file(kind, of: ladder)
    let whole = CrashingDisk(after: .max)
    try Self.inFolder(ladder.folder) { folder, origin in
      let made = try Self.run(origin.url + file, folder, whole)
      #expect(made != nil)
    }
    #expect(whole.steps > 30)
    for steps in 0..<whole.steps {
      try Self.inFolder(ladder.folder) { folder, origin in
        let ended = try Self.run(origin.url + file, folder, CrashingDisk(after: steps, share: 0.5))
        // The network's pieces are those of the moment: with fewer it may have reached the end.
        #expect(ended == nil || steps > whole.steps / 2, "step \(steps)")
        try Self.check(folder, "step \(steps)")
        let made = try Self.run(origin.url + file, folder, CrashingDisk(after: .max))
        #expect(made?.isWhole == true, "step \(steps)")
        try Self.check(folder, "step \(steps)")
        // At most the file under way comes twice.
        let again = Self.media(origin).filter { path, bytes in
          (FileManager.default.contents(atPath: ladder.folder + path)?.count).map { bytes > Int64($0) } ?? false
        }
        #expect(again.count <= 1, "step \(steps): \(again)")
      }
    }
  }

  /// One file, whose server tells its version: no byte comes twice.
  @Test func aFileGoesOnWhereItEnded() throws {
    let clip = try SharedClips.file("offline-clip.mp4") { path in
      try Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }).write(to: URL(filePath: path))
    }
    let site = URL(filePath: clip).deletingLastPathComponent().path
    var generator = SeededGenerator(for: "a file goes on where it ended")
    let whole = CrashingDisk(after: .max)
    try Self.inFolder(site) { folder, origin in
      let made = try Self.run(origin.url + "offline-clip.mp4", folder, whole)
      #expect(made != nil)
    }
    for steps in Set((0..<whole.steps).shuffled(using: &generator).prefix(10)) {
      try Self.inFolder(site) { folder, origin in
        let share = Double.random(in: 0...1, using: &generator)
        let disk = CrashingDisk(after: steps, share: share)
        if try Self.run(origin.url + "offline-clip.mp4", folder, disk) == nil {
          try Self.check(folder, "step \(steps)")
          let made = try Self.run(origin.url + "offline-clip.mp4", folder, CrashingDisk(after: .max))
          #expect(made?.isWhole == true)
        }
        try Self.check(folder, "step \(steps)")
        let made = try #require(try Downloads(folder).list().first)
        #expect(FileManager.default.contentsEqual(atPath: try #require(made.path), andPath: clip), "step \(steps)")
      }
    }
  }

  /// 1,000 ends by chance with `BENCH360_KILLS=1000`.
  @Test func endsByChance() throws {
    let ladder = try OfflineStage.ladder()
    var generator = SeededGenerator(for: "ends by chance")
    let wanted = ProofSize.count("BENCH360_KILLS", usual: Tier.selected == .full ? 60 : 20)
    let largest = ladder.index.bytes.flatMap { $0 }.max() ?? 0
    var (ends, again) = (0, Int64(0))
    while ends < wanted {
      let kind = [LadderIndex.Presentation.Kind.hlsFMP4, .hlsTS, .dash].randomElement(using: &generator) ?? .dash
      try Self.inFolder(ladder.folder) { folder, origin in
        let url = origin.url + OfflineStage.file(kind, of: ladder)
        var own = 0
        while true {
          let disk = CrashingDisk(
            after: Int.random(in: 0...60, using: &generator), share: Double.random(in: 0...1, using: &generator))
          let made = try Self.run(url, folder, disk)
          try Self.check(folder, "end \(ends)")
          if made != nil { break }
          own += 1
        }
        let twice = Self.media(origin).reduce(Int64(0)) { sum, entry in
          sum + max(0, entry.value - Int64(FileManager.default.contents(atPath: ladder.folder + entry.key)?.count ?? 0))
        }
        #expect(twice <= Int64(own) * Int64(largest), "\(twice) bytes twice in \(own) ends")
        (ends, again) = (ends + own, again + twice)
      }
    }
    print("kills|\(ends)|\(again)|\(largest)")
  }

  private static func inFolder(_ site: String, _ body: (String, Origin) throws -> Void) throws {
    try TestFolders.withTemporary { folder in
      let origin = try Origin.start(site)
      try body(folder + "/library", origin)
      try origin.stop()
    }
  }
}
