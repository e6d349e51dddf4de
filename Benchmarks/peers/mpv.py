"""mpv beside bench360: how it is started, and its JSON socket."""
import json
import socket
import sys
import time

MPV = ["--no-config", "--vo=gpu", "--gpu-api=vulkan", "--gpu-context=x11vk", "--no-audio", "--hwdec=no",
       "--scale=bilinear", "--cscale=bilinear", "--dscale=bilinear", "--correct-downscaling=no", "--dither-depth=no",
       "--deband=no", "--no-keepaspect", "--no-border", "--no-osc", "--keep-open=yes", "--really-quiet"]


class IPC:
    """mpv's JSON socket."""

    def __init__(self, path, timeout):
        until = time.monotonic() + timeout
        while True:
            try:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(path)
                break
            except OSError:
                if time.monotonic() > until:
                    sys.exit("mpv does not answer: run it by hand to see why")
                time.sleep(0.05)
        self.lines = self.socket.makefile()

    def send(self, *command):
        self.socket.sendall(json.dumps({"command": list(command), "request_id": 1}).encode() + b"\n")

    def get(self, name):
        self.send("get_property", name)
        while True:
            answer = json.loads(self.lines.readline() or "{}")
            if answer.get("request_id") == 1:
                return answer.get("data")
            if not answer:
                return None

    def wait_for(self, event):
        """The instant at which the next event of that name came."""
        while True:
            line = self.lines.readline()
            if not line:
                sys.exit(f"mpv ended while '{event}' was waited for")
            if json.loads(line).get("event") == event:
                return time.monotonic()

    def quit(self):
        self.send("quit")
