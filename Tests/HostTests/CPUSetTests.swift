import Foundation
import Frames
import Host
import Testing

@Suite struct CPUSetTests {
  @Test(arguments: [
    ("0", [0], "0"), ("0-3,6", [0, 1, 2, 3, 6], "0-3,6"), ("6,0,1", [0, 1, 6], "0-1,6"), ("2-2", [2], "2"),
    ("0-1,1-2,2", [0, 1, 2], "0-2"), ("1023", [1023], "1023"),
  ])
  func listsAreRead(text: String, cpus: [Int], description: String) throws {
    let set = try #require(CPUSet(text))
    #expect(set.cpus == cpus && set.description == description)
    #expect(try JSONDecoder().decode(CPUSet.self, from: JSONEncoder().encode(set)) == set)
  }

  @Test(arguments: [
    "", ",", "0,", "-", "-1", "1-", "3-1", "0-1-2", "a", "0 1", "+1", "1024", "0-99999999999999999999", "٣",
  ])
  func anythingElseIsRefused(text: String) {
    #expect(CPUSet(text) == nil)
  }

  @Test func aMissingProcessorIsNamedWithThoseThereAre() throws {
    let allowed = try #require(CPUSet("0-3,6"))
    #expect(throws: Never.self) { try CPUSet("1,6")?.check(against: allowed) }
    let failure = #expect(throws: Failure.self) { try CPUSet("2-5")?.check(against: allowed) }
    #expect(failure?.kind == .usage)
    #expect(failure?.description == "cannot pin to CPU 4: this process has none of that number — there are 0-3,6")
  }

  /// On a thread of its own, for it concerns the calling thread.
  @Test func pinningHoldsForTheThreadAndWhatItStarts() async throws {
    let allowed = try #require(CPUSet.allowed)
    let last = try #require(CPUSet(allowed.cpus.suffix(1)))
    let seen = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        guard (try? last.pin()) != nil else { return continuation.resume(returning: ("", nil as CPUSet?)) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/bin/grep")
        process.arguments = ["Cpus_allowed_list", "/proc/self/status"]
        process.standardOutput = output
        guard (try? process.run()) != nil else { return continuation.resume(returning: ("", nil)) }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        continuation.resume(returning: (text, CPUSet.allowed))
      }
    }
    #expect(seen.1 == last && seen.0.split(whereSeparator: \.isWhitespace).last == "\(last)")
    #expect(CPUSet.allowed == allowed, "other threads keep theirs")
  }
}
