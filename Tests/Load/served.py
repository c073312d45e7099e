"""`understudy serve` as a process that is watched while others do their worst, and clients made of plain sockets."""
import json
import os
import resource
import select
import socket
import subprocess
import threading
import time

OK = b"HTTP/1.1 200 "


class Served:
    """A server with its two ports, ended when the block ends; `descriptors` is what its process may open."""

    def __init__(self, program, arguments, descriptors=None):
        def limited():
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        self.process = subprocess.Popen(
            [program, "serve", *arguments, "--admin", "0", "--log", "json"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, preexec_fn=limited)
        self.lines = 0
        self.notes = []
        self.ports = {}
        while "control" not in self.ports:
            self._take(self.process.stdout.readline())
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _take(self, line):
        if not line:
            raise RuntimeError("the server has not started")
        entry = json.loads(line)
        self.lines += 1
        if entry.get("url"):
            place = "control" if "control" in line.decode() else "script"
            self.ports[place] = int(entry["url"].rsplit(":", 1)[1].split("/")[0])
        elif "status" not in entry and len(self.notes) < 1000:
            self.notes.append(line.decode().strip())

    def _read(self):
        for line in self.process.stdout:
            self._take(line)

    @property
    def script(self):
        return self.ports["script"]

    @property
    def control(self):
        return self.ports["control"]

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise RuntimeError("the server did not end within ten seconds of SIGTERM")

    def is_alive(self):
        return self.process.poll() is None

    def memory(self, key="RssAnon"):
        """In KiB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            for line in file:
                if line.startswith(key + ":"):
                    return int(line.split()[1])
        return 0

    def seconds(self):
        """Of the processor."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            words = file.read().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def share(self, span=2.0):
        """Of one processor, while nobody asks for anything."""
        before = self.seconds()
        time.sleep(span)
        return (self.seconds() - before) / span

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


def connect(port, timeout=10.0):
    return socket.create_connection(("127.0.0.1", port), timeout)


def ask(port, text, timeout=10.0, most=16 << 20):
    """What comes back on a connection of its own until it ends, for `timeout` without news, or after `most` bytes; and how
    it ended."""
    try:
        with connect(port, timeout) as client:
            answer = b""
            try:
                client.sendall(text)
            except OSError:
                pass
            try:
                while piece := client.recv(65536):
                    answer += piece
                    if len(answer) > most:
                        return answer, "more"
            except TimeoutError:
                return answer, "silence"
            except OSError:
                return answer, "reset"
            return answer, "fin"
    except OSError as error:
        return b"", str(error)


def get(port, path="/a", timeout=10.0):
    text = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    return ask(port, text.encode(), timeout)[0]


def put(port, text, timeout=30.0, query=""):
    body = text if isinstance(text, bytes) else text.encode()
    head = f"PUT /script{query} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return ask(port, head.encode() + body, timeout)[0]


class Kept:
    """A connection for many requests, one after another."""

    def __init__(self, port, timeout=10.0):
        self.client = connect(port, timeout)
        self.client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def ask(self, text):
        """Head and body of the answer, whose length is said."""
        self.client.sendall(text)
        while b"\r\n\r\n" not in self.rest:
            self._more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        length = 0
        for line in head.split(b"\r\n")[1:]:
            name, value = line.split(b":", 1)
            if name.lower() == b"content-length":
                length = int(value)
        while len(self.rest) < length:
            self._more()
        body, self.rest = self.rest[:length], self.rest[length:]
        return head, body

    def _more(self):
        piece = self.client.recv(65536)
        if not piece:
            raise ConnectionError("the connection has ended")
        self.rest += piece

    def close(self):
        self.client.close()


class Crowd:
    """Connections that say a little now and then, or nothing. Where the server may not take them, nobody waits for it."""

    def __init__(self, port, count, first=b"", waits=True):
        self.clients = []
        for _ in range(count):
            if waits:
                client = connect(port)
                client.sendall(first)
            else:
                client = socket.socket()
            client.setblocking(False)
            if not waits:
                client.connect_ex(("127.0.0.1", port))
            self.clients.append(client)

    def say(self, text):
        for client in self.clients:
            try:
                client.send(text)
            except OSError:
                pass

    def answered(self, span=20.0):
        """How many have got something, or their end, within the time."""
        end = time.time() + span
        waiting = {client.fileno(): client for client in self.clients}
        poll = select.poll()
        for descriptor in waiting:
            poll.register(descriptor, select.POLLIN)
        found = 0
        while waiting and time.time() < end:
            for descriptor, _ in poll.poll(200):
                poll.unregister(descriptor)
                del waiting[descriptor]
                found += 1
        return found

    def open(self):
        """How many have not been ended."""
        return sum(1 for client in self.clients if not ended(client))

    def close(self):
        for client in self.clients:
            client.close()


def ended(client):
    """Whether the other side has gone; what it said before is thrown away."""
    try:
        while True:
            piece = client.recv(65536)
            if not piece:
                return True
    except (BlockingIOError, TimeoutError):
        return False
    except OSError:
        return True
