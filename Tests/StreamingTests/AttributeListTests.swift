import Testing

import Streaming

@Suite struct AttributeListTests {
  private static func list(_ text: String) throws -> AttributeList {
    try AttributeList(Array(text.utf8)[...], tag: .media, line: 5)
  }

  @Test func valuesOfEachKindAreRead() throws {
    let list = try Self.list("A=\"x,y=z\", B=12,C=0x00ff , D=640x360,E=1.5,F=-2,G=\"\",H=YES,I=no")
    let scope = PlaylistScope(try Playlists.address())
    #expect(try list.text("A", scope) == "x,y=z")
    #expect(try list.integer("B") == 12)
    #expect(try list.vector("C") == InitializationVector(high: 0, low: 255))
    #expect(try list.resolution("D").map { [$0.width, $0.height] } == [640, 360])
    #expect(try list.seconds("E") == .milliseconds(1_500))
    #expect(try list.signedSeconds("F") == .milliseconds(-2_000))
    #expect(try list.text("G", scope) == nil)
    #expect(list.isYes("H") && !list.isYes("I") && !list.isYes("J"))
    #expect(try list.integer("J") == nil)
  }

  @Test(arguments: ["A", "A,B=1", "=1", "A=\"x", "A=1,B=\"", "A=1,,=2"])
  func brokenListsAreRefused(text: String) {
    #expect(throws: ManifestFlaw.self) { try Self.list(text) }
  }

  @Test(arguments: ["640", "x", "640x", "-1x5", "640x360x1", "99999999x1"])
  func brokenSizesAreRefused(text: String) throws {
    let list = try Self.list("D=\(text)")
    #expect(throws: ManifestFlaw.self) { try list.resolution("D") }
  }

  @Test func attributesAreLimited() {
    let many = (0...ManifestLimits.attributeCount).map { "A\($0)=1" }.joined(separator: ",")
    #expect(throws: ManifestFlaw.self) { try Self.list(many) }
  }
}
