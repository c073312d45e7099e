"""Asks httpbin and `understudy serve --builtin` the same, and holds the answers against each other.

    cookbook.py HTTPBIN-URL UNDERSTUDY-URL

What Documentation/COOKBOOK.md says of differences is left out here.
"""
import http.client
import json
import re
import sys
import urllib.parse

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
PARTS = {"Content-Type": "multipart/form-data; boundary=B"}
MULTIPART = (
    b'--B\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhi\r\n'
    b'--B\r\nContent-Disposition: form-data; name="x"\r\n\r\ny\r\n--B--\r\n'
)
BASIC = {"Authorization": "Basic YTpi"}

# method, target, fields, body, fields of the answer that must be the same
REQUESTS = [
    ("GET", "/get", {}, None, ["Content-Type"]),
    ("GET", "/get?a=1&b=x+y&a=2&c=&d=%C3%A4", {"X-mine-TOO": "1"}, None, ["Access-Control-Allow-Origin"]),
    ("GET", "/get", {"Origin": "http://b.test"}, None, ["Access-Control-Allow-Origin", "Access-Control-Allow-Credentials"]),
    ("POST", "/post", FORM, b"a=1&b=2&a=3&c=%26", []),
    ("POST", "/post", {"Content-Type": "application/json"}, b'{"a": [1, null, "\\u00e9"], "b": 1.5}', []),
    ("POST", "/post", {"Content-Type": "application/json"}, b"{broken", []),
    ("POST", "/post", {"Content-Type": "text/plain"}, "Füße".encode(), []),
    ("POST", "/post", {"Content-Type": "application/octet-stream"}, b"\xff\xfe\x00", []),
    ("POST", "/post", PARTS, MULTIPART, []),
    ("PUT", "/put", {}, b"x", []), ("PATCH", "/patch", {}, b"x", []), ("DELETE", "/delete", {}, None, []),
    ("POST", "/anything/a/b?c=d", {}, b"x", []), ("DELETE", "/anything", {}, None, []), ("GET", "/anything", {}, None, []),
    ("GET", "/headers", {"X-A": "1"}, None, []), ("GET", "/ip", {}, None, []), ("GET", "/ip", {"X-Forwarded-For": "10.0.0.1"}, None, []),
    ("GET", "/user-agent", {"User-Agent": "me/1"}, None, []),
    ("POST", "/get", {}, b"", []),
    *[("GET", f"/status/{code}", {}, None, ["Location", "WWW-Authenticate", "Proxy-Authenticate"])
      for code in (200, 204, 301, 302, 303, 304, 307, 401, 404, 407, 500, 599)],
    ("PUT", "/status/201", {}, b"", []),
    ("GET", "/redirect/3", {}, None, ["Location"]), ("GET", "/redirect/1", {}, None, ["Location"]),
    ("GET", "/redirect/3?absolute=true", {}, None, ["Location"]), ("GET", "/relative-redirect/2", {}, None, ["Location"]),
    ("GET", "/absolute-redirect/2", {}, None, ["Location"]),
    ("GET", "/redirect-to?url=http://b.test/x", {}, None, ["Location"]),
    ("GET", "/redirect-to?url=/x&status_code=307", {}, None, ["Location"]),
    ("GET", "/cookies", {"Cookie": "a=1; b=2"}, None, []), ("GET", "/cookies/set?a=1&b=2", {}, None, ["Location", "Set-Cookie"]),
    ("GET", "/cookies/set/a/1", {}, None, ["Location", "Set-Cookie"]), ("GET", "/cookies/delete?a", {}, None, ["Location", "Set-Cookie"]),
    ("GET", "/basic-auth/a/b", {}, None, ["WWW-Authenticate"]), ("GET", "/basic-auth/a/b", BASIC, None, []),
    ("GET", "/basic-auth/a/c", BASIC, None, []), ("GET", "/hidden-basic-auth/a/b", {}, None, []),
    ("GET", "/hidden-basic-auth/a/b", BASIC, None, []), ("GET", "/bearer", {}, None, ["WWW-Authenticate"]),
    ("GET", "/bearer", {"Authorization": "Bearer t"}, None, []), ("GET", "/digest-auth/auth/a/b", {}, None, []),
    ("GET", "/cache", {"If-None-Match": '"x"'}, None, []), ("GET", "/cache", {"If-Modified-Since": "x"}, None, []),
    ("GET", "/cache", {}, None, []), ("GET", "/cache/60", {}, None, ["Cache-Control"]),
    ("GET", "/etag/v1", {}, None, []), ("GET", "/etag/v1", {"If-None-Match": '"v1"'}, None, []),
    ("GET", "/etag/v1", {"If-None-Match": '"v0", "v1"'}, None, []), ("GET", "/etag/v1", {"If-None-Match": "*"}, None, []),
    ("GET", "/etag/v1", {"If-Match": '"v2"'}, None, []), ("GET", "/etag/v1", {"If-Match": '"v1"'}, None, []),
    ("GET", "/response-headers?X-A=1&X-A=2&X-B=3", {}, None, ["X-A", "X-B"]),
    ("POST", "/response-headers?X-A=1", {}, b"", ["X-A"]),
    ("GET", "/range/100", {}, None, ["Accept-Ranges"]), ("GET", "/range/100", {"Range": "bytes=10-19"}, None, ["Content-Range"]),
    ("GET", "/range/100", {"Range": "bytes=90-"}, None, ["Content-Range"]), ("GET", "/range/100", {"Range": "bytes=-5"}, None, ["Content-Range"]),
    ("GET", "/range/100", {"Range": "bytes=200-"}, None, ["Content-Range"]),
    ("GET", "/drip?numbytes=5&duration=0.1", {}, None, ["Content-Type", "Content-Length"]),
    ("GET", "/drip?numbytes=3&duration=0&code=201", {}, None, []),
    ("GET", "/stream/3?a=1", {}, None, ["Content-Type"]), ("GET", "/delay/0.1", {}, None, []), ("POST", "/delay/0", FORM, b"a=1", []),
    ("GET", "/gzip", {"Accept-Encoding": "gzip"}, None, ["Content-Encoding"]), ("GET", "/robots.txt", {}, None, []),
    ("GET", "/brotli", {"Accept-Encoding": "br"}, None, ["Content-Encoding"]),
    ("GET", "/base64/aGVsbG8=", {}, None, []), ("GET", "/links/3/1", {}, None, []), ("GET", "/links/3", {}, None, ["Location"]),
    *[("GET", "/image", {"Accept": f"image/{kind}"}, None, ["Content-Type"]) for kind in ("png", "jpeg", "webp", "svg+xml")],
    ("GET", "/image/svg", {}, None, ["Content-Type"]), ("GET", "/image", {"Accept": "text/plain"}, None, []),
    ("GET", "/encoding/utf8", {}, None, ["Content-Type"]), ("GET", "/html", {}, None, ["Content-Type"]),
    ("GET", "/json", {}, None, ["Content-Type"]), ("GET", "/xml", {}, None, ["Content-Type"]),
    ("GET", "/bytes/100?seed=1", {}, None, ["Content-Type", "Content-Length"]),
    ("GET", "/stream-bytes/100?seed=1&chunk_size=10", {}, None, ["Content-Type", "Transfer-Encoding"]),
    ("HEAD", "/get", {}, None, ["Content-Type"]), ("OPTIONS", "/post", {}, None, []),
]
# Whose texts are each their own.
OWN_TEXT = re.compile(r"/(bytes|stream-bytes|encoding|html|json|xml|image|links|forms|status/4\d\d)")
# Fields that one of them adds by itself, or that say who asked.
NOT_SHOWN = {"Date", "Server", "Connection", "Content-Length"}


def ask(base, method, target, fields, body):
    url = urllib.parse.urlsplit(base)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
    connection.request(method, target, body=body, headers={"Accept-Encoding": "identity", **fields})
    response = connection.getresponse()
    content = response.read()
    if response.getheader("Content-Encoding") == "gzip":
        import gzip
        content = gzip.decompress(content)
    elif response.getheader("Content-Encoding") == "br":
        content = b""  # Python has nothing that undoes it
    connection.close()
    return response, content


def shown(base, response, content):
    """What of the answer has to be the same: JSON with the server's own address left out."""
    text = content.decode("utf-8", "replace").replace(urllib.parse.urlsplit(base).netloc, "HOST")
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines()] or text
    except ValueError:
        return text


def normal(value):
    if isinstance(value, dict):
        # httpbin decodes what it can of the URL.
        return {
            key: urllib.parse.unquote(item) if key == "url" else normal(item)
            for key, item in value.items() if key not in NOT_SHOWN
        }
    return [normal(item) for item in value] if isinstance(value, list) else value


def field(base, response, name):
    values = [value for key, value in response.getheaders() if key.lower() == name.lower()]
    values = sorted(value.replace(base, "BASE").replace("; charset=utf-8", "") for value in values)
    # Attributes in any order, and a date of the past in any spelling.
    return ["; ".join(sorted(re.sub(r"Expires=[^;]*", "Expires", part).strip() for part in value.split(";"))) for value in values]


def main(theirs, ours):
    failed = 0
    for method, target, fields, body, names in REQUESTS:
        (left, leftBody), (right, rightBody) = (ask(base, method, target, fields, body) for base in (theirs, ours))
        found = []
        if left.status != right.status:
            found.append(f"status {left.status} / {right.status}")
        for name in names:
            pair = field(theirs, left, name), field(ours, right, name)
            if pair[0] != pair[1]:
                found.append(f"{name}: {pair[0]} / {pair[1]}")
        if not OWN_TEXT.match(target) and left.status < 400:
            pair = normal(shown(theirs, left, leftBody)), normal(shown(ours, right, rightBody))
            isPage = isinstance(pair[0], str) and "<!doctype" in pair[0].lower()
            if pair[0] != pair[1] and not isPage:
                found.append(f"body: {pair[0]} / {pair[1]}")
        failed += bool(found)
        print(f"{'DIFFERS' if found else 'same'}  {method} {target} {fields if fields else ''}")
        for line in found:
            print(f"    {line}")
    print(f"{len(REQUESTS)} requests, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
