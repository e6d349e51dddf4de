import Foundation
import Synchronization

/// The command lines of the processes that the program under test has started, as far as they were looked at. Any thread.
public final class CommandLines: Sendable {
  private let lines = Mutex(Set<String>())

  public init() {}

  public var found: Set<String> { lines.withLock { $0 } }

  /// Looks at the ones that run now.
  public func look() {
    let files = FileManager.default
    let numbers = (try? files.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil } ?? []
    func isProgram(_ number: String) -> Bool {
      (try? files.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe")) == TestFolders.program
    }
    for number in numbers where isProgram(number) {
      guard let status = files.contents(atPath: "/proc/\(number)/status"),
        let parent = String(decoding: status, as: UTF8.self).split(separator: "\n").first(where: {
          $0.hasPrefix("PPid:")
        }),
        let name = parent.split(separator: "\t").last, isProgram(String(name)),
        let line = files.contents(atPath: "/proc/\(number)/cmdline")
      else { continue }
      lines.withLock { _ = $0.insert(String(decoding: line, as: UTF8.self).replacing("\0", with: " ")) }
    }
  }
}
