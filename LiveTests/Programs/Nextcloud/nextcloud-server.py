"""As much of a Nextcloud server as the client `nextcloudcmd` asks for: status, capabilities, and WebDAV with etags of
folders that change with what is in them. `nextcloud-server.py FOLDER` prints its port and ends with its input."""

import hashlib
import os
import shutil
import sys
import threading
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from json import dumps
from urllib.parse import quote, unquote, urlsplit
from xml.sax.saxutils import escape

ROOT = os.path.realpath(sys.argv[1])
PREFIX = "/remote.php/dav/files/u"
LOCK = threading.Lock()
VERSION = {"major": 25, "minor": 0, "micro": 0, "string": "25.0.0", "edition": "", "extendedSupport": False}
STATUS = {
    "installed": True, "maintenance": False, "needsDbUpgrade": False, "version": "25.0.0.0",
    "versionstring": "25.0.0", "edition": "", "productname": "Nextcloud", "extendedSupport": False}
CAPABILITIES = {
    "version": VERSION,
    "capabilities": {
        "core": {"pollinterval": 60, "webdav-root": "remote.php/webdav"}, "dav": {"chunking": "1.0"},
        "files": {"bigfilechunking": False, "undelete": False, "versioning": False}}}


def etag(path):
    if not os.path.isdir(path):
        found = os.stat(path)
        text = f"{found.st_ino}-{found.st_mtime_ns}-{found.st_size}"
    else:
        text = str(os.stat(path).st_ino) + "".join(n + etag(os.path.join(path, n)) for n in sorted(os.listdir(path)))
    return hashlib.sha1(text.encode()).hexdigest()[:24]


def described(path):
    found, is_folder = os.stat(path), os.path.isdir(path)
    href = PREFIX + quote(path[len(ROOT):]) + ("/" if is_folder else "")
    length = "" if is_folder else f"<d:getcontentlength>{found.st_size}</d:getcontentlength>"
    return (
        f"<d:response><d:href>{escape(href)}</d:href><d:propstat><d:prop>"
        f"<d:resourcetype>{'<d:collection/>' if is_folder else ''}</d:resourcetype>{length}"
        f"<d:getlastmodified>{formatdate(found.st_mtime, usegmt=True)}</d:getlastmodified>"
        f'<d:getetag>"{etag(path)}"</d:getetag><oc:id>{found.st_ino:08d}ocfake</oc:id>'
        f"<oc:fileid>{found.st_ino}</oc:fileid><oc:size>{found.st_size}</oc:size>"
        f"<oc:permissions>{'RGDNVCK' if is_folder else 'RGDNVW'}</oc:permissions>"
        "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def answer(self, status, body=b"", kind="application/xml; charset=utf-8", headers=()):
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", len(body)), *headers):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def json(self, value):
        self.answer(200, dumps(value).encode(), "application/json")

    def place(self, url):
        """The file of a URL, or nothing."""
        path = unquote(urlsplit(url).path)
        return os.path.normpath(ROOT + path[len(PREFIX):]) if path.startswith(PREFIX) else None

    def dispatch(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url, place = urlsplit(self.path).path, self.place(self.path)
        with LOCK:
            if url.endswith("/status.php"):
                return self.json(STATUS)
            if "/ocs/" in url:
                data = CAPABILITIES if url.endswith("capabilities") else {"id": "u", "display-name": "u", "email": ""}
                return self.json({"ocs": {"meta": {"status": "ok", "statuscode": 200, "message": "OK"}, "data": data}})
            if place is None:
                return self.answer(404)
            return getattr(self, "dav_" + self.command)(place, body)

    do_GET = do_HEAD = do_PROPFIND = do_PUT = do_MKCOL = do_DELETE = do_MOVE = do_OPTIONS = dispatch

    def refuses(self, place):
        """Whether the file is not the one that the client means."""
        wanted = self.headers.get("If-Match")
        return wanted and (not os.path.exists(place) or etag(place) != wanted.strip('"'))

    def dav_PROPFIND(self, place, body):
        if not os.path.exists(place):
            return self.answer(404)
        inside = sorted(os.listdir(place)) if os.path.isdir(place) and self.headers.get("Depth") != "0" else []
        found = "".join(described(path) for path in [place] + [os.path.join(place, name) for name in inside])
        text = f'<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns">{found}</d:multistatus>'
        self.answer(207, text.encode())

    def dav_GET(self, place, body):
        if not os.path.isfile(place):
            return self.answer(404)
        with open(place, "rb") as file:
            self.answer(200, file.read(), "application/octet-stream", [("ETag", f'"{etag(place)}"')])

    def dav_PUT(self, place, body):
        if not os.path.isdir(os.path.dirname(place)):
            return self.answer(409)
        if self.refuses(place):
            return self.answer(412)
        is_new = not os.path.exists(place)
        with open(place, "wb") as file:
            file.write(body)
        if time := self.headers.get("X-OC-Mtime"):
            os.utime(place, (float(time), float(time)))
        tag, number = f'"{etag(place)}"', f"{os.stat(place).st_ino:08d}ocfake"
        self.answer(
            201 if is_new else 204,
            headers=[("ETag", tag), ("OC-ETag", tag), ("OC-FileId", number), ("X-OC-MTime", "accepted")])

    def dav_MKCOL(self, place, body):
        if os.path.exists(place):
            return self.answer(405)
        os.mkdir(place)
        self.answer(201, headers=[("OC-FileId", f"{os.stat(place).st_ino:08d}ocfake")])

    def dav_DELETE(self, place, body):
        if not os.path.exists(place):
            return self.answer(404)
        if self.refuses(place):
            return self.answer(412)
        (shutil.rmtree if os.path.isdir(place) else os.remove)(place)
        self.answer(204)

    def dav_MOVE(self, place, body):
        os.rename(place, self.place(self.headers["Destination"]))
        self.answer(201)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
