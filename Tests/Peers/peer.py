"""Python's side of tls.sh: a server and a client that say how each connection was secured.

    peer.py serve PORT CERTIFICATE KEY VERSION
    peer.py get AUTHORITY VERSION CERTIFICATE KEY URL...     CERTIFICATE is - if the client has none

The server prints "TLSv1.3 r" for each request, with r for a session that went on and . for a new one. The client prints
the same behind status, length and SHA-256 of each answer, or "refused" and the reason.
"""

import hashlib
import http.client
import http.server
import socket
import ssl
import sys
import urllib.parse
import urllib.request


def limit(context, version):
    context.minimum_version = context.maximum_version = getattr(ssl.TLSVersion, "TLSv" + version.replace(".", "_"))
    return context


def secured(connection):
    return f"{connection.version()} {'r' if connection.session_reused else '.'}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body are two segments; without this the second waits 40 ms for the client to acknowledge the first.
    disable_nagle_algorithm = True

    def do_GET(self):
        self.answer(300 << 20 if self.path == "/300m" else 100)

    def do_PUT(self):
        left = int(self.headers["Content-Length"])
        while left > 0:
            data = self.rfile.read(min(left, 1 << 20))
            if not data:
                raise ConnectionError("the client has gone")
            left -= len(data)
        self.answer(100)

    def answer(self, length):
        print(secured(self.connection), flush=True)
        self.send_response(200)
        self.send_header("Content-Length", str(length))
        if self.path == "/close":
            self.send_header("Connection", "close")
        self.end_headers()
        for at in range(0, length, 1 << 20):
            self.wfile.write(b"a" * min(1 << 20, length - at))

    def log_message(self, *_):
        pass


def serve(port, certificate, key, version):
    context = limit(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), version)
    context.load_cert_chain(certificate, key)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
    # Without this the handshake of one client would hold up the next one, which the loop accepts.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.serve_forever()


def get(authority, version, certificate, key, *urls):
    context = limit(ssl.create_default_context(cafile=authority), version)
    if certificate != "-":
        context.load_cert_chain(certificate, key)
    session = None
    for url in urls:
        place = urllib.parse.urlsplit(url)
        try:
            # urllib tells nothing about TLS, and cannot go on with a session: it only has to get through.
            urllib.request.urlopen(url, context=context, timeout=10).close()
            plain = socket.create_connection((place.hostname, place.port), timeout=10)
            with context.wrap_socket(plain, server_hostname=place.hostname, session=session) as connection:
                connection.sendall(f"GET {place.path} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
                answer = http.client.HTTPResponse(connection)
                answer.begin()
                body = answer.read()
                # The tickets of TLS 1.3 come with the answer.
                session = connection.session
                print(answer.status, len(body), hashlib.sha256(body).hexdigest(), secured(connection))
        except OSError as error:
            print("refused", error)


{"serve": serve, "get": get}[sys.argv[1]](*sys.argv[2:])
