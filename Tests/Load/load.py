"""Does its worst to `understudy serve`, on both of its ports, and judges what becomes of it.

    load.py UNDERSTUDY [CHECK ...]

Prints a line with numbers for each check. `make soak` runs this. Exit status: 0 all is well, 1 something is not.
"""
import os
import resource
import sys
import tempfile
import threading
import time

from hostile import BOMBS, CONTROL, SCRIPT
from served import OK, Crowd, Kept, Served, ask, connect, ended, get, put

PLAIN = """
routes:
  - {request: GET /a, reply: {body: hello}}
  - {request: GET /stall, reply: {body: hello, send: [{bytes: 2}, stall]}}
  - {request: GET /endless, reply: {body: {size: 1000GiB, pattern: counter}}}
  - {request: POST /in, where: {body: {json-subset: {}}}, reply: {body: taken}}
  - {request: PUT /in, reply: {body: taken}}
"""
ONE = b"GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
failures = []


def judge(name, text, *conditions):
    wrong = [what for what, holds in conditions if not holds]
    print(f"{'FAILED' if wrong else 'ok    '}  {name}: {text}" + (f"; not so: {', '.join(wrong)}" if wrong else ""), flush=True)
    if wrong:
        failures.append(name)


def quickest(port, path="/a", wanted=OK):
    """Seconds until a client that means well has its answer; nothing if it has none."""
    start = time.time()
    answer = get(port, path)
    return time.time() - start if answer.startswith(wanted) else None


def shown(seconds):
    return "no answer" if seconds is None else f"{seconds * 1000:.0f} ms"


def within(limit, *times):
    return all(span is not None and span < limit for span in times)


class Loads:
    def __init__(self, program, directory):
        self.program = program
        self.directory = directory
        self.file = os.path.join(directory, "plain.yaml")
        with open(self.file, "w") as file:
            file.write(PLAIN)

    def serve(self, *arguments, descriptors=None):
        return Served(self.program, [self.file, *arguments], descriptors)

    # --- Crowds

    def idle(self):
        """10,000 connections that have asked once and stay."""
        count = 10_000
        with self.serve("--limit", "connections=12000") as server:
            start = server.memory(), server.memory("VmRSS")
            crowd = Crowd(server.script, count, ONE)
            found = crowd.answered()
            answer = quickest(server.script)
            share = server.share()
            anonymous, whole = server.memory(), server.memory("VmRSS")
            still = crowd.open()
            crowd.close()
            judge(
                "idle", f"{found} answered, {still} open; {start[1] / 1024:.1f} MiB at start, {whole / 1024:.1f} MiB with "
                f"them ({(anonymous - start[0]) / count:.2f} KiB each); the next is answered in {shown(answer)}, idle CPU {share:.1%}",
                ("all answered", found == count), ("all open", still == count), ("60 MB", whole * 1024 < 60e6),
                ("answered in a second", within(1, answer)), ("no CPU", share < 0.05))

    def stalled(self):
        """1,000 exchanges that stand still in the middle of an answer."""
        with self.serve("--limit", "connections=12000") as server:
            before = server.memory()
            crowd = Crowd(server.script, 1000, b"GET /stall HTTP/1.1\r\nHost: a\r\n\r\n")
            found = crowd.answered()
            answer, ready = quickest(server.script), quickest(server.control, "/ready")
            share, grown, still = server.share(), server.memory() - before, crowd.open()
            crowd.close()
            judge(
                "stalled", f"{found} stand still, {still} open, {grown / 1000:.2f} KiB each; others are answered in "
                f"{shown(answer)} and {shown(ready)}, idle CPU {share:.1%}",
                ("all open", still == found == 1000), ("16 KiB each", grown < 16 * 1000),
                ("answered in a second", within(1, answer, ready)), ("no CPU", share < 0.05))

    # --- Slow heads

    def slow_script(self):
        """3,000 clients that send a byte of a head each second; they have the time that `idle` says."""
        with self.serve("--limit", "connections=4000", "--limit", "idle=8s") as server:
            crowd = Crowd(server.script, 3000, b"GET /a HTTP/1.1\r\nHost: a\r\nX: ")
            self.trickle("slow-script", server, crowd, server.script, "/a", 14)

    def slow_full(self):
        """More of them than there is room for: the others wait for no longer than `idle` says."""
        with self.serve("--limit", "connections=500", "--limit", "idle=4s") as server:
            crowd = Crowd(server.script, 500, b"GET /a HTTP/1.1\r\n")
            time.sleep(6)
            answer = quickest(server.script)
            crowd.close()
            judge(
                "slow-full", f"answered in {shown(answer)} 6 s after 500 of 500 connections were taken",
                ("answered", within(1, answer)))

    def slow_control(self):
        """2,000 clients do the same to the control interface, which has room for 64."""
        with self.serve() as server:
            crowd = Crowd(server.control, 2000, b"GET /ready HTTP/1.1\r\nHost: localhost\r\nX: ")
            self.trickle("slow-control", server, crowd, server.control, "/ready", 35)

    def trickle(self, check, server, crowd, port, path, seconds):
        times = []
        for _ in range(seconds):
            time.sleep(1)
            crowd.say(b"x")
            times.append(quickest(port, path))
        left, slowest = crowd.open(), None if None in times else max(times)
        crowd.close()
        judge(
            check, f"{left} of {len(crowd.clients)} are left after {seconds} s; others were answered in {shown(slowest)} at worst, "
            f"{server.memory() / 1024:.1f} MiB",
            ("all ended", left == 0), ("answered in a second", within(1, slowest)), ("alive", server.is_alive()))

    # --- Reloads

    def loaded(self, server, change, seconds=10):
        """Asks on eight connections while `change` runs 100 times a second; what came back, and how often was changed."""
        stop = threading.Event()
        bodies, errors = {}, []

        def client():
            try:
                kept = Kept(server.script)
                while not stop.is_set():
                    head, body = kept.ask(ONE)
                    key = head[9:12] + b" " + body
                    bodies[key] = bodies.get(key, 0) + 1
            except Exception as error:
                errors.append(repr(error))

        threads = [threading.Thread(target=client) for _ in range(8)]
        for thread in threads:
            thread.start()
        start, count = time.time(), 0
        while time.time() - start < seconds:
            change(count)
            count += 1
            time.sleep(max(0, start + count / 100 - time.time()))
        span = time.time() - start
        stop.set()
        for thread in threads:
            thread.join()
        return bodies, errors, count / span

    def reloads(self):
        """100 scripts a second through the control interface."""
        with self.serve() as server:
            kept = Kept(server.control)
            refused = []

            def change(number):
                body = PLAIN.replace("hello", f"hello{number % 2}").encode()
                head, text = kept.ask(b"PUT /script HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
                if b" 200 " not in head:
                    refused.append(text)

            for number in range(200):
                change(number)
            before = server.memory()
            bodies, errors, rate = self.loaded(server, change)
            grown = server.memory() - before
            judge(
                "reloads", f"{rate:.0f} a second, {len(refused)} refused; {sum(bodies.values())} requests, {len(errors)} "
                f"dropped; grown by {grown} KiB",
                ("90 a second", rate > 90), ("none refused", not refused), ("none dropped", not errors),
                ("either script", set(bodies) <= {b"200 hello", b"200 hello0", b"200 hello1"}), ("16 MiB", grown < 16 << 10))

    def watched(self):
        """A file that changes 100 times a second, and has mistakes every seventh time."""
        with self.serve("--watch") as server:
            time.sleep(0.5)

            def change(number):
                text = PLAIN.replace("hello", f"hello{number % 2}")
                with open(self.file + ".new", "w") as file:
                    file.write("routes: [" if number % 7 == 0 else text)
                os.rename(self.file + ".new", self.file)

            bodies, errors, rate = self.loaded(server, change)
            change(1)
            end, last = time.time() + 5, b""
            while time.time() < end and b"hello1" not in last:
                last = get(server.script)
            told = sum(1 for note in server.notes if "reloaded" in note)
            with open(self.file, "w") as file:
                file.write(PLAIN)
            judge(
                "watched", f"{rate:.0f} a second, {told} reloads told; {sum(bodies.values())} requests, {len(errors)} dropped",
                ("90 a second", rate > 90), ("none dropped", not errors), ("reloaded", told > 5), ("the last is played", b"hello1" in last),
                ("either script", set(bodies) <= {b"200 hello", b"200 hello0", b"200 hello1"}), ("alive", server.is_alive()))

    # --- What comes in

    def hostile(self):
        """Requests that are none, on both ports: each is answered or ended at once, and the next one is served."""
        for place, requests in (("script", SCRIPT), ("control", CONTROL)):
            with self.serve() as server:
                port = server.ports[place]
                get(port)
                before, wrong, slowest = server.memory(), [], 0.0
                for name, text, wanted in requests:
                    start = time.time()
                    answer, end = ask(port, text, 5)
                    slowest = max(slowest, time.time() - start)
                    status = answer[9:12].decode() or "none"
                    if status not in wanted.split() or end == "silence" and "silence" not in wanted:
                        wrong.append(f"{name} got {status}, {end}")
                answer = quickest(port, "/a" if place == "script" else "/ready")
                grown = server.memory() - before
                judge(
                    f"hostile-{place}", f"{len(requests)} requests, {slowest * 1000:.0f} ms at most, grown by {grown} KiB"
                    + "".join(f"\n          {line}" for line in wrong),
                    ("as wanted", not wrong), ("alive", server.is_alive()), ("answered in a second", within(1, answer)),
                    ("32 MiB", grown < 32 << 10))

    def others_during(self, server, thread):
        """How long somebody else waits for an answer, at worst, while a thread runs."""
        worst = 0.0
        thread.start()
        while thread.is_alive():
            ready = quickest(server.script)
            worst = max(worst, 99 if ready is None else ready)
            time.sleep(0.02)
        return worst

    def bombs(self):
        """Scenario files that would take all memory or time, if they were let."""
        with self.serve() as server:
            put(server.control, PLAIN, query="?scope=bomb")
            before, wrong, slowest, others = server.memory(), [], (0.0, ""), 0.0
            for name, text, wanted in BOMBS:
                start = time.time()
                result = []
                thread = threading.Thread(target=lambda: result.append(put(server.control, text, 60, "?scope=bomb")))
                others = max(others, self.others_during(server, thread))
                span = time.time() - start
                slowest = max(slowest, (span, name))
                status = result[0][9:12].decode() or "none"
                if status not in wanted.split() or span > 10:
                    wrong.append(f"{name} got {status} after {span:.1f} s")
                thread = threading.Thread(target=lambda: ask(
                    server.script, b"GET /scope:bomb/bomb HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 5000
                    + b"\r\nConnection: close\r\n\r\n", 2))
                others = max(others, self.others_during(server, thread))
            answer, grown = quickest(server.control, "/ready"), server.memory("VmHWM") - before
            judge(
                "bombs", f"{len(BOMBS)} files, {slowest[0] * 1000:.0f} ms at most ({slowest[1]}); meanwhile others were answered in "
                f"{shown(others)} at worst; the peak is {grown / 1024:.0f} MiB more" + "".join(f"\n          {line}" for line in wrong),
                ("as wanted", not wrong), ("alive", server.is_alive()), ("answered in a second", within(1, answer, others)),
                ("256 MiB", grown < 256 << 10))

    def bodies(self):
        """Bodies over the limits: refused by the control interface, read and thrown away by the script's port."""
        size = 1 << 30
        with self.serve() as server:
            before = server.memory()
            large = ask(server.control, b"PUT /script HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % size, 5)[0]
            endless, _ = ask(
                server.control, b"PUT /script HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                + (b"10000\r\n" + b"x" * 65536 + b"\r\n") * 32, 5)
            statuses = []
            for method in (b"PUT", b"POST"):
                client = connect(server.script, 60)
                client.sendall(method + b" /in HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % size)
                piece = b"x" * (1 << 20)
                try:
                    for _ in range(size >> 20):
                        client.sendall(piece)
                except OSError:
                    pass
                statuses.append(client.recv(65536)[9:12].decode())
                client.close()
            grown = server.memory("VmHWM") - server.memory("VmRSS") + server.memory() - before
            judge(
                "bodies", f"1 GiB and a chunked 2 MiB got {large[9:12].decode()} and {endless[9:12].decode()} of the control interface, "
                f"1 GiB twice {' and '.join(statuses)} of the script; grown by {grown} KiB",
                ("413", large[9:12] == b"413"), ("413 in chunks", endless[9:12] == b"413"), ("200 and 404", statuses == ["200", "404"]),
                ("16 MiB", grown < 16 << 10), ("alive", server.is_alive()))

    def unread(self):
        """300 clients that ask for a body of a tebibyte, and read nothing of it."""
        with self.serve("--limit", "idle=8s") as server:
            before = server.memory()
            crowd = Crowd(server.script, 300, b"GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
            answer = quickest(server.script)
            # The kernel takes some megabytes for each first.
            start, share = time.time(), 1.0
            while share >= 0.05 and time.time() - start < 20:
                share = server.share()
            full = time.time() - start
            grown = server.memory() - before
            time.sleep(10)
            left = server.descriptors()
            crowd.close()
            judge(
                "unread", f"{grown / 300:.0f} KiB each; others are answered in {shown(answer)}, idle CPU {share:.1%} after "
                f"{full:.0f} s; {left} descriptors 10 s later",
                ("512 KiB each", grown < 300 * 512), ("answered in two seconds", within(2, answer)), ("no CPU", share < 0.05),
                ("ended", left < 100))

    # --- Descriptors

    def descriptors(self):
        """A process that may open 256 files, and far more clients on both ports."""
        with self.serve("--watch", descriptors=256) as server:
            crowds = [Crowd(server.control, 200, waits=False), Crowd(server.script, 600, waits=False)]
            time.sleep(1)
            for crowd in crowds:
                crowd.say(b"GET")
            share, taken = server.share(3), server.descriptors()
            for crowd in crowds:
                crowd.close()
            time.sleep(1.5)
            answers = quickest(server.script), quickest(server.control, "/ready")
            judge(
                "descriptors", f"{taken} of 256 taken, idle CPU {share:.1%}; when the clients have gone the next are answered in "
                f"{shown(answers[0])} and {shown(answers[1])}",
                ("alive", server.is_alive()), ("does not spin", share < 0.2), ("answered in two seconds", within(2, *answers)))


def main():
    program, *wanted = sys.argv[1:]
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    checks = [
        "idle", "stalled", "slow_script", "slow_full", "slow_control", "reloads", "watched", "hostile", "bombs", "bodies", "unread",
        "descriptors"]
    with tempfile.TemporaryDirectory() as directory:
        for check in wanted or checks:
            getattr(Loads(program, directory), check.replace("-", "_"))()
    sys.exit(1 if failures else 0)


main()
