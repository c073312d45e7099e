"""A pytest fixture that serves a script of Understudy and judges what the code under test did with it.

Copy this file beside your tests and say `from understudy import understudy` in conftest.py. The command `understudy`
must be in PATH, or UNDERSTUDY must name it.
"""

import os
import signal
import subprocess

import pytest


class Server:
    """One script, served until its test is over."""

    def __init__(self, script, folder, options):
        if "\n" in script:
            path = folder / "script.yaml"
            path.write_text(script)
            script = str(path)
        self._output = open(folder / "errors", "w+")
        command = [os.environ.get("UNDERSTUDY", "understudy"), "serve", script, *options]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._output, text=True)
        first = self._process.stdout.readline()
        if not first.startswith("listening on "):
            self._process.wait()
            self._output.seek(0)
            pytest.fail(first + self._output.read(), pytrace=False)
        self.url = first.split()[-1]

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
            raise AssertionError(said)


@pytest.fixture
def understudy(tmp_path_factory):
    """Call it with a script, its text or its path, and options of `understudy serve`; it gives a `Server`."""
    servers = []

    def serve(script, *options):
        servers.append(Server(script, tmp_path_factory.mktemp("understudy"), options))
        return servers[-1]

    yield serve
    complaints = []
    for server in servers:
        try:
            server.finish()
        except AssertionError as error:
            complaints.append(str(error))
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)
