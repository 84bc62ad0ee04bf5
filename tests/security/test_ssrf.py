"""No address leads into a private network: not written in any form, not by name, redirect, robots.txt or browser."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpcore2
import pytest
from loopback import Loopback, Reply, article

from duramen import FetchOptions, Session
from duramen.errors import BadUrl, FetchError, OptionError, PrivateAddress
from duramen.fetch import address

FORMS = """
http://127.0.0.1/  http://127.1/  http://127.0.1/  http://2130706433/  http://0x7f000001/  http://0x7f.0x0.0x0.0x1/
http://0177.0.0.1/  http://017700000001/  http://0x7f.1/  http://127.0.0.1./  http://127.0.0.1:8080/  https://127.0.0.1/
http://127.127.127.127/  http://0/  http://0.0.0.0/  http://0x0/  http://00000/  http://①②⑦.⓪.⓪.①/  http://１２７.０.０.１/
http://127。0。0。1/  http://%31%32%37%2e%30%2e%30%2e%31/  http:127.0.0.1/  http:/127.0.0.1/  http:///127.0.0.1/
http://localhost/  http://LOCALHOST/  http://localhost./  http://loc%61lhost/  http://ⓛocalhost/  http://localhost%2e/
http://[::1]/  http://[::]/  http://[0:0:0:0:0:0:0:1]/  http://[0000:0000:0000:0000:0000:0000:0000:0001]/
http://[::ffff:127.0.0.1]/  http://[::ffff:7f00:1]/  http://[0:0:0:0:0:ffff:7f00:0001]/  http://[::ffff:10.0.0.1]/
http://[::ffff:a9fe:a9fe]/  http://[::127.0.0.1]/  http://[::7f00:1]/  http://[::ffff:0:127.0.0.1]/
http://[64:ff9b::127.0.0.1]/  http://[64:ff9b::a9fe:a9fe]/  http://[64:ff9b:1::10.0.0.1]/  http://[2002:7f00:1::]/
http://[2002:a00:1::1]/  http://[2001:0:7f00:1::]/  http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/  http://[fe80::1]/
http://[fec0::1]/  http://[fc00::1]/  http://[fd00:ec2::254]/latest/meta-data/  http://[ff02::1]/  http://[100::1]/
http://10.0.0.1/  http://10.1/  http://167772161/  http://172.16.0.1/  http://172.31.255.255/  http://192.168.0.1/
http://192.168.257/  http://3232235521/  http://169.254.169.254/latest/meta-data/  http://2852039166/
http://0xa9fea9fe/  http://0251.0376.0251.0376/  http://169.254.43518/  http://169.254.170.2/v2/credentials
http://100.100.100.200/latest/meta-data/  http://100.64.0.1/  http://198.18.0.1/  http://192.0.0.192/opc/v2/
http://192.0.2.1/  http://203.0.113.7/  http://224.0.0.1/  http://255.255.255.255/  http://240.0.0.1/
http://127.0.0.1:6666\\@1.1.1.1/  http://1.1.1.1\\@127.0.0.1/  http://1.1.1.1@127.0.0.1/  http://a:b@127.0.0.1/
http://127.0.0.1#@1.1.1.1/  http://127.0.0.1?@1.1.1.1/  http://1.1.1.1&@127.0.0.1#@1.1.1.1/  http://127.0.0.1%00.wood.example/
http://127.0.0.1:22/  http://wood.example:25/  http://[::1%25lo]/  http://[::1%lo]/  http://[127.0.0.1]/
file:///etc/passwd  file://localhost/etc/passwd  ftp://127.0.0.1/  gopher://127.0.0.1:6379/_INFO  dict://127.0.0.1:11211/
data:text/html,hello  javascript:alert(1)  ws://127.0.0.1/  ldap://127.0.0.1/  unix:///run/docker.sock  view-source:http://127.0.0.1/
blob:http://127.0.0.1/x  jar:http://127.0.0.1!/x  about:blank  http://  http://?  //127.0.0.1/  127.0.0.1  http://.../  http://%/
http://private.example/  http://both.example/  http://mapped.example/  http://nat64.example/  http://zone.example/
http://metadata.google.internal/computeMetadata/v1/  http://sub.localhost/
""".split()

NAMES = {
    "private.example": ["10.1.2.3"],
    "both.example": ["93.184.215.14", "2606:4700::1", "127.0.0.1"],
    "mapped.example": ["::ffff:192.168.0.1"],
    "nat64.example": ["64:ff9b::7f00:1"],
    "zone.example": ["fe80::1%2"],
    "metadata.google.internal": ["169.254.169.254"],
    "sub.localhost": ["127.0.0.1"],
}


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every address that a connection was tried to."""
    tried: list[str] = []
    real = socket.getaddrinfo

    async def connect(self: object, host: str, port: int, *_: Any) -> object:
        tried.append(host)
        raise httpcore2.ConnectError("not in a test")

    def look_up(host: str, port: int, **more: Any) -> list[Any]:
        if host in NAMES:
            return [(socket.AF_INET, 1, 6, "", (each, port)) for each in NAMES[host]]
        return list(real(host, port, **more))

    monkeypatch.setattr(httpcore2.AnyIOBackend, "connect_tcp", connect)
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return tried


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(fetch=FetchOptions(delay=0, retries=0, render="never")) as session:
        yield session


def test_there_are_enough_forms() -> None:
    assert len(set(FORMS)) >= 100


@pytest.mark.parametrize("url", FORMS)
def test_refused(url: str, session: Session, connected: list[str]) -> None:
    for ignore_robots in (False, True):
        with pytest.raises((PrivateAddress, BadUrl)) as caught:
            session.fetch(url, ignore_robots=ignore_robots)
        assert caught.value.advice and "\n" not in str(caught.value)
    assert connected == []


def test_public_addresses_are_tried(session: Session, connected: list[str]) -> None:
    """The control: the same session does go to public addresses."""
    with pytest.raises(FetchError, match="no connection"):
        session.fetch("http://93.184.215.14/")
    assert connected == ["93.184.215.14"]


@pytest.fixture
def public_and_private(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Loopback, Loopback]]:
    """Two servers on this machine; the first is taken for one on the internet."""
    real = address.is_public
    monkeypatch.setattr(address, "is_public", lambda ip: str(ip) == "127.0.0.1" or real(ip))
    with Loopback("127.0.0.1") as public, Loopback("127.0.0.2") as private:
        private.page("/", article("A secret"))
        private.routes["/robots.txt"] = Reply("User-agent: *\nAllow: /\n")
        yield public, private


def test_redirects(public_and_private: tuple[Loopback, Loopback], session: Session) -> None:
    public, private = public_and_private
    public.routes["/"] = Reply(status=302, headers={"Location": "/again"})
    public.routes["/again"] = Reply(status=307, headers={"Location": private.url()})
    with pytest.raises(PrivateAddress) as caught:
        session.fetch(public.url())
    assert caught.value.url == private.url()
    public.page("/meta", f'<meta http-equiv=refresh content="0;url={private.url()}">')
    with pytest.raises(PrivateAddress):
        session.fetch(public.url("/meta"), ignore_robots=True)
    assert private.connections == 0 and public.connections


def test_robots(public_and_private: tuple[Loopback, Loopback]) -> None:
    public, private = public_and_private
    public.routes["/robots.txt"] = Reply(status=302, headers={"Location": private.url("/robots.txt")})
    public.page("/", article())
    with Session(fetch=FetchOptions(delay=0, render="never")) as session, pytest.raises(PrivateAddress):
        session.fetch(public.url())
    assert private.connections == 0


def test_names_that_change(public_and_private: tuple[Loopback, Loopback], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each connection has one look-up, and goes where that pointed to; the next look-up is checked again."""
    public, _ = public_and_private
    answers = ["127.0.0.1", "127.0.0.2"]
    looked_up: list[str] = []

    def look_up(host: str, port: int, **_: Any) -> list[Any]:
        looked_up.append(host)
        return [(socket.AF_INET, 1, 6, "", (answers[min(len(looked_up), len(answers)) - 1], port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    public.page("/", article())
    with Session(fetch=FetchOptions(delay=0, robots=False, render="never")) as session:
        assert session.fetch(public.url("/", host="rebind.example")).status == 200
        assert looked_up == ["rebind.example"]
    with Session(fetch=FetchOptions(delay=0, robots=False, render="never")) as session, pytest.raises(PrivateAddress):
        session.fetch(public.url("/", host="rebind.example"))


def test_they_can_be_allowed(public_and_private: tuple[Loopback, Loopback]) -> None:
    _, private = public_and_private
    with Session(fetch=FetchOptions(delay=0, allow_private=True, render="never")) as session:
        assert session.extract(private.url()).title == "A secret"


REACHING = """<!DOCTYPE html><title>Reaching out</title><body><div id=root></div>
<link rel=preconnect href="{private}"><link rel=dns-prefetch href="{private}">
<link rel=prefetch href="{private}/prefetch"><link rel=stylesheet href="{private}/style.css">
<link rel=modulepreload href="{private}/module.js"><link rel=preload as=fetch href="{private}/preload" crossorigin>
<link rel=manifest href="{private}/manifest"><link rel=icon href="{private}/icon">
<style>@import "{private}/import.css"; body {{ background: url("{private}/background") }}
@font-face {{ font-family: x; src: url("{private}/font") }} body {{ font-family: x }}</style>
<embed src="{private}/embed"><script type=module>import("{private}/imported.js").catch(() => 0)</script>
<script src="{private}/script.js"></script><img src="{private}/image.png"><video src="{private}/video"></video>
<iframe src="{private}/frame"></iframe><object data="{private}/object"></object>
<script type=speculationrules>{{"prerender": [{{"urls": ["{private}/prerender"]}}]}}</script>
<script>
const put = (name, values) => document.body.appendChild(Object.assign(document.createElement(name), values));
const worker = "fetch('{private}/worker', {{mode: 'no-cors'}}).catch(() => 0)" +
  ".then(() => {{ if (self.postMessage) postMessage(0) }});" +
  "try {{ new WebSocket('{socket}/worker-socket') }} catch {{}}" +
  "try {{ new WebTransport('https://127.0.0.2:{port}/').ready.catch(() => 0) }} catch {{}}" +
  "try {{ importScripts('{private}/worker-script') }} catch {{}}";
const frame = document.body.appendChild(document.createElement('iframe')).contentWindow;
const answered = [
  () => fetch('{private}/fetch', {{mode: 'no-cors'}}),
  () => fetch('/to-private'),
  () => new Promise((end) => {{
    const x = new XMLHttpRequest(); x.onloadend = end; x.open('GET', '{private}/xhr'); x.send();
  }}),
  () => new Promise((end) => {{ new Worker(URL.createObjectURL(new Blob([worker]))).onmessage = end }}),
];
const tries = [
  () => navigator.sendBeacon('{private}/beacon'),
  () => {{ new WebSocket('{socket}/socket') }},
  () => {{ new EventSource('{private}/events') }},
  () => navigator.serviceWorker.register('/service-worker.js'),
  () => {{ open('{private}/popup') }},
  () => put('form', {{action: '{private}/form', method: 'POST', target: '_blank'}}).submit(),
  () => put('a', {{href: '{private}/ping-page', ping: '{private}/ping', target: '_blank'}}).click(),
  () => {{ new SharedWorker('data:text/javascript,' + encodeURIComponent(worker)) }},
  // To another server this is no download, but a way to leave.
  () => {leaves} && put('a', {{href: '{private}/download', download: 'x'}}).click(),
  () => new WebTransport('https://127.0.0.2:{port}/').ready,
  () => call(RTCPeerConnection),
  () => call(frame.RTCPeerConnection),
  () => {{ new frame.WebSocket('{socket}/frame-socket') }},
];
function call(Peer) {{
  const peer = new Peer({{iceServers: [{{urls: 'stun:127.0.0.2:{port}'}}]}});
  peer.createDataChannel('x');
  return peer.createOffer().then((offer) => peer.setLocalDescription(offer));
}}
Promise.allSettled(answered.map((each) => each())).then(() => put('i', {{id: 'answered'}}));
for (const each of tries) {{ try {{ const p = each(); if (p && p.catch) p.catch(() => 0); }} catch (e) {{}} }}
root.innerHTML = {content};
if ({leaves}) setTimeout(() => {{ location.href = '{private}/navigation' }}, 200);
</script>"""


def reaching(public: Loopback, private: Loopback, *, leaves: bool = True) -> None:
    """The public server has a page that tries to reach the private one, and at last leaves for it."""
    words = {"private": private.url("").rstrip("/"), "port": private.port, "content": repr(article("Public words"))}
    words["leaves"] = "true" if leaves else "false"
    words["socket"] = str(words["private"]).replace("http:", "ws:")
    public.page("/", REACHING.format(**words))
    public.routes["/to-private"] = Reply(status=302, headers={"Location": private.url("/redirected")})
    public.page("/service-worker.js", f"fetch('{private.url('/service')}')", "text/javascript")


@contextmanager
def datagrams(port: int) -> Iterator[list[bytes]]:
    """What comes to the private machine by UDP, which is how WebRTC and QUIC go; complete when the block is left."""
    found: list[bytes] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.2", port))
        listening.setblocking(False)
        yield found
        with suppress(BlockingIOError):
            while True:
                found.append(listening.recv(2000))


@pytest.mark.browser
@pytest.mark.parametrize("engine", ["chromium", "firefox"])
def test_browser(public_and_private: tuple[Loopback, Loopback], engine: str, request: pytest.FixtureRequest) -> None:
    """A page that tries everything it can: its browser gets no connection to the private server."""
    browser = request.getfixturevalue(engine)
    public, private = public_and_private
    reaching(public, private)
    with (
        datagrams(private.port) as received,
        Session(fetch=FetchOptions(delay=0, render="always", browser=browser, timeout=300)) as session,
    ):
        try:
            result = session.extract(public.url())
        except OptionError as error:
            pytest.skip(str(error))
    assert "paragraph 4 of Public words" in result.text, result.trace.steps
    assert any(step.startswith("blocked") for step in result.trace.steps)
    assert private.connections == 0 and received == []
    # Firefox gives up what is under way when the page wants to go elsewhere.
    assert "/to-private" in public.paths() or engine == "firefox"


@pytest.mark.browser
def test_browser_control(public_and_private: tuple[Loopback, Loopback], chromium: str) -> None:
    """The same page does reach the other server where that is allowed.

    It does not leave, and is read when its requests were answered: on a busy machine they may be made late.
    """
    public, private = public_and_private
    reaching(public, private, leaves=False)
    settings = FetchOptions(
        delay=0, render="always", browser=chromium, allow_private=True, timeout=300, wait_for="#answered"
    )
    with Session(fetch=settings) as session:
        result = session.extract(public.url())
    assert "waited for #answered" in result.trace.steps
    assert {"/fetch", "/xhr", "/script.js", "/redirected", "/import.css", "/worker"} <= set(private.paths())


@pytest.mark.browser
def test_browser_looks_names_up_once(
    public_and_private: tuple[Loopback, Loopback], chromium: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that points inside from its second look-up on is never connected to after that."""
    public, private = public_and_private
    count: dict[str, int] = {}
    real = socket.getaddrinfo

    def look_up(host: str, port: int, **more: Any) -> list[Any]:
        if not host.endswith(".example"):
            return list(real(host, port, **more))
        count[host] = count.get(host, 0) + 1
        # The page's own name is public at first; the other one is inside all the time.
        inside = host == "inside.example" or count[host] > 1
        target = "127.0.0.2" if inside else "127.0.0.1"
        return [(socket.AF_INET, 1, 6, "", (target, port))]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    script = (
        f"Promise.allSettled([fetch('{private.url('/a', host='inside.example')}', {{mode: 'no-cors'}}),"
        f"fetch('{private.url('/b', host='rebind.example')}', {{mode: 'no-cors'}})])"
    )
    public.page("/", article("Rebinding", more=f"<script>{script}</script>"))
    settings = FetchOptions(delay=0, robots=False, render="always", browser=chromium, timeout=300)
    with Session(fetch=settings) as session:
        result = session.extract(public.url("/", host="rebind.example"))
    assert result.url == public.url("/", host="rebind.example")
    assert count.get("inside.example", 0) >= 1, result.trace.steps
    assert count["rebind.example"] >= 2 and private.connections == 0
