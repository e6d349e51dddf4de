import Foundation
import Support
import Testing

/// Job files for clusters: what they call, with what, and that they are what the schedulers read.
@Suite struct JobFileTests {
  private static let slurm = TestFolders.repository + "/Packaging/slurm"
  private static let hasShellCheck = (try? CommandOutput.of("shellcheck", ["--version"]).status) == 0
  private static let isStrict = ProcessInfo.processInfo.environment["CI"] == "true"

  @Test(arguments: ["bench360.sbatch", "try"])
  func scriptsAreSound(name: String) throws {
    let path = Self.slurm + "/" + name
    #expect(try CommandOutput.of("bash", ["-n", path]).status == 0)
    if name == "try" { #expect(FileManager.default.isExecutableFile(atPath: path)) }
    guard Self.hasShellCheck else { return }
    let result = try CommandOutput.of("shellcheck", [path])
    #expect(result.status == 0, "\(result.text)")
  }

  /// Runs the job file as a task of an array would be, with a stand-in for the program.
  private static func task(_ environment: [String: String], _ script: String) throws -> CommandOutput {
    try TestFolders.withTemporary { folder in
      try StandIn.write(script, to: folder + "/bench360")
      let all = ["BENCH360": folder + "/bench360", "SHARDS": "", "LABEL": ""].merging(environment) { $1 }
      // Threads of tests block signals, and a child inherits that: env unblocks them.
      return try CommandOutput.of(
        "/usr/bin/env", ["--default-signal=TERM", "bash", slurm + "/bench360.sbatch"], environment: all, folder: folder)
    }
  }

  @Test func theTaskMeasuresItsShardOfAsManyAsTheArrayHas() throws {
    let task = [
      "MATRIX": "my matrix.json", "RECORDS": "all records", "SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MAX": "7",
    ]
    let print = #"for word in "$@"; do echo "[$word]"; done; exit 3"#
    func words(_ more: [String: String]) throws -> (Int32, [Substring]) {
      let result = try Self.task(task.merging(more) { $1 }, print)
      return (result.status, result.text.split(separator: "\n"))
    }
    let common: [Substring] = ["[run]", "[--matrix]", "[my matrix.json]", "[--shard]"]
    let (status, plain) = try words([:])
    #expect(status == 3 && plain == common + ["[3/8]", "[--output]", "[all records/shard-3]"], "\(plain)")
    let (_, told) = try words(["SHARDS": "12", "LABEL": "my driver"])
    #expect(told == common + ["[3/12]", "[--output]", "[all records/shard-3]", "[--label]", "[my driver]"], "\(told)")
  }

  @Test(arguments: [
    ("MATRIX", "name the matrix"), ("RECORDS", "name a folder"), ("SLURM_ARRAY_TASK_ID", "--array=0-7"),
  ])
  func whatIsMissingIsSaid(name: String, words: String) throws {
    var task = ["MATRIX": "m", "RECORDS": "r", "SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MAX": "7"]
    task[name] = ""
    let result = try Self.task(task, "echo measured")
    #expect(result.status != 0 && result.output.isEmpty && result.errors.contains(words), "\(result.errors)")
  }

  /// Slurm signals the script: the program hears it once, and its own status is the task's.
  @Test func aPoliteSignalIsPassedOnAndWaitedFor() throws {
    let script = """
      trap 'echo heard; exit 130' TERM
      kill -TERM "$PPID"
      for _ in {1..100}; do sleep 0.1; done
      echo "no signal came"
      """
    let result = try Self.task(
      ["MATRIX": "m", "RECORDS": "r", "SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MAX": "0"], script)
    #expect(result.status == 130 && result.text == "heard\n", "\(result.status) \(result.text) \(result.errors)")
  }

  @Test func theArrayCountsFromZeroAndCanBeRequeued() throws {
    let lines = try Repository.lines("Packaging/slurm/bench360.sbatch")
    for line in ["#SBATCH --array=0-7", "#SBATCH --requeue", "#SBATCH --signal=B:TERM@60", "##SBATCH --gres=gpu:1"] {
      #expect(lines.contains(Substring(line)))
    }
  }

  @Test(.enabled("no python3 can import yaml") { PythonJudge.hasYAML || isStrict })
  func theKubernetesJobSaysWhatMatters() throws {
    let script = #"""
      import re, sys, yaml
      text = open(sys.argv[1]).read()
      [job] = list(yaml.safe_load_all(text))
      def need(what, is_so):
        if not is_so: print(what)
      spec = job["spec"]
      pod = spec["template"]["spec"]
      [container] = pod["containers"]
      env = {e["name"]: e["value"] for e in container["env"]}
      need("kind", (job["apiVersion"], job["kind"]) == ("batch/v1", "Job"))
      need("indexed", spec["completionMode"] == "Indexed" and spec["parallelism"] <= spec["completions"])
      need("shards", env["SHARDS"] == str(spec["completions"]))
      need("texts", all(isinstance(v, str) for v in env.values()))
      need("capabilities", {"graphics", "compute", "utility", "video"} == set(env["NVIDIA_DRIVER_CAPABILITIES"].split(",")))
      need("restart", pod["restartPolicy"] in ("Never", "OnFailure"))
      [shell, dash, call] = container["command"]
      need("call", (shell, dash) == ("/bin/sh", "-c") and call.startswith("exec /program/bin/bench360 run --matrix "))
      need("one line", "\n" not in call.strip())
      need("index", '--shard "$JOB_COMPLETION_INDEX/$SHARDS"' in call)
      need("a folder a shard", '--output "/records/shard-$JOB_COMPLETION_INDEX"' in call)
      mounts = {m["name"]: m for m in container["volumeMounts"]}
      volumes = {v["name"]: v for v in pod["volumes"]}
      need("volumes", set(mounts) == set(volumes))
      need("claims", all("persistentVolumeClaim" in volumes[n] for n in ("program", "clips", "records")))
      need("written", not mounts["records"].get("readOnly") and not volumes["records"]["persistentVolumeClaim"].get("readOnly"))
      need("read", all(mounts[n]["readOnly"] for n in ("program", "clips", "matrix")))
      paths = [m["mountPath"] for m in mounts.values()]
      need("mounted", all(any(p == w or w.startswith(p + "/") for p in paths)
                          for w in re.findall(r"(/(?:program|matrix|records|cache)[\w./-]*)", call)))
      resources = container["resources"]
      need("undisturbed", all(resources["limits"][k] == resources["requests"][k] for k in ("cpu", "memory")))
      need("GPU", "# nvidia.com/gpu: 1" in text)
      print("done")
      """#
    let path = TestFolders.repository + "/Packaging/kubernetes/job.yaml"
    let result = try PythonJudge.run(script, module: "yaml", [path])
    #expect(result.status == 0 && result.output == "done\n", "\(result.output)")
  }
}
