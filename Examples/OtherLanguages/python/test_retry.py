"""A client that asks again when its server is busy, and one that gives up too early."""

import json
import time
import urllib.error
import urllib.request

import pytest

# Busy twice, then well: a client that asks once is not what the script wants.
FLAKY = """
server:
  - {request: GET /order, reply: {status: 503, headers: {Retry-After: "0"}}, times: 2}
  - {request: GET /order, reply: {body: ready}}
"""


def fetch(url, attempts):
    for _ in range(attempts):
        try:
            with urllib.request.urlopen(url) as response:
                return response.read()
        except urllib.error.HTTPError as error:
            if error.code != 503:
                raise
            time.sleep(int(error.headers["Retry-After"]))
    return None


def test_a_busy_server_is_asked_again(understudy):
    server = understudy(FLAKY)
    assert fetch(server.url + "/order", attempts=5) == b"ready"


def test_giving_up_too_early_fails(understudy):
    server = understudy(FLAKY)
    fetch(server.url + "/order", attempts=1)
    # At the end of the test the fixture would say it.
    with pytest.raises(AssertionError, match="NOT fulfilled"):
        server.finish()


def test_a_body_that_ends_early_is_noticed(understudy):
    server = understudy("""
bodies: {film: {pattern: counter, size: 1MB}}
server:
  - {request: GET /film, reply: {body: film}, fault: {at: body+400000, do: fin}}
""")
    with pytest.raises(Exception):
        with urllib.request.urlopen(server.url + "/film") as response:
            response.read()


@pytest.mark.parametrize("log", ["text", "json"])
def test_the_server_is_controlled_also_where_it_writes_json(understudy, log):
    server = understudy("routes: [{request: GET /a}]", "--admin", "0", "--log", log)
    fetch(server.url + "/a", attempts=1)
    with urllib.request.urlopen(server.control + "/journal") as response:
        assert json.load(response)["count"] == 1
