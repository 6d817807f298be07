"""A local stand-in of the Hugging Face Hub: the part of its HTTP interface that huggingface_hub uses for models.

Large files are stored as on the Hub: uploaded through LFS, and served from another host ("localhost" instead of
"127.0.0.1"), to which a request is redirected.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

PAGE = 2  # files on one page of a listing
TOKEN = "hf_readAndWrite0123456789"  # may do everything


@dataclass
class Repository:
    """A model on the Hub: its files by commit, and the commits that its branches and tags name."""

    private: bool = False
    gated: bool = False
    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)

    def commit(self, files: Mapping[str, bytes], message: str = "", branch: str = "main") -> str:
        """Add a commit with exactly these files; return its name."""
        sha = hashlib.sha1(f"{len(self.commits)} {branch} {message}".encode()).hexdigest()
        self.commits[sha] = dict(files)
        self.refs[branch] = sha
        self.messages.append(message)
        return sha

    def found(self, revision: str) -> str | None:
        """Return the commit of a branch, a tag or a commit."""
        return revision if revision in self.commits else self.refs.get(revision)

    def files(self, revision: str = "main") -> dict[str, bytes]:
        """Return the files of a revision."""
        return self.commits[self.refs.get(revision, revision)]


@dataclass(frozen=True)
class Request:
    """A request that the stand-in got."""

    method: str
    path: str
    host: str
    token: str
    agent: str


@dataclass(frozen=True)
class Reply:
    """An answer: JSON, or bytes."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
        """Return a JSON object or list."""
        return cls(status, json.dumps(value).encode(), {"Content-Type": "application/json", **(headers or {})})


def refused(status: int, code: str) -> Reply:
    return Reply.of({"error": code}, status, {"X-Error-Code": code, "X-Error-Message": code})


class Hub:
    """The state of the stand-in, and its routes."""

    def __init__(self) -> None:
        self.address = ""
        self.repositories: dict[str, Repository] = {}
        self.stored: dict[str, bytes] = {}  # LFS objects by SHA-256
        self.requests: list[Request] = []
        model = r"/api/models/(?P<name>[^/]+/[^/]+)"
        self.routes: list[tuple[str, re.Pattern[str], Callable[..., Reply]]] = [
            ("GET", re.compile(rf"{model}(?:/revision/(?P<revision>[^/]+))?"), self.info),
            ("GET", re.compile(rf"{model}/tree/(?P<revision>[^/]+)"), self.tree),
            ("HEAD|GET", re.compile(r"/(?P<name>[^/]+/[^/]+)/resolve/(?P<revision>[^/]+)/(?P<path>.+)"), self.resolve),
            ("GET", re.compile(r"/cdn/(?P<digest>\w+)"), self.cdn),
            ("POST", re.compile("/api/repos/create"), self.create),
            ("POST", re.compile(rf"{model}/branch/(?P<branch>[^/]+)"), self.branch),
            ("POST", re.compile("/api/validate-yaml"), self.validate),
            ("POST", re.compile(rf"{model}/preupload/(?P<revision>[^/]+)"), self.preupload),
            ("POST", re.compile(r"/(?P<name>[^/]+/[^/]+)\.git/info/lfs/objects/batch"), self.batch),
            ("PUT", re.compile(r"/lfs/(?P<digest>\w+)"), self.store),
            ("POST", re.compile("/lfs-verify"), self.verify),
            ("POST", re.compile(rf"{model}/commit/(?P<revision>[^/]+)"), self.commit),
        ]

    def answer(self, request: Request, body: bytes) -> Reply:
        """Answer a request; an unknown one is an error of the test."""
        self.requests.append(request)
        split = urlsplit(request.path)
        for methods, pattern, route in self.routes:
            match = pattern.fullmatch(split.path)
            if match and request.method in methods.split("|"):
                given = {name: unquote(text) for name, text in match.groupdict().items() if text is not None}
                if (name := given.get("name")) and (refusal := self._refusal(name, request.token)):
                    return refusal
                if "query" in route.__annotations__:
                    given["query"] = {key: values[0] for key, values in parse_qs(split.query).items()}  # type: ignore[assignment]
                if "body" in route.__annotations__:
                    given["body"] = body  # type: ignore[assignment]
                return route(**given)
        return refused(501, f"NoRoute {request.method} {request.path}")

    def asked(self, method: str = "") -> list[str]:
        """Return the paths of the requests, without their queries."""
        return [urlsplit(one.path).path for one in self.requests if method in ("", one.method)]

    def _refusal(self, name: str, token: str) -> Reply | None:
        repository = self.repositories.get(name)
        if repository is None or (repository.private and token != TOKEN):
            return refused(401 if token != TOKEN else 404, "RepoNotFound")
        return refused(403, "GatedRepo") if repository.gated else None

    # Reading

    def info(self, name: str, revision: str = "main") -> Reply:
        repository = self.repositories[name]
        sha = repository.found(revision)
        if sha is None and not (revision == "main" and not repository.commits):
            return refused(404, "RevisionNotFound")
        files = repository.commits[sha] if sha else {}
        siblings = [{"rfilename": path} for path in files]
        return Reply.of({"id": name, "sha": sha, "private": repository.private, "siblings": siblings, "tags": []})

    def tree(self, name: str, revision: str, query: dict[str, str]) -> Reply:
        sha = self.repositories[name].found(revision)
        if sha is None:
            return refused(404, "RevisionNotFound")
        files = list(self.repositories[name].commits[sha].items())
        start = int(query.get("cursor", 0))
        entries = [self._entry(path, content) for path, content in files[start : start + PAGE]]
        following = f"{self.address}/api/models/{name}/tree/{revision}?recursive=true&cursor={start + PAGE}"
        more = {"Link": f'<{following}>; rel="next"'} if start + PAGE < len(files) else {}
        return Reply.of(entries, headers=more)

    @staticmethod
    def _entry(path: str, content: bytes) -> dict[str, Any]:
        entry: dict[str, Any] = {"type": "file", "path": path, "size": len(content), "oid": blob(content)}
        if is_large(path):
            entry["lfs"] = {"oid": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 134}
        return entry

    def resolve(self, name: str, revision: str, path: str) -> Reply:
        sha = self.repositories[name].found(revision)
        if sha is None:
            return refused(404, "RevisionNotFound")
        content = self.repositories[name].commits[sha].get(path)
        if content is None:
            return refused(404, "EntryNotFound")
        if not is_large(path):
            return Reply(200, content, {"X-Repo-Commit": sha, "ETag": f'"{blob(content)}"'})
        digest = hashlib.sha256(content).hexdigest()
        self.stored[digest] = content
        linked = {"X-Linked-Etag": f'"{digest}"', "X-Linked-Size": str(len(content))}
        place = self.address.replace("127.0.0.1", "localhost")
        return Reply(302, b"", {"X-Repo-Commit": sha, "Location": f"{place}/cdn/{digest}", **linked})

    def cdn(self, digest: str) -> Reply:
        return Reply(200, self.stored[digest], {"ETag": f'"{digest}"'})

    # Writing

    def create(self, body: bytes) -> Reply:
        if self.requests[-1].token != TOKEN:
            return refused(401, "Unauthorized")
        wanted = json.loads(body)
        name = f"{wanted['organization']}/{wanted['name']}"
        url = {"url": f"{self.address}/{name}"}
        if name in self.repositories:
            return Reply.of({"error": "You already created this model repo", **url}, 409)
        self.repositories[name] = Repository(
            private="private" in (wanted.get("visibility"), wanted.get("private") and "private")
        )
        self.repositories[name].commit({".gitattributes": b"*.safetensors filter=lfs\n"}, "initial commit")
        return Reply.of(url)

    def branch(self, name: str, branch: str) -> Reply:
        repository = self.repositories[name]
        if branch in repository.refs:
            return refused(409, "Reference already exists")
        repository.refs[branch] = repository.refs["main"]
        return Reply.of({}, 201)

    def validate(self, body: bytes) -> Reply:
        assert json.loads(body)["content"].startswith("---\n")
        return Reply.of({"errors": [], "warnings": []})

    def preupload(self, name: str, revision: str, body: bytes) -> Reply:
        there = self.repositories[name].files(revision)
        files = []
        for one in json.loads(body)["files"]:
            path = one["path"]
            oid = {"oid": oid_of(path, there[path])} if path in there else {}
            files.append({"path": path, "uploadMode": mode(path), "shouldIgnore": False, **oid})
        return Reply.of({"files": files})

    def batch(self, name: str, body: bytes) -> Reply:
        objects = []
        for one in json.loads(body)["objects"]:
            actions = {
                "upload": {"href": f"{self.address}/lfs/{one['oid']}"},
                "verify": {"href": f"{self.address}/lfs-verify"},
            }
            objects.append(one if one["oid"] in self.stored else {**one, "actions": actions})
        return Reply.of({"transfer": "basic", "objects": objects})

    def store(self, digest: str, body: bytes) -> Reply:
        if hashlib.sha256(body).hexdigest() != digest:
            return refused(400, "WrongDigest")
        self.stored[digest] = body
        return Reply()

    def verify(self, body: bytes) -> Reply:
        wanted = json.loads(body)
        there = self.stored.get(wanted["oid"])
        return Reply.of({}) if there is not None and len(there) == wanted["size"] else refused(404, "EntryNotFound")

    def commit(self, name: str, revision: str, body: bytes) -> Reply:
        if self.requests[-1].token != TOKEN:
            return refused(403, "Forbidden")
        repository = self.repositories[name]
        files = dict(repository.files(revision))
        summary = ""
        for line in map(json.loads, body.decode().splitlines()):
            value = line["value"]
            match line["key"]:
                case "header":
                    summary = value["summary"]
                case "file":
                    files[value["path"]] = base64.b64decode(value["content"])
                case "lfsFile":
                    files[value["path"]] = self.stored[value["oid"]]
                case "deletedFile":
                    del files[value["path"]]
        sha = repository.commit(files, summary, revision)
        url = f"{self.address}/{name}/commit/{sha}"
        return Reply.of({"success": True, "commitOid": sha, "commitUrl": url})


def is_large(path: str) -> bool:
    return path.endswith((".safetensors", ".bin"))


def mode(path: str) -> str:
    return "lfs" if is_large(path) else "regular"


def oid_of(path: str, content: bytes) -> str:
    """Return the id of a file in its storage."""
    return hashlib.sha256(content).hexdigest() if is_large(path) else blob(content)


def blob(content: bytes) -> str:
    """Return the id that git gives a file."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@contextmanager
def hub_server() -> Iterator[Hub]:
    """Run the stand-in; yield its state, with the address for HF_ENDPOINT."""
    hub = Hub()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:  # names required by http.server
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(length) if length else self._chunks()
            token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
            agent = self.headers.get("User-Agent") or ""
            reply = hub.answer(Request(self.command, self.path, self.headers["Host"], token, agent), body)
            self.send_response(reply.status)
            for name, value in {**reply.headers, "Content-Length": str(len(reply.body))}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(reply.body)

        do_HEAD = do_POST = do_PUT = do_GET  # noqa: N815

        def _chunks(self) -> bytes:
            body = b""
            if self.headers.get("Transfer-Encoding") == "chunked":
                while size := int(self.rfile.readline(), 16):
                    body += self.rfile.read(size)
                    self.rfile.readline()
                self.rfile.readline()
            return body

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # name required by http.server
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hub.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
