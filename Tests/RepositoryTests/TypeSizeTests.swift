import Testing

/// A type that holds much does much: what belongs together has a name of its own.
@Suite struct TypeSizeTests {
  private static let limit = 15

  @Test func noTypeHoldsMoreThan15Properties() throws {
    var count = 0
    for file in try Repository.swiftFiles(below: "Sources") where !file.hasSuffix(".generated.swift") {
      for (type, names) in StoredProperties(try Repository.text(file)).names {
        count += names.count
        #expect(names.count <= Self.limit, "\(type) in \(file) holds \(names.count): \(names.joined(separator: ", "))")
      }
    }
    #expect(count > 1500, "\(count) properties in all: most of them are not seen")
  }

  @Test(arguments: [
    ("struct A { let a = 1; var b: Int }", ["A": ["a", "b"]]),
    ("final class A {\n  var (a, b) = (1, 2)\n  let c: Int, d: [String: (Int, Int)]\n}", ["A": ["a", "b", "c", "d"]]),
    ("actor A { private(set) weak var a: B?\n  nonisolated let c: B\n}", ["A": ["a", "c"]]),
    (
      "struct Command {\n  @Option(name: [.short, .long], help: \"a {\\(b(\"}\"))\")\n  var a: String?\n  @Flag var b = false\n"
        + "  @OptionGroup(title: \"T\")\n  var c: C\n}", ["Command": ["a", "b", "c"]]
    ),
    (
      "struct A {\n  static let a = 1\n  private static var b: Int { 1 }\n  class var c = 1\n  var d: Int { 2 }\n  var e: Int\n  {\n"
        + "    get { 1 }\n  }\n  var f = 1 { didSet { g() } }\n  var h: Int { willSet { g() } }\n}", ["A": ["f", "h"]]
    ),
    (
      "struct A {\n  let a: () -> Void = { let b = 1; _ = b }\n  func c() { var d = 1\n    if let e = f() { var g = 1 } }\n"
        + "  lazy var h: Int = {\n    let i = 1\n    return i\n  }()\n  let j: Dictionary<Int, Set<Int>>\n  let k: Int\n}",
      ["A": ["a", "h", "j", "k"]]
    ),
    (
      "struct A {\n  struct B { let a: Int }\n  // let b: Int\n  /* let c /* { */ : Int */\n  let d = \"\"\"\n    let e = {\n    \"\"\"\n}\n"
        + "extension A.B { class C { var f: Int? } }\nprotocol P { var g: Int { get } }\nenum E { case h(i: Int) }",
      ["A": ["d"], "A.B": ["a"], "A.B.C": ["f"]]
    ),
  ])
  func storedPropertiesAreCounted(source: String, properties: [String: [String]]) {
    #expect(StoredProperties(source).names == properties)
  }
}
