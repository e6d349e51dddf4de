"""A Buildbot step that measures base and head in one job and tells whether a number has changed.

In master.cfg, beside this file:

    from bench360_step import Bench360
    factory.addStep(Bench360(base="build/base/bin/bench360 run clip.mp4", head="build/head/bin/bench360 run clip.mp4"))

Each side is a command that writes records, as 'bench360 ab' takes it. A regression or a wrong picture fails the build, a difference that
cannot be decided is a warning. The comparison is a log of the step, its outcome the build's property 'bench360_outcome'.
"""
from buildbot.process import buildstep, results
from twisted.internet import defer

# Exit codes of 'bench360 ab' that are no failure of the step itself.
OUTCOMES = {0: "same or better", 2: "regression", 3: "wrong picture", 8: "inconclusive"}


class Bench360(buildstep.ShellMixin, buildstep.BuildStep):
    name = "bench360"
    renderables = ["base", "head", "options", "program"]

    def __init__(self, base, head, options=(), program="bench360", **kwargs):
        self.base, self.head, self.options, self.program = base, head, list(options), program
        kwargs = self.setupShellMixin(kwargs, prohibitArgs=["command"])
        super().__init__(**kwargs)

    @defer.inlineCallbacks
    def run(self):
        command = yield self.makeRemoteShellCommand(
            command=[self.program, "ab", "--base", self.base, "--head", self.head, "--format", "markdown", *self.options],
            collectStdout=True)
        yield self.runCommand(command)
        outcome = OUTCOMES.get(command.rc, f"exit code {command.rc}")
        self.setProperty("bench360_outcome", outcome, "bench360")
        yield self.addCompleteLog("comparison.md", command.stdout)
        self.descriptionDone = f"bench360: {outcome}"
        if command.rc == 0:
            return results.SUCCESS
        return results.WARNINGS if outcome == "inconclusive" else results.FAILURE
