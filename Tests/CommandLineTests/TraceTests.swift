import Foundation
import Support
import Testing

extension CommandTests {
  /// What `--trace` and `--frames` write is read back by Python, and held against the record.
  @Suite struct TraceTests {
    fileprivate static let files = ["-o", "record.json", "--trace", "trace.json", "--frames", "frames.csv"]

    /// The tracks of each trial, `#` before each line, and a line for each fault.
    fileprivate static func judged(in folder: String) throws -> [String] {
      let paths = ["trace.json", "frames.csv", "record.json"].map { folder + "/" + $0 }
      let result = try PythonJudge.run(judge, module: "csv, json", paths)
      #expect(result.status == 0, "\(result.output)")
      return result.output.split(separator: "\n").map(String.init)
    }

    @Test(.enabled("no python3 can import csv") { PythonJudge.hasCSV || PythonJudge.isRequired })
    func everyFrameOfEveryScenarioIsThereAndAgreesWithTheRecord() throws {
      try Program.withClip { folder, clip in
        let temporary = ["TMPDIR": folder + "/temporary"]
        try FileManager.default.createDirectory(atPath: folder + "/temporary", withIntermediateDirectories: true)
        let arguments = Program.shortRun(clip, scenario: "decode,render,pipeline,startup/warm") + Self.files
        let result = try Program.run(arguments + ["--upload", "direct"], in: folder, environment: temporary)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("trace: trace.json\n") && result.errors.contains("frames: frames.csv\n"))
        let lines = try Self.judged(in: folder)
        // The first picture of a start is decoded before there is a device to decode it into: it is copied.
        #expect(
          lines == [
            "# decode 1/: decode demux", "# render 1/: GPU in-flight",
            "# pipeline 1/: GPU decode demux in-flight present queue",
          ] + (1...3).map { "# startup/warm \($0)/: GPU decode demux in-flight phases present upload" })
        #expect(try names(in: folder + "/temporary").isEmpty, "a trial left its trace behind")

        let copied = Program.shortRun(clip, scenario: "pipeline") + Self.files + ["--trials", "2"]
        #expect(try Program.run(copied + ["--upload", "copy"], in: folder).status == 0)
        #expect(
          try Self.judged(in: folder)
            == (1...2).map { "# pipeline \($0)/: GPU decode demux in-flight present queue upload" })
      }
    }

    /// 60 frames a second on 24 refreshes: most of them cannot be shown, and each that was not is there as an instant.
    @Test(.enabled("no python3 can import csv") { PythonJudge.hasCSV || PythonJudge.isRequired })
    func whatWasNotShownIsInTheTrace() throws {
      try TestFolders.withTemporary { folder in
        let clip = try Program.generate("clip.mp4", in: folder, ["--rate", "60"])
        let result = try Program.run(
          Program.shortRun(clip, scenario: "play", seconds: 1) + Self.files + ["--refresh", "24"], in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let lines = try Self.judged(in: folder)
        #expect(lines == ["# play 1/: GPU decode demux in-flight not-shown present queue"], "\(lines)")
        let record = try RecordText(file: folder + "/record.json")
        let trace = try String(contentsOfFile: folder + "/trace.json", encoding: .utf8)
        for fate in ["skipped", "dropped"] {
          let count = trace.ranges(of: "\"name\":\"\(fate)\"").count
          // Frames that the decoder left out are counted as skipped, and in no trace.
          #expect(count <= record.counter(fate) ?? 0 && (fate == "dropped" || count > 10), "\(fate) \(count)")
        }
        #expect(trace.ranges(of: "\"name\":\"dropped\"").count == record.counter("dropped"))
      }
    }

    /// Frame threads and reordering: frames overlap in the decoder, and one tag tells which picture is which.
    @Test(.enabled("no python3 can import csv") { PythonJudge.hasCSV || PythonJudge.isRequired })
    func framesThatOverlapInTheDecoderHaveTracksOfTheirOwn() throws {
      try TestFolders.withTemporary { folder in
        let clip = try Program.generate("clip.mp4", in: folder, ["--bframes", "3"])
        let arguments = Program.shortRun(clip, scenario: "pipeline") + Self.files
        #expect(try Program.run(arguments + ["--threads", "4"], in: folder).status == 0)
        let lines = try Self.judged(in: folder)
        #expect(lines.count == 1 && lines.first?.hasPrefix("# pipeline 1/") == true, "\(lines)")
        let trace = try String(contentsOfFile: folder + "/trace.json", encoding: .utf8)
        #expect(trace.contains("\"name\":\"decode 4\""))
        let table = try String(contentsOfFile: folder + "/frames.csv", encoding: .utf8)
        let rows = table.split(separator: "\r\n").dropFirst()
        for (index, row) in rows.enumerated() {
          let cells = row.split(separator: ",", omittingEmptySubsequences: false)
          #expect(cells[3] == "\(index)" && cells[5] == "\(index % 60)", "\(row)")
        }
        #expect(rows.count >= 100)
      }
    }

    @Test func severalInputsGiveAFileEach() throws {
      try Program.withClip { folder, clip in
        try FileManager.default.copyItem(atPath: folder + "/" + clip, toPath: folder + "/other.mp4")
        let arguments = Program.shortRun(clip) + ["other.mp4", "-o", "all", "--trace", "all", "--frames", "tables/"]
        #expect(try Program.run(arguments, in: folder).status == 0)
        for (place, suffix, count) in [("all", ".trace.json", 4), ("tables", ".frames.csv", 2)] {
          let found = try names(in: folder + "/" + place)
          #expect(found.count == count && found.count(where: { $0.hasSuffix(suffix) }) == 2, "\(found)")
          for name in ["-other", "-clip"] { #expect(found.contains { $0.hasSuffix(name + suffix) }, "\(found)") }
        }
      }
    }

    @Test func whatCannotBeWrittenIsToldBeforeMeasuring() throws {
      try Program.withClip { folder, clip in
        try Data("kept".utf8).write(to: URL(filePath: folder + "/file"))
        for (option, words) in [("--trace", "cannot write trace"), ("--frames", "cannot write frame table")] {
          try Program.run(Program.shortRun(clip) + ["-o", "r.json", option, "file/x"], in: folder)
            .expectRefusal(saying: [words, "'file/x'", "not a folder", option])
        }
        #expect(try names(in: folder) == [clip, "file"])
      }
    }

    private static let judge = #"""
      import csv, json, statistics, sys
      from collections import defaultdict

      trace_path, table_path, record_path = sys.argv[1:]
      trace, record = json.load(open(trace_path)), json.load(open(record_path))
      rows = list(csv.DictReader(open(table_path, newline="")))
      def refuse(text): print(text)
      def near(a, b): return abs(a - b) <= 1e-3

      if set(trace) != {"displayTimeUnit", "metadata", "traceEvents"} or trace["displayTimeUnit"] != "ms":
        refuse(f"top level {sorted(trace)}")
      meta = trace["metadata"]
      for key in ["version", "commit", "created", "complete"]:
        if meta[key] != record[key]: refuse(f"metadata {key}")
      if meta["clip"] != record["input"]["name"]: refuse("metadata clip")

      processes, threads = {}, {}
      spans, instants, depths = defaultdict(list), defaultdict(list), defaultdict(list)
      last = {}
      for event in trace["traceEvents"]:
        phase, process, thread = event["ph"], event["pid"], event.get("tid")
        if phase == "M":
          if event["name"] == "process_name": processes[process] = event["args"]["name"]
          if event["name"] == "thread_name": threads[thread] = (process, event["args"]["name"])
          continue
        track = (process, thread, phase == "C")
        if event["ts"] < 0 or event["ts"] < last.get(track, 0): refuse(f"time goes back at {event}")
        last[track] = event["ts"]
        if phase == "X":
          if not event["dur"] >= 0: refuse(f"duration of {event}")
          spans[thread].append(event)
        elif phase == "i": instants[thread].append(event)
        elif phase == "C": depths[process].append(event["args"]["frames"])
        else: refuse(f"phase {phase}")
      for thread in [*spans, *instants]:
        if thread not in threads: refuse(f"thread {thread} has no name")

      # Slices of one thread may touch or nest; a tenth of a nanosecond is the doubles'.
      for thread, events in spans.items():
        open_until = []
        for event in events:
          start, end = event["ts"], event["ts"] + event["dur"]
          while open_until and open_until[-1] <= start + 1e-4: open_until.pop()
          if open_until and end > open_until[-1] + 1e-4: refuse(f"overlap on {threads[thread]} at {event}")
          open_until.append(end)

      trials = [
        (f"{s['name']}{'/' + s['variant'] if s['variant'] else ''} {i + 1}/", s, t)
        for s in record["scenarios"] for i, t in enumerate(s["trials"])
      ]
      if len(processes) != len(trials): refuse(f"{len(processes)} processes for {len(trials)} trials")

      def p50(values): return statistics.median(values) if values else None
      stages = [
        ("demux", "demux"), ("decode", "decode"), ("queue", "queue"), ("upload", "upload"), ("GPU", "upload"), ("GPU", "render"),
      ]
      for prefix, scenario, trial in trials:
        found = [p for p, name in processes.items() if name.startswith(prefix)]
        if len(found) != 1:
          refuse(f"{len(found)} processes '{prefix}'")
          continue
        process = found[0]
        tracks = defaultdict(list)
        for thread, (owner, name) in threads.items():
          if owner == process:
            for event in spans[thread] + instants[thread]:
              tracks[(name.rsplit(" ", 1)[0] if name[-1].isdigit() else name, event["name"])].append(event)
        number = prefix.split(" ")[1][:-1]
        mine = [
          r for r in rows if (r["scenario"], r["variant"], r["trial"]) == (scenario["name"], scenario["variant"] or "", number)
        ]
        if [int(r["frame"]) for r in mine] != list(range(len(mine))) or not mine: refuse(f"{prefix} frames of the table")
        print("#", prefix + ":", " ".join(sorted({k[0].replace(" ", "-") for k in tracks})))

        # The way of every frame, stage after stage; the GPU's clock may be a tenth of a millisecond off.
        by_frame = defaultdict(dict)
        for key, events in tracks.items():
          for event in events:
            if "frame" not in event["args"]: continue
            frame = event["args"]["frame"]
            if key in by_frame[frame]: refuse(f"{prefix} frame {frame} twice in {key}")
            by_frame[frame][key] = event
        if len(by_frame) != len(mine): refuse(f"{prefix} {len(by_frame)} frames traced, {len(mine)} rows")
        for frame, events in by_frame.items():
          reached = 0
          for key in stages:
            if key not in events: continue
            event = events[key]
            if event["ts"] < reached - (100 if key[0] == "GPU" else 1e-3): refuse(f"{prefix} frame {frame}: {key} is early")
            reached = event["ts"] + event["dur"]
          flight, render = events.get(("in flight", "in flight")), events.get(("GPU", "render"))
          if flight and render:
            early, late = flight["ts"] - render["ts"], render["ts"] + render["dur"] - flight["ts"] - flight["dur"]
            if max(early, late) > 100: refuse(f"{prefix} frame {frame} drawn outside its flight")

        # What the record says of the trial, from the table and from the trace.
        metrics = trial["metrics"]
        # In startup that is of another drawing, which checks the first.
        if scenario["name"] == "startup": continue
        for name in [
          "demux_ms", "decode_latency_ms", "upload_cpu_ms", "upload_gpu_ms", "render_gpu_ms", "frame_interval_ms", "queue_depth",
        ]:
          # There the record has one for each refresh.
          if name == "queue_depth" and scenario["name"] == "play": continue
          cells = [float(r[name]) for r in mine if r[name] != ""]
          samples = metrics.get(name, {"samples": [], "p50": None})
          if sorted(cells) != sorted(samples["samples"]): refuse(f"{prefix} {name} of the table is not the record's")
          if cells and not near(p50(cells), samples["p50"]): refuse(f"{prefix} median of {name}")
        for key, name in [
          (("demux", "demux"), "demux_ms"), (("upload", "upload"), "upload_cpu_ms"), (("GPU", "upload"), "upload_gpu_ms"),
          (("GPU", "render"), "render_gpu_ms"),
        ]:
          if key[0] == "upload" and key not in tracks: continue
          lengths = [e["dur"] / 1000 for e in tracks.get(key, [])]
          samples = metrics.get(name, {"samples": []})["samples"]
          if len(lengths) != len(samples) or any(not near(a, b) for a, b in zip(sorted(lengths), sorted(samples))):
            refuse(f"{prefix} spans of {name}")
        # A picture that was drawn and then overtaken is not shown.
        unseen = [("not shown", "skipped"), ("not shown", "dropped")]
        for key, others, name in [
          (("decode", "decode"), [], "decode_latency_ms"), (("present", "present"), unseen, "frame_interval_ms"),
        ]:
          values = sorted(e["args"][name] for k in [key, *others] for e in tracks.get(k, []) if name in e["args"])
          if key in tracks and values != sorted(metrics[name]["samples"]): refuse(f"{prefix} arguments of {name}")
        if scenario["name"] != "play" and depths[process] != metrics.get("queue_depth", {"samples": []})["samples"]: refuse(f"{prefix} queue_depth")
      """#
  }
}

extension CommandLineTests {
  @Suite struct TraceInterruptTests {
    @Test(.enabled("no python3 can import csv") { PythonJudge.hasCSV || PythonJudge.isRequired })
    func controlCKeepsTheTraceOfWholeAndCutTrials() throws {
      try Program.withClip { folder, clip in
        try FileManager.default.createDirectory(atPath: folder + "/temporary", withIntermediateDirectories: true)
        let running = try RunningProgram(
          [
            "run", clip, "--scenario", "startup/warm,pipeline", "--trials", "1", "--size", "160x90", "--duration",
            "600",
          ]
            + CommandTests.TraceTests.files, in: folder, environment: ["TMPDIR": folder + "/temporary"])
        // After the warm-up and three of startup. Its shaders are compiled before its first frame.
        _ = try running.trial(4, ticks: 200)
        running.interrupt()
        let result = try running.wait()
        #expect(result.status == 130, "\(result.errors)")
        let lines = try CommandTests.TraceTests.judged(in: folder)
        #expect(lines.isEmpty == false && lines.allSatisfy { $0.hasPrefix("# ") }, "\(lines)")
        let trace = try String(contentsOfFile: folder + "/trace.json", encoding: .utf8)
        #expect(trace.contains("\"name\":\"pipeline 1/1 (cut short)\"") && trace.contains("startup/warm 3/3"))
        #expect(try names(in: folder + "/temporary").isEmpty)
      }
    }
  }
}
