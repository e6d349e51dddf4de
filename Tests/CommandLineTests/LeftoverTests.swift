import Foundation
import Glibc
import Support
import Testing

/// What the commands of `ab` leave running: all of it ends with their run, and nothing else does.
extension CommandLineTests.ABTests {
  /// A process that still does something; a zombie has no command line.
  private static func isRunning(_ file: String) throws -> Bool {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let id = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    return (try? Data(contentsOf: URL(filePath: "/proc/\(id)/cmdline")).isEmpty) == false
  }

  /// A daemon has neither its parent, nor its session, nor its environment in common with the command that started it.
  @Test func aDaemonWithoutAnEnvironmentEndsWithItsRun() throws {
    try Self.withSide { folder in
      let daemon = """
        rm -f daemon; (env -i /usr/bin/setsid /bin/sh -c '/bin/sh -c "echo \\$\\$ > daemon; exec /bin/sleep 600" &' &); \
        while [ ! -s daemon ]; do sleep 0.01; done; cp daemon seen; \(Self.head)
        """
      let result = try Self.ab(folder, head: daemon, ["--runs", "2", "--timeout", "20"])
      #expect(result.status == 8, "\(result.errors)")
      #expect(try !Self.isRunning(folder + "/seen"))
    }
  }

  /// A shell that is replaced by the program leaves its children to it; others share its parent.
  @Test func childrenFromBeforeAndSiblingsStay() throws {
    try Self.withSide { folder in
      let program = TestFolders.program
      // Foundation waits until each descendant that inherited its descriptors has closed them.
      let script = """
        for place in /proc/self/fd/*; do number=${place##*/}; [ "$number" -lt 3 ] || eval "exec $number>&-"; done
        sleep 600 & echo $! > sibling
        sh -c 'sleep 600 & echo $! > child; exec "\(program)" ab --base "$1" --head "$2" --runs 2' sh "\(Self.base)" "\(Self.head)"
        echo $? > status
        """
      let environment = Program.home(folder).merging(["TMPDIR": folder + "/tmp"]) { $1 }
      _ = try CommandOutput.of(
        "/bin/bash", ["-c", "(\(script)) > out 2> errors < /dev/null"], environment: environment, folder: folder)
      let status = try String(contentsOfFile: folder + "/status", encoding: .utf8)
      let errors = try String(contentsOfFile: folder + "/errors", encoding: .utf8)
      #expect(status == "8\n", "\(errors)")
      for name in ["sibling", "child"] {
        #expect(try Self.isRunning(folder + "/" + name), "\(name) was ended")
        let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        if let id = pid_t(text.trimmingCharacters(in: .newlines)) { kill(id, SIGKILL) }
      }
    }
  }

  /// Orphans that end by themselves are waited for while their command runs: else a long one could gather thousands of zombies.
  @Test func endedOrphansAreWaitedForMeanwhile() throws {
    try Self.withSide { folder in
      let orphans = """
        for number in 1 2 3 4 5; do (sh -c 'exit 0' &); done; looks=0; \
        until [ "$(cat /proc/$PPID/task/*/children | wc -w)" = 1 ]; do \
          looks=$((looks + 1)); [ $looks -lt 500 ] || exit 9; sleep 0.01; \
        done; \(Self.head)
        """
      let result = try Self.ab(folder, head: orphans, ["--runs", "2"])
      #expect(result.status == 8, "\(result.errors)")
    }
  }

  /// 50 runs that each leave an orphan, which ends by itself: the command looks at its parent.
  @Test func noZombieAndNoDescriptorIsLeft() throws {
    try Self.withSide { folder in
      let look = """
        ls /proc/$PPID/fd | wc -l >> descriptors; cat /proc/$PPID/task/*/children | wc -w >> children; \
        (sh -c 'exit 0' &);
        """
      let result = try Self.ab(
        folder, base: look + Self.base, head: look + Self.head, ["--runs", "24", "--all-runs"])
      #expect(result.status == 8 || result.status == 0, "\(result.errors)")
      func numbers(_ name: String) throws -> [Int] {
        try String(contentsOfFile: folder + "/" + name, encoding: .utf8).split(separator: "\n").compactMap {
          Int($0.trimmingCharacters(in: .whitespaces))
        }
      }
      let (descriptors, children) = try (numbers("descriptors"), numbers("children"))
      #expect(descriptors.count == 50 && children.count == 50)
      #expect(Set(children) == [1], "only the shell: \(children)")
      #expect(Set(descriptors.dropFirst(2)).count == 1, "\(descriptors)")
    }
  }
}
