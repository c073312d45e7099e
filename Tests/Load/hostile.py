"""What nobody should send: requests that are none, and scenario files that would take all memory or time.

Each has a name, its bytes, and the statuses that are right as an answer; `none` is an end without one.
"""
HEAD = b"Host: localhost\r\n"


def get(fields, target=b"/a", method=b"GET"):
    return method + b" " + target + b" HTTP/1.1\r\n" + HEAD + fields + b"\r\n"


def post(fields, body):
    return b"POST /in HTTP/1.1\r\n" + HEAD + fields + b"\r\n" + body


CLOSE = b"Connection: close\r\n"
SMUGGLED = b"0\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n"

# Judged alike on both ports.
SHAPES = [
    ("CL and TE", post(b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n" + CLOSE, SMUGGLED)),
    ("TE and CL", post(b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n" + CLOSE, SMUGGLED)),
    ("two lengths", post(b"Content-Length: 5\r\nContent-Length: 6\r\n" + CLOSE, b"123456")),
    ("a list of lengths", post(b"Content-Length: 5, 6\r\n" + CLOSE, b"123456")),
    ("a negative length", post(b"Content-Length: -5\r\n" + CLOSE, b"12345")),
    ("a length with a sign", post(b"Content-Length: +5\r\n" + CLOSE, b"12345")),
    ("a hexadecimal length", post(b"Content-Length: 0x5\r\n" + CLOSE, b"12345")),
    ("a length over 64 bits", post(b"Content-Length: 99999999999999999999999\r\n" + CLOSE, b"12345")),
    ("chunked twice", post(b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n" + CLOSE, b"0\r\n\r\n")),
    ("identity, chunked", post(b"Transfer-Encoding: chunked, identity\r\n" + CLOSE, b"0\r\n\r\n")),
    ("a coding of one's own", post(b"Transfer-Encoding: xchunked\r\n" + CLOSE, b"0\r\n\r\n")),
    ("space before the colon", post(b"Content-Length : 5\r\n" + CLOSE, b"12345")),
    ("a folded field", get(b"X-A: 1\r\n folded\r\n" + CLOSE)),
    ("a fold in front", b"GET /a HTTP/1.1\r\n X: 1\r\n" + HEAD + b"\r\n"),
    ("a NUL in a field", get(b"X-A: a\0b\r\n" + CLOSE)),
    ("a CR in a field", get(b"X-A: a\rb\r\n" + CLOSE)),
    ("a field without a colon", get(b"nonsense\r\n" + CLOSE)),
    ("no name of a field", get(b": x\r\n" + CLOSE)),
    ("two spaces", b"GET  /a HTTP/1.1\r\n" + HEAD + CLOSE + b"\r\n"),
    ("no target", b"GET HTTP/1.1\r\n" + HEAD + b"\r\n"),
    ("a strange version", b"GET /a HTTP/9.9\r\n" + HEAD + b"\r\n"),
    ("a tab in the line", b"GET\t/a HTTP/1.1\r\n" + HEAD + b"\r\n"),
    ("nothing but zeros", b"\0" * 4096),
    ("a handshake of TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 500),
    ("the preface of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0" * 100),
    ("a chunk size over 64 bits", post(b"Transfer-Encoding: chunked\r\n" + CLOSE, b"FFFFFFFFFFFFFFFFF\r\n")),
    ("a negative chunk size", post(b"Transfer-Encoding: chunked\r\n" + CLOSE, b"-1\r\n")),
    ("a chunk that is longer than it says", post(b"Transfer-Encoding: chunked\r\n" + CLOSE, b"3\r\nabcdef\r\n0\r\n\r\n")),
    ("a chunk extension without end", post(b"Transfer-Encoding: chunked\r\n" + CLOSE, b"5;a=" + b"x" * 200_000)),
    ("trailers without end", post(b"Transfer-Encoding: chunked\r\n" + CLOSE, b"0\r\n" + b"X: y\r\n" * 50_000)),
    ("a method without end", b"G" * 3_000_000),
    ("a target without end", b"GET /" + b"a" * 3_000_000),
    ("a field without end", get(b"")[:-2] + b"X: " + b"a" * 3_000_000),
    ("a head of 3 MB", get(b"X: " + b"a" * 3_000_000 + b"\r\n")),
    ("fields without end", get(b"")[:-2] + b"X: y\r\n" * 500_000),
]
REFUSED = "400 404 405 413 414 431 501 505 none"

# What has no end is waited for, until its time is over.
PATIENT = {"nothing but zeros"}

SCRIPT = [(name, text, REFUSED + " silence" * (name in PATIENT)) for name, text in SHAPES] + [
    ("bare LF", b"GET /a HTTP/1.1\nHost: a\n\n", "400"),
    ("no Host", b"GET /a HTTP/1.1\r\n\r\n", "400"),
    ("two Hosts", b"GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
    ("a head of 60 KiB", get(b"X: " + b"a" * 60_000 + b"\r\n" + CLOSE), "200"),
    ("9,000 fields", get(b"".join(b"X%d:\r\n" % (number % 1000) for number in range(9000)) + CLOSE), "200"),
    ("upwards out of a folder", get(CLOSE, b"/../../../../etc/passwd"), "404"),
    ("the same in escapes", get(CLOSE, b"/%2e%2e/%2e%2e/etc/passwd"), "404"),
    ("a scope that is a path", get(CLOSE, b"/scope:../../etc/a"), "404"),
    ("a scope without end", get(CLOSE, b"/scope:" + b"a" * 5000 + b"/a"), "400"),
    ("another's URL", get(CLOSE, b"http://evil.test/a"), "200 404"),
    ("a cookie of 50 KiB", get(b"Cookie: " + b"a=b; " * 10_000 + b"\r\n" + CLOSE), "200"),
    ("50 KiB of query", get(CLOSE, b"/a?" + b"a=b&" * 12_000), "200 404"),
    ("JSON of 400,000 levels", post(b"Content-Length: 800000\r\n" + CLOSE, b"[" * 400_000 + b"]" * 400_000), "404"),
    ("JSON of a huge number", post(b"Content-Length: 100004\r\n" + CLOSE, b"1e99" + b"9" * 100_000), "404"),
    ("300 requests in one piece", b"GET /a HTTP/1.1\r\nHost: a\r\n\r\n" * 299 + get(CLOSE), "200"),
]


def put(path, body=b"", method=b"PUT"):
    return method + b" " + path + b" HTTP/1.1\r\n" + HEAD + CLOSE + b"Content-Length: %d\r\n\r\n" % len(body) + body


PATIENT_CONTROL = {"a chunk extension without end"}

# Some shapes are harmless where a parser takes them and the path is refused all the same.
CONTROL = [(name, text, REFUSED + " silence" * (name in PATIENT_CONTROL)) for name, text in SHAPES] + [
    ("upwards out of a folder", get(CLOSE, b"/../../../../etc/passwd"), "404"),
    ("the same in escapes", get(CLOSE, b"/%2e%2e%2f%2e%2e%2fetc/passwd"), "404"),
    ("a broken escape", get(CLOSE, b"/%zz"), "400"),
    ("a scope that is a path", put(b"/script?scope=../../etc", b"routes: []"), "400"),
    ("a file as a body", put(b"/script", b"routes: [{request: GET /x, reply: {body: {file: ../../etc/passwd}}}]"), "422"),
    ("300 fields", get(b"".join(b"X%d: y\r\n" % number for number in range(300)) + CLOSE, b"/ready"), "400 413 431 none"),
    ("a head of 100 KB", get(b"X: " + b"a" * 100_000 + b"\r\n" + CLOSE, b"/ready"), "400 413 431 none"),
    ("a page of the web", get(b"Origin: http://evil.test\r\n" + CLOSE, b"/ready"), "403"),
    ("JSON of 100,000 levels", put(b"/verify", b"[" * 100_000 + b"]" * 100_000, b"POST"), "400"),
    ("JSON of objects of 100,000 levels", put(b"/verify", b'{"a":' * 100_000, b"POST"), "400"),
    ("JSON of a huge number", put(b"/wait", b'{"count": 1e99999}', b"POST"), "400"),
    ("a whole number over 64 bits", put(b"/wait", b'{"count": 99999999999999999999}', b"POST"), "400"),
    ("no UTF-8", put(b"/wait", b'{"path": "\xff\xfe"}', b"POST"), "400"),
    ("half of a surrogate pair", put(b"/wait", b'{"timeout": 0, "path": "\\ud800"}', b"POST"), "400 408"),
    ("257 items", put(b"/verify", b'{"requests": [' + b"{}," * 256 + b"{}]}", b"POST"), "400"),
    ("a script that is no text", put(b"/script", b"\xff" * 1000), "400"),
    ("a signal's name without end", put(b"/signals/" + b"a" * 70_000, b"", b"POST"), "204 400 404 414 431"),
]


def yaml(text):
    return text if isinstance(text, bytes) else text.encode()


def aliases():
    """Nine levels of nine: a billion of texts, where aliases are followed."""
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    return "\n".join(lines)


def variables(levels, width):
    lines = ["vars:", "  v0: 0123456789"]
    lines += [f"  v{n}: {'$v%d' % (n - 1) * width}" for n in range(1, levels)]
    return "\n".join(lines) + f"\nroutes: [{{request: GET /bomb, reply: {{body: $v{levels - 1}}}}}]\n"


def variable_lists(levels, width):
    lines = ["vars:", "  v0: [0123456789]"]
    lines += [f"  v{n}: [{', '.join(['$v%d' % (n - 1)] * width)}]" for n in range(1, levels)]
    return "\n".join(lines) + f"\nroutes: [{{request: GET /bomb, reply: {{body: {{json: $v{levels - 1}}}}}}}]\n"


def route(reply):
    return f"routes: [{{request: GET /bomb, reply: {reply}}}]"


def compressed_routes(count):
    bodies = "".join(f"  b{n}: {{gzip-of: {{size: 64MiB, pattern: fill, byte: {n}}}}}\n" for n in range(count))
    return f"bodies:\n{bodies}routes:\n" + "".join(f"- {{request: GET /{n}, reply: {{body: b{n}}}}}\n" for n in range(count))


MISTAKE = "400 413 422"
BOMBS = [(name, yaml(text), wanted) for name, text, wanted in [
    ("a billion laughs", aliases(), MISTAKE),
    ("an alias of itself", "a: &a [*a]", MISTAKE),
    ("variables of variables", variables(40, 10), MISTAKE),
    ("lists of variables", variable_lists(18, 10), MISTAKE),
    ("100,000 levels of lists", "[" * 100_000, MISTAKE),
    ("100,000 levels of maps", "{a: " * 100_000, MISTAKE),
    ("10,000 levels of blocks", "\n".join(" " * n + "- " for n in range(1300)), MISTAKE),
    ("levels of indents", "- " * 100_000, MISTAKE),
    ("a text of 1 MB", "about: " + "x" * 1_000_000, "200 " + MISTAKE),
    ("a key of 1 MB", "x" * 1_000_000 + ": y", MISTAKE),
    ("a number of a million digits", route("{status: " + "9" * 1_000_000 + "}"), MISTAKE),
    ("a status over 64 bits", route("{status: 99999999999999999999}"), MISTAKE),
    ("a size over 64 bits", route("{body: {size: 99999999999999999999GiB, pattern: counter}}"), MISTAKE),
    ("a body of an exbibyte", route("{body: {size: 100000000000GiB, pattern: counter}}"), MISTAKE),
    ("a body of a pebibyte", route("{body: {size: 1000000GiB, pattern: counter}}"), "200 422"),
    ("a compressed pebibyte", route("{body: {gzip-of: {size: 1000000GiB, pattern: counter}}}"), MISTAKE),
    ("a compressed gibibyte of chance", route("{body: {gzip-of: {size: 1GiB, pattern: random, seed: 1}}}"), MISTAKE),
    ("32 MiB that take long to compress", route("{body: {gzip-of: {size: 32MiB, pattern: counter}}}"), "200"),
    ("a compressed gibibyte in pieces", compressed_routes(17), MISTAKE),
    ("a delay without end", route("{delay: 99999999999999999999d}"), MISTAKE),
    ("a billion of times", "routes: [{request: GET /bomb, times: 1000000000, reply: {body: x}}]", "200 " + MISTAKE),
    ("a billion of times in steps", "server: [{request: GET /bomb, times: 1000000000, reply: {body: x}}]", "200 " + MISTAKE),
    ("times over 64 bits", "routes: [{request: GET /bomb, times: 99999999999999999999, reply: {body: x}}]", MISTAKE),
    ("a million repetitions in an answer",
     route("{body: {size: 1GiB, pattern: counter}, send: [{repeat: 1000000000, do: [{bytes: 1}, {wait: 0ms}]}]}"), "200 " + MISTAKE),
    ("50,000 routes", "routes:\n" + "- {request: GET /a}\n" * 50_000, "200 " + MISTAKE),
    ("50,000 steps", "server:\n" + "- {request: GET /a}\n" * 50_000, "200 " + MISTAKE),
    ("50,000 mistakes", "routes:\n" + "- {nonsense: 1}\n" * 50_000, MISTAKE),
    ("100,000 equal keys", "a: 1\n" * 100_000, MISTAKE),
    ("90,000 fields", "routes: [{request: GET /bomb, reply: {headers: {" + ", ".join(f"X{n}: y" for n in range(90_000)) + "}}}]", "200 " + MISTAKE),
    ("20,000 cases", "cases:\n" + "".join(f"- {{name: c{n}, n: {n}}}\n" for n in range(20_000)) + "routes: [{request: GET /$n}]", "200 " + MISTAKE),
    ("an expression that goes back", "routes: [{request: GET /bomb, where: {headers: {X: {matches: '(a+)+b'}}}}]", "200 " + MISTAKE),
    ("expressions that each take long", "routes:\n" + "- {request: GET /bomb, where: {headers: {X: {matches: '(a?){30}a{30}b'}}}}\n" * 200, "200"),
    ("an expression of counts", "routes: [{request: GET /bomb, where: {headers: {X: {matches: '((a{1000}){1000}){1000}'}}}}]", MISTAKE),
    ("orders one behind the other", "server:\n- {request: GET /bomb}\nclient:\n- {task: t, request: GET /bomb}\nexpect:\n  t: ok\n  order:\n"
     + "".join(f"  - GET /{n} before GET /{n + 1}\n" for n in reversed(range(8_000))), "200 " + MISTAKE),
    ("a character that is none", 'about: "\\UFFFFFFFF"', MISTAKE),
    ("a tag", "about: !!python/object/apply:os.system [ls]", MISTAKE),
    ("many documents", "---\nabout: x\n" * 50_000, MISTAKE),
    ("directives", "%YAML 1.1\n" * 50_000 + "---\nabout: x", MISTAKE),
    ("comments only", "#\n" * 500_000, "200 " + MISTAKE),
]]
