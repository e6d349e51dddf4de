import Foundation

/// The list of real clips, where there is one.
public enum MediaIndex {
  public struct Clip: Sendable {
    /// Below the folder of clips.
    public var name: String
    public var byteCount: Int
    /// `1-equirect360`, and so on.
    public var category: String
  }

  /// Nothing where BENCH360_MEDIA names no folder.
  public static let clips: [Clip] = {
    guard let media = TestFolders.media,
      let index = try? String(contentsOfFile: media + "/INDEX.tsv", encoding: .utf8)
    else { return [] }
    return index.split(separator: "\n").dropFirst().compactMap { line in
      let row = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard row.count > 14, let byteCount = Int(row[1]) else { return nil }
      return Clip(name: String(row[0]), byteCount: byteCount, category: String(row[14]))
    }
  }()

  /// One in ten clips of each category: what `make test` reads where the full tier reads all.
  public static let sample: [Clip] = Dictionary(grouping: clips, by: \.category).sorted { $0.key < $1.key }
    .flatMap { $0.value.sample(oneIn: 10) }
}
