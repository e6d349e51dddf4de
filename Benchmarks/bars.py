"""What the benchmarks have in common: the clips, a virtual display, runs by turns, and bars, a line each."""
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAM = os.path.join(ROOT, ".build/release/bench360")
HERE = os.path.dirname(os.path.abspath(__file__))


def processor():
    """The machine's CPU, as it names itself."""
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return f"{line.split(':')[1].strip()}, {os.cpu_count()} cores"
    except OSError:
        pass
    return f"{platform.machine()}, {os.cpu_count()} cores"


def first_device(program):
    """The first Vulkan device by its full name: mpv wants no less."""
    done = subprocess.run([program, "devices", "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["devices"][0]["name"]


def built_in_clip(program):
    """bench360's own clip, 3840x1920, kept for the next time."""
    clip = os.path.join(tempfile.gettempdir(), f"bench360-peers-{os.getuid()}.mp4")
    if not os.path.exists(clip):
        subprocess.run([program, "generate", "-o", clip], check=True)
    return clip


def noisy_clip():
    """A clip of 3840x1920 that is hard to decode: a test card under noise, kept for the next time."""
    clip = os.path.join(tempfile.gettempdir(), f"bench360-noisy-{os.getuid()}.mp4")
    if not os.path.exists(clip):
        part = clip + ".part.mp4"
        subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=size=3840x1920:rate=30", "-vf",
                        "noise=alls=12:allf=t", "-t", "10", "-c:v", "libx264", "-preset", "veryfast", "-crf", "26", "-g", "60", "-pix_fmt",
                        "yuv420p", part], check=True)
        os.rename(part, clip)
    return clip


def compiled(folder, name, sources, packages=(), flags=()):
    """A program in C of the limits, compiled into a folder."""
    limits = os.path.join(HERE, "limits")
    found = subprocess.run(["pkg-config", "--cflags", "--libs", *packages], capture_output=True, text=True, check=True).stdout.split() \
        if packages else []
    program = os.path.join(folder, name)
    subprocess.run(["clang", "-O2", "-Wall", "-o", program, *[os.path.join(limits, each) for each in sources], *found, *flags], check=True)
    return program


class Display:
    """A virtual display that lives as long as the comparison: its start counts for no program."""

    def __enter__(self):
        reading, writing = os.pipe()
        self.process = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1920x1080x24"],
                                        pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as file:
            self.environment = dict(os.environ, DISPLAY=":" + file.readline().strip())
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def by_turns(rounds, *programs):
    """What each of the programs gives in each round, in an order that turns around with every round."""
    found = [[] for _ in programs]
    for index in range(rounds):
        order = range(len(programs))
        for place in order if index % 2 == 0 else reversed(order):
            found[place].append(programs[place]())
    return found


class Bars:
    """Bars of one benchmark: each is printed when it is added, and all of them together at the end.

    A bar holds a share: how much of a limit's, or of another program's, speed is reached. More is better, and a bar says how much is
    wanted at least. 'bound' is for figures that stand alone.
    """

    def __init__(self, title):
        self.title, self.rows = title, []

    def share(self, name, beside, ours, theirs, wanted, unit, kind="peer", rates=True):
        """Pairs of measurements of one round each: rates, of which more is better, or times."""
        shares = sorted(a / b if rates else b / a for a, b in zip(ours, theirs))
        self.add({"name": name, "kind": kind, "beside": beside, "unit": unit, "ours": statistics.median(ours),
                  "theirs": statistics.median(theirs), "share": statistics.median(shares), "low": shares[0], "high": shares[-1],
                  "wanted": wanted, "reached": statistics.median(shares) >= wanted})

    def bound(self, name, values, wanted, unit, least=False):
        middle = statistics.median(values)
        self.add({"name": name, "kind": "bound", "unit": unit, "ours": middle, "low": min(values), "high": max(values), "wanted": wanted,
                  "least": least, "reached": middle >= wanted if least else middle <= wanted})

    def add(self, row):
        self.rows.append(row)
        print(line(row), flush=True)

    def end(self, path=None):
        """Prints the missed bars, keeps all in a file if one is named, and gives the exit status."""
        if path:
            with open(path, "w") as file:
                json.dump({"title": self.title, "processor": processor(), "bars": self.rows}, file, indent=1)
        missed = [row["name"] for row in self.rows if not row["reached"]]
        print("\nMISSED: " + "; ".join(missed) if missed else "\nall reached")
        return 2 if missed else 0


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def line(row):
    """One bar in one line."""
    verdict = "reached" if row["reached"] else "MISSED"
    ours = f"{number(row['ours'])} {row['unit']}"
    if row["kind"] == "bound":
        word = "least" if row["least"] else "most"
        return f"{row['name']:44} {ours:>14}  at {word} {number(row['wanted'])} {row['unit']} is wanted: {verdict}"
    beside = f"{row['beside']} {number(row['theirs'])}"
    return (f"{row['name']:44} {ours:>14}  {beside:36} share {row['share']:.3f} [{row['low']:.3f} … {row['high']:.3f}], "
            f"wanted {row['wanted']}: {verdict}")


def run(program, arguments):
    """The record of one run of bench360."""
    done = subprocess.run([program, "run", *arguments, "--output", "-"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bench360 run {' '.join(arguments)} failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout)
