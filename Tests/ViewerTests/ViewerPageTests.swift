import Foundation
import Support
import Testing
import Viewer

/// `Docs/Viewer.md` has the keys and settings of the tables.
@Suite struct ViewerPageTests {
  private static func rows(below heading: String) throws -> [[String]] {
    let page = try String(contentsOfFile: TestFolders.repository + "/Docs/Viewer.md", encoding: .utf8)
    let section = page.components(separatedBy: "## \(heading)\n").dropFirst().first ?? ""
    let lines = (section.components(separatedBy: "\n## ").first ?? "").split(separator: "\n")
    return lines.filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private static func quoted(_ text: String) throws -> [String] {
    text.matches(of: try Regex("`([^`]+)`", as: (Substring, Substring).self)).map { String($0.1) }
  }

  @Test func keysOfThePageAreBound() throws {
    let rows = try Self.rows(below: "Controls")
    #expect(rows.count > 15)
    let bindings = KeyBindings()
    var named: Set<ViewerAction> = []
    for row in rows {
      for key in try Self.quoted(row[0]) {
        let stroke = try #require(KeyStroke(key == "+" ? "shift+=" : key), "\(key)")
        let action = try #require(bindings[stroke], "'\(key)' of the page has no action")
        named.insert(action)
      }
    }
    for action in [ViewerAction.quit, .open, .fill, .fullscreen, .mini, .abLoop, .chapter(1), .turn(.rollLeft)] {
      #expect(named.contains(action), "the page does not name \(action)")
    }
  }

  @Test func settingsOfThePageAreTheTable() throws {
    let rows = try Self.rows(below: "Settings")
    #expect(try rows.map { try Self.quoted($0[0]) } == ViewerSettings.table.map { [$0.name] })
    for (row, setting) in zip(rows, ViewerSettings.table) {
      #expect(row[3].replacing("`", with: "").hasPrefix(setting.help), "\(setting.name)")
    }
  }
}
