"""A pytest fixture that serves a script of Understudy and judges what the code under test did with it.

Copy this file beside your tests and say `from understudy import *` in conftest.py. The command `understudy` must be in
PATH, or UNDERSTUDY must name it.
"""

import json
import os
import signal
import subprocess

import pytest

__all__ = ["understudy", "pytest_runtest_call"]


class Server:
    """One script, served until its test is over. With the option `--admin`, `control` is where it is controlled."""

    def __init__(self, script, folder, options):
        if "\n" in script or ": " in script:
            path = folder / "script.yaml"
            path.write_text(script)
            script = str(path)
        self._output = open(folder / "errors", "w+")
        self._said = ""
        command = [os.environ.get("UNDERSTUDY", "understudy"), "serve", script, *options]
        try:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._output, text=True)
        except OSError as error:
            pytest.fail(f"{error}: is the command in PATH, or does UNDERSTUDY name it?", pytrace=False)
        controlled = any(option.split("=")[0] == "--admin" for option in options)
        self.url = self._hear("listening on ", False)
        self.control = self._hear("control on ", True) if controlled else None

    def _hear(self, beginning, is_control):
        """Waits for a URL, in words or as a line of `--log json`."""
        for line in self._process.stdout:
            self._said += line
            if line.startswith(beginning):
                return line.split()[-1]
            entry = json.loads(line) if line.startswith("{") else {}
            if entry.get("type") == "listening" and (entry["host"] == "control") == is_control:
                return entry["url"]
        self._process.wait()
        self._output.seek(0)
        pytest.fail(self._said + self._output.read(), pytrace=False)

    def finish(self):
        """Ends it, once; raises an AssertionError with what was not as the script has it."""
        if self._output.closed:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            said, _ = self._process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            said, _ = self._process.communicate()
        self._output.close()
        if self._process.returncode:
            # The verdict first: of a failure pytest's summary shows the first line.
            verdict = said.rfind("\n", 0, max(said.rfind("NOT fulfilled"), said.rfind("ABANDONED"), 0)) + 1
            raise AssertionError(said[verdict:] + said[:verdict])


@pytest.fixture
def understudy(request, tmp_path_factory):
    """Call it with a script, its text or its path, and options of `understudy serve`; it gives a `Server`."""
    servers = request.node.understudy_servers = []

    def serve(script, *options):
        servers.append(Server(script, tmp_path_factory.mktemp("understudy"), options))
        return servers[-1]

    yield serve
    judge(servers)


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item):
    """Behind a test's own lines, if they are well, and no other fixture needs its servers until it is torn down."""
    servers = getattr(item, "understudy_servers", [])
    if not servers or getattr(item, "_excinfo", None):
        return
    fixtures = [one for found in item._fixtureinfo.name2fixturedefs.values() for one in found]
    if not any("understudy" in fixture.argnames for fixture in fixtures):
        judge(servers)


def judge(servers):
    complaints = []
    for server in servers:
        try:
            server.finish()
        except AssertionError as error:
            complaints.append(str(error))
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)
