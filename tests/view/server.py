#!/usr/bin/python3
"""The server of `scree view`: what it hands out, and that nothing else can be had from it, whatever is sent."""
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "app"), str(ROOT / "tools")]
from harness import Case, SCREE, default_signals  # noqa: E402
from vtp import read_vtp  # noqa: E402

if "without the viewer" in subprocess.run([SCREE, "view", "."], capture_output=True, text=True).stderr:
    print("skipped: this scree was built without the viewer, for want of node and npm")
    sys.exit(77)

TYPES = {"float32": "<f4", "float64": "<f8", "uint8": "<u1", "uint16": "<u2", "uint32": "<u4", "int16": "<i2", "int32": "<i4"}


def read_pack(data):
    """Another reader of packs than the viewer's own."""
    magic, version, size, zero = struct.unpack("<4sIII", data[:16])
    assert (magic, version, zero, size % 8) == (b"SCRV", 1, 0, 0)
    header, block = json.loads(data[16:16 + size]), data[16 + size:]
    arrays = {}
    for entry in header["arrays"]:
        assert entry["offset"] % 8 == 0
        width, count, kind = entry["components"], entry["count"], np.dtype(TYPES[entry["type"]])
        stored = 1 if entry["coding"] in ("constant", "counting") else count
        values = np.frombuffer(block, kind, stored * width, entry["offset"]).reshape(-1, width).astype("f8")
        if entry["coding"] == "constant":
            values = np.tile(values, (count, 1))
        elif entry["coding"] == "counting":
            values = values + np.arange(count)[:, None]
        elif entry["coding"] == "steps":
            low, high = np.array(entry["low"]), np.array(entry["high"])
            values = low + values * (high - low) / 65535
        arrays[entry["name"]] = values
    return header, arrays


def read_stream(data, before):
    """Another reader of the frames of exported pages (src/view/frame_stream.h) than the viewer's own."""
    magic, version, size, zero = struct.unpack("<4sIII", data[:16])
    assert (magic, version, zero) == (b"SCRF", 1, 0)
    header, block, at = json.loads(data[16:16 + size]), np.frombuffer(data, "u1", offset=16 + size), 0

    def planes(count, width):
        nonlocal at
        values = sum(block[at + k * count:at + (k + 1) * count].astype("u8") << (8 * k) for k in range(width))
        at += count * width
        return values if count else np.zeros(0, "u8")

    runs = planes(header["runs"], 4)
    keeps = np.repeat(np.arange(len(runs)) % 2 == 1, runs.astype(int))
    kept = np.flatnonzero(keeps)
    added = np.cumsum(planes(header["added"], 4) << 32 | planes(header["added"], 4), dtype="u8") if header["added"] else np.zeros(0, "u8")
    old = before["keys"][kept] if header["follows"] else np.zeros(0, "u8")
    keys = np.concatenate([old, added])
    order = np.argsort(keys, kind="stable")
    come_from = np.concatenate([kept, np.full(len(added), -1)])[order].astype(int)
    keys = keys[order]
    assert len(keys) == header["rows"] and (np.diff(keys.astype("i8")) > 0).all()
    stored, arrays = {}, {}
    for column in header["columns"]:
        width, name, most = column["components"], column["name"], (1 << (8 * column["bytes"])) - 1
        values = planes(header["rows"] * width, column["bytes"]).reshape(width, -1).T.astype("i8")
        if column["changes"]:
            values = np.where(values & 1, ~(values >> 1), values >> 1)
            base = np.zeros_like(values)
            known = come_from >= 0
            base[known] = before["stored"][name][come_from[known]]
            values = (values + base) & most
        stored[name] = values
        part = values / most
        if column["scale"] == "whole":
            arrays[name] = values
        else:
            low, high = np.array(column["low"]), np.array(column["high"])
            arrays[name] = low + (high - low) * (part**2 if column["scale"] == "root" else part)
    assert at == len(block)
    return {"header": header, "keys": keys, "stored": stored, "arrays": arrays}


class Server:
    def __init__(self, folder, run, *arguments):
        self.process = subprocess.Popen([SCREE, "view", run, "--no-browser", *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=default_signals)
        self.address = self.process.stdout.readline().strip()
        self.port = int(self.address.rsplit(":", 1)[1].strip("/")) if self.address else 0

    def get(self, path, method="GET", headers=None, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in {"Host": f"127.0.0.1:{self.port}", **(headers or {})}.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, data, answer

    def raw(self, data, timeout=5):
        """Sends bytes as they are; what comes back until the server closes, or nothing more comes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout) as link:
            received = b""
            try:
                link.sendall(data)
                link.shutdown(socket.SHUT_WR)
                while chunk := link.recv(65536):
                    received += chunk
            except (TimeoutError, ConnectionError):
                pass
            return received

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=10)


class View(Case):
    @classmethod
    def setUpClass(cls):
        """One run for all tests, which only read it."""
        cls.made = pathlib.Path(__import__("tempfile").mkdtemp(prefix="scree_view_"))
        import harness
        (cls.made / "scene.toml").write_text(harness.SCENE)
        subprocess.run([SCREE, "run", "scene.toml", "-o", "run", "-q", "--until", "0.1"], cwd=cls.made, check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.made)

    def setUp(self):
        super().setUp()
        shutil.copytree(self.made / "run", self.folder / "run")
        self.server = Server(self.folder, "run", "--port", "0")
        self.assertTrue(self.server.address.startswith("http://127.0.0.1:"), "no address: is the viewer built in?")

    def tearDown(self):
        if self.server.process.poll() is None:
            _, err = self.server.end()
            self.assertEqual(self.server.process.returncode, 0, err)
        self.server.process.stdout.close()
        self.server.process.stderr.close()
        super().tearDown()

    def assert_alive(self):
        status, data, _ = self.server.get("/api/run")
        self.assertEqual(status, 200)
        return json.loads(data)

    # ------------------------------------------------------------------ what it is for

    def test_page_script_and_style(self):
        for path, kind in (("/", "text/html"), ("/viewer.js", "text/javascript"), ("/viewer.css", "text/css")):
            status, data, answer = self.server.get(path)
            self.assertEqual(status, 200)
            self.assertTrue(answer.headers["Content-Type"].startswith(kind))
            self.assertGreater(len(data), 200)
            head_status, nothing, head = self.server.get(path, "HEAD")
            self.assertEqual((head_status, nothing, head.headers["Content-Length"]), (200, b"", str(len(data))))

    def test_run_is_told(self):
        about = self.assert_alive()
        record = self.record("run")
        self.assertEqual(about["run"], record)
        self.assertEqual(about["frames"], record["frames"])
        self.assertEqual(len(about["times"]), record["frames"])
        self.assertEqual(about["times"], sorted(about["times"]))
        self.assertAlmostEqual(about["times"][-1], 0.1)
        self.assertEqual(json.loads(self.server.get("/api/run?from=2")[1])["times"], about["times"][2:])
        self.assertEqual(json.loads(self.server.get("/api/run?from=99999999999999999999999")[1])["times"], about["times"])
        series = (self.folder / "run" / "series.csv").read_bytes()
        self.assertEqual(self.server.get("/api/series")[1], series)
        self.assertEqual(self.server.get("/api/series?from=100")[1], series[100:])
        self.assertEqual(self.server.get("/api/scene")[1], (self.folder / "run" / "scene.toml").read_bytes())

    def test_grains_are_those_of_the_frame(self):
        last = self.record("run")["frames"] - 1
        frame = read_vtp(self.folder / "run" / "frames" / f"grains_{last:06}.vtp")
        status, data, _ = self.server.get(f"/api/frame/{last}/grains?fields=velocity,group,contacts,nonsense")
        self.assertEqual(status, 200)
        header, arrays = read_pack(data)
        self.assertEqual(set(arrays), {"position", "radius", "id", "velocity", "group", "contacts"})
        for name, values in arrays.items():
            exact = frame[name].reshape(len(frame["id"]), -1).astype("f4").astype("f8")
            np.testing.assert_array_equal(values, exact, name)
        self.assertIn("spin", [field["name"] for field in header["available"]])
        self.assertEqual(header["names"]["group_names"], ["sand", "poured"])
        self.assertLess(len(data), 0.6 * (self.folder / "run" / "frames" / f"grains_{last:06}.vtp").stat().st_size)
        # One grain with all there is.
        one = int(frame["id"][5])
        _, arrays = read_pack(self.server.get(f"/api/frame/{last}/grains?only={one}")[1])
        self.assertEqual(arrays["id"].tolist(), [[one]])
        np.testing.assert_array_equal(arrays["spin"][0], frame["spin"][5].astype("f8"))

    def test_contacts_and_walls_are_those_of_the_frame(self):
        last = self.record("run")["frames"] - 1
        frame = read_vtp(self.folder / "run" / "frames" / f"contacts_{last:06}.vtp")
        header, arrays = read_pack(self.server.get(f"/api/frame/{last}/contacts?fields=normal_force,a,b,wall")[1])
        self.assertEqual(header["kind"], "contacts")
        self.assertGreater(len(frame["a"]), 20)
        np.testing.assert_array_equal(arrays["position"], frame["position"].astype("f8"))
        np.testing.assert_array_equal(arrays["lines"].ravel(), frame["connectivity"])
        for name in ("normal_force", "a", "b", "wall"):
            np.testing.assert_array_equal(arrays["line_" + name].ravel(), frame[name].astype("f8"), name)
        frame = read_vtp(self.folder / "run" / "frames" / f"walls_{last:06}.vtp")
        header, arrays = read_pack(self.server.get(f"/api/frame/{last}/walls?fields=wall")[1])
        np.testing.assert_array_equal(arrays["triangles"].ravel(), frame["connectivity"])
        np.testing.assert_array_equal(arrays["triangle_wall"].ravel(), frame["wall"])
        self.assertEqual(header["names"]["wall_names"], ["box", "plate"])

    # ------------------------------------------------------------------ what it must not do

    def test_listens_on_loopback_only(self):
        listening = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        addresses = {fields[1] for fields in listening if fields[3] == "0A" and int(fields[1].split(":")[1], 16) == self.server.port}
        self.assertEqual(addresses, {f"0100007F:{self.server.port:04X}"})
        other = [fields[1] for fields in (line.split() for line in pathlib.Path("/proc/net/tcp6").read_text().splitlines()[1:]) if fields[3] == "0A" and int(fields[1].split(":")[1], 16) == self.server.port]
        self.assertEqual(other, [])

    def test_headers_keep_the_page_to_itself(self):
        for path in ("/", "/api/run", "/nothing"):
            headers = self.server.get(path)[2].headers
            policy = headers["Content-Security-Policy"]
            self.assertIn("default-src 'none'", policy)
            self.assertIn("script-src 'self';", policy)
            self.assertIn("frame-ancestors 'none'", policy)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(headers["Cross-Origin-Resource-Policy"], "same-origin")
            self.assertNotIn("Access-Control-Allow-Origin", headers)
        page = self.server.get("/")[1].decode()
        self.assertNotIn("http", page.replace("http-equiv", ""), "the page must need no network")

    def test_only_get_and_head(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "X" * 300):
            status, _, answer = self.server.get("/api/run", method)
            self.assertEqual(status, 405, method)
            self.assertEqual(answer.headers["Allow"], "GET, HEAD")
        self.assertEqual(self.server.get("/", "GET", {"Content-Length": "5"}, b"hello")[0], 400)
        self.assertEqual(self.server.get("/", "GET", {"Transfer-Encoding": "chunked"}, b"0\r\n\r\n")[0], 400)
        self.assert_alive()

    def test_names_of_others_are_refused(self):
        port = self.server.port
        for host in (f"evil.example:{port}", "evil.example", f"127.0.0.1.evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"localhost:{port}.evil.example",
                     f"0.0.0.0:{port}", f"[::1]:{port}", f"user@127.0.0.1:{port}", f"127.1:{port}"):
            self.assertEqual(self.server.get("/api/run", headers={"Host": host})[0], 403, host)
        self.assertEqual(self.server.get("/api/run", headers={"Host": None})[0], 400)
        for host in (f"localhost:{port}", f"LocalHost:{port}", f"127.0.0.1:{port}"):
            self.assertEqual(self.server.get("/api/run", headers={"Host": host})[0], 200, host)
        twice = f"GET /api/run HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\n\r\n".encode()
        self.assertTrue(self.server.raw(twice).startswith(b"HTTP/1.1 400"))
        # A page of another site may link here, but not read.
        self.assertEqual(self.server.get("/api/run", headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"})[0], 403)
        self.assertEqual(self.server.get("/", headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})[0], 200)

    def test_nothing_outside_the_run_can_be_reached(self):
        (self.folder / "secret.txt").write_text("the secret")
        (self.folder / "run" / "notes.txt").write_text("the secret")
        ways = ["/../secret.txt", "/..%2fsecret.txt", "/%2e%2e/secret.txt", "/%2e%2e%2fsecret.txt", "/..%5csecret.txt", "/%252e%252e%252fsecret.txt", "//secret.txt",
                "/api/../../secret.txt", "/api/frame/../../secret.txt", "/api/frame/0/../../../secret.txt", "/api/frame/0/%2e%2e%2f%2e%2e%2fsecret.txt",
                "/api/frame/0/grains/../../../secret.txt", "/api/frame/-1/grains", "/api/frame/+1/grains", "/api/frame/0x0/grains", "/api/frame/99999999999999999999/grains",
                "/api/frame/0", "/api/frame/0/", "/api/frame//grains", "/api/frame/0/run.pvd", "/api/shape/../run.json", "/api/shape/..%2frun", "/api/shape/%2e%2e%2f%2e%2e%2fsecret",
                "/api/shape/", "/api/shape/.hidden", "/etc/passwd", "/file:///etc/passwd", "/run.json", "/notes.txt", "/frames/grains_000000.vtp", "/viewer.js/../../secret.txt",
                "/api/frame/0/grains%00.txt", "/api/frame/0/\xc0\xae\xc0\xae/", "/%c0%ae%c0%ae/secret.txt"]
        for way in ways:
            request = b"GET " + way.encode("latin-1") + f" HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nConnection: close\r\n\r\n".encode()
            answer = self.server.raw(request)
            self.assertRegex(answer[:12], rb"HTTP/1.1 40[04]", way)
            self.assertNotIn(b"secret", answer.split(b"\r\n\r\n", 1)[1], way)
        for target in ("http://127.0.0.1/", "http://evil.example/", "*", "run", "", "?x", "/ /"):
            answer = self.server.raw(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n\r\n".encode())
            self.assertTrue(answer.startswith(b"HTTP/1.1 400"), target)
        self.assert_alive()

    def test_links_are_not_followed(self):
        outside = self.folder / "outside"
        outside.mkdir()
        frames = self.folder / "run" / "frames"
        shutil.copy(frames / "grains_000000.vtp", outside / "grains_000000.vtp")
        (outside / "solid.stl").write_text("the secret")
        (frames / "grains_000000.vtp").unlink()
        (frames / "grains_000000.vtp").symlink_to(outside / "grains_000000.vtp")
        self.assertEqual(self.server.get("/api/frame/0/grains")[0], 404)
        (self.folder / "run" / "series.csv").unlink()
        (self.folder / "run" / "series.csv").symlink_to("/etc/passwd")
        self.assertEqual(self.server.get("/api/series")[1], b"")
        (self.folder / "run" / "shapes").symlink_to(outside)
        self.assertEqual(self.server.get("/api/shape/solid")[0], 404)
        shutil.rmtree(frames)
        frames.symlink_to(outside)
        self.assertEqual(self.server.get("/api/frame/0/grains")[0], 404)
        self.assertEqual(self.assert_alive()["frames"], 0)
        frames.unlink()
        frames.mkdir()
        os.mkfifo(frames / "grains_000000.vtp")  # opening it must not wait for a writer
        self.assertEqual(self.server.get("/api/frame/0/grains")[0], 404)

    def test_damaged_frames_are_told_not_shown(self):
        path = self.folder / "run" / "frames" / "grains_000001.vtp"
        whole = path.read_bytes()
        cuts = [0, 1, 100, whole.index(b"<AppendedData"), whole.index(b"<AppendedData") + 31, len(whole) // 2, len(whole) - 2000]
        for cut in cuts:
            path.write_bytes(whole[:cut])
            self.assertEqual(self.server.get("/api/frame/1/grains?fields=velocity")[0], 500, cut)
        for change in ((b'offset="0"', b'offset="9"'), (b'NumberOfPoints="', b'NumberOfPoints="9'), (b'NumberOfComponents="3"', b'NumberOfComponents="0"'),
                       (b'header_type="UInt64"', b'header_type="UInt32"'), (b'Name="radius"', b'Name="rad\xff\xfe"')):
            path.write_bytes(whole.replace(*change, 1))
            self.assertEqual(self.server.get("/api/frame/1/grains")[0], 500, change)
        generator = random.Random(5)
        block = whole.index(b"<AppendedData")
        for _ in range(150):
            broken = bytearray(whole)
            for _ in range(3):
                broken[generator.randrange(block)] = generator.randrange(256)
            path.write_bytes(broken)
            self.assertIn(self.server.get("/api/frame/1/grains?fields=velocity")[0], (200, 500))
        path.write_bytes(whole)
        self.assertEqual(self.server.get("/api/frame/1/grains")[0], 200)

    def test_broken_requests(self):
        host = f"Host: 127.0.0.1:{self.server.port}\r\n".encode()
        for request in (b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/2.0\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"GET / HTTP/1.1\r\n" + host + b" folded: x\r\n\r\n",
                        b"GET / HTTP/1.1\r\n" + host + b"X: a\x00b\r\n\r\n", b"GET / HTTP/1.1\r\n" + host + b": empty\r\n\r\n", b"GET /%zz HTTP/1.1\r\n" + host + b"\r\n",
                        b"GET /% HTTP/1.1\r\n" + host + b"\r\n", b"GET /?a=%0d%0aX:1 HTTP/1.1\r\n" + host + b"\r\n", b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n"):
            answer = self.server.raw(request)
            self.assertRegex(answer[:12], rb"HTTP/1.1 (400|505)", request)
        self.assertTrue(self.server.raw(b"GET / HTTP/1.1\r\n" + host + b"X: " + b"y" * 100000).startswith(b"HTTP/1.1 431"))
        self.assertTrue(self.server.raw(b"A" * 5_000_000)[:12] in (b"HTTP/1.1 431", b""))
        generator = random.Random(7)
        for _ in range(300):
            self.server.raw(bytes(generator.randrange(256) for _ in range(generator.randrange(1, 200))) + generator.choice([b"", b"\r\n\r\n"]), 0.5)
        self.assert_alive()

    def test_requests_that_come_together_are_answered_in_order(self):
        one = f"GET /api/run HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n\r\n".encode()
        last = f"GET /nothing HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nConnection: close\r\n\r\n".encode()
        answer = self.server.raw(one * 40 + last)
        self.assertEqual(answer.count(b"HTTP/1.1 200"), 40)
        self.assertEqual(answer.count(b"HTTP/1.1 404"), 1)
        self.assertTrue(answer.rindex(b"HTTP/1.1 404") > answer.rindex(b"HTTP/1.1 200"))

    def test_half_open_connections_hold_up_nobody(self):
        links = []
        for k in range(300):  # more than the server keeps
            link = socket.create_connection(("127.0.0.1", self.server.port), 5)
            link.sendall(b"GET / HTTP/1.1\r\nHo"[:k % 18])
            links.append(link)
        begin = time.monotonic()
        self.assert_alive()
        self.assertLess(time.monotonic() - begin, 5)
        for link in links:
            link.close()
        # A byte now and then does not keep a connection for ever: the head has ten seconds.
        slow = socket.create_connection(("127.0.0.1", self.server.port), 30)
        begin = time.monotonic()
        ended = False
        slow.settimeout(0.5)
        for byte in b"GET / HTTP/1.1\r\nX: " + b"y" * 100:
            try:
                slow.sendall(bytes([byte]))
                ended = slow.recv(4096) is not None
                break
            except TimeoutError:
                continue
            except ConnectionError:
                ended = True
                break
        self.assertTrue(ended)
        self.assertLess(time.monotonic() - begin, 14)
        slow.close()
        self.assert_alive()

    def test_clients_that_do_not_take_their_answer(self):
        links = []
        request = f"GET /viewer.js HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n\r\n".encode()
        for _ in range(40):
            link = socket.create_connection(("127.0.0.1", self.server.port), 5)
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            link.sendall(request * 20)
            links.append(link)
        self.assert_alive()
        self.assertEqual(len(self.server.get("/viewer.js")[1]), int(self.server.get("/viewer.js", "HEAD")[2].headers["Content-Length"]))
        # More of them than the server keeps, all with an answer under way: whoever comes next is heard all the same.
        for _ in range(60):
            link = socket.create_connection(("127.0.0.1", self.server.port), 5)
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            link.sendall(request * 20)
            links.append(link)
        for _ in range(10):
            begin = time.monotonic()
            self.assert_alive()
            self.assertLess(time.monotonic() - begin, 5)
        for link in links:  # gone without a word
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            link.close()
        self.assert_alive()

    # ------------------------------------------------------------------ the command

    def test_port_that_is_taken(self):
        _, err = self.scree("view", "run", "--no-browser", "--port", self.server.port, expect=1)
        self.assertIn(f"port {self.server.port} is taken", err)
        self.assertIn("--port", err)
        self.scree("view", "run", "--port", "70000", expect=2)
        self.scree("view", "run", "--port", "x", expect=2)

    def test_without_a_port_the_next_free_one_is_found(self):
        first, second = Server(self.folder, "run"), Server(self.folder, "run")
        self.assertNotEqual(first.port, second.port)
        self.assertEqual(second.get("/api/run")[0], 200)
        first.end(), second.end()

    def test_ends_cleanly_on_signals(self):
        self.server.process.send_signal(signal.SIGTERM)
        self.server.process.wait(10)
        self.assertEqual(self.server.process.returncode, 0)

    def test_what_is_no_run_is_told(self):
        self.assertIn("no run folder", self.scree("view", "absent", expect=5)[1])
        self.assertIn("run.json", self.scree("view", ".", expect=3)[1])
        self.assertIn("folder", self.scree("view", "scene.toml", expect=3)[1])
        self.scree("view", "run", "--every", "2", expect=2)

    # ------------------------------------------------------------------ the exported page

    def test_exported_page_holds_the_run(self):
        out, _ = self.scree("view", "run", "--export", "page.html")
        page = (self.folder / "page.html").read_text()
        size = (self.folder / "page.html").stat().st_size
        self.assertIn(f"{size / 1e6:.1f} MB", out)
        self.assertIn("3 of 3 frames", out)
        self.assertNotRegex(page.split("<script", 1)[0], r"(src|href)=")
        self.assertIn("default-src 'none'; script-src 'sha256-", page)
        import base64, re, zlib
        packs = {name: zlib.decompress(base64.b64decode(text)) for name, text in re.findall(r'<script type="text/plain" data-name="([^"]*)">([^<]*)</script>', page)}
        grains = contacts = ends = None
        for number in range(3):
            grains = read_stream(packs[f"{number}/grains"], grains)
            contacts = read_stream(packs[f"{number}/contacts"], contacts)
            ends = read_stream(packs[f"{number}/ends"], ends)
            frame = read_vtp(self.folder / "run" / "frames" / f"grains_{number:06}.vtp")
            self.assertEqual(grains["header"]["time"], frame["TimeValue"][0] if "TimeValue" in frame else grains["header"]["time"])
            np.testing.assert_array_equal(grains["keys"], frame["id"])
            for name, steps in (("position", 65535), ("radius", 65535), ("velocity", 255)):
                exact = frame[name].reshape(len(frame["id"]), -1).astype("f8")
                column = next(each for each in grains["header"]["columns"] if each["name"] == name)
                spread = np.array(column["high"]) - np.array(column["low"])
                self.assertTrue((np.abs(grains["arrays"][name] - exact) <= spread / steps * 0.51 + 1e-7 * np.abs(exact).max()).all(), name)
                self.assertLess(spread.max(), 3 * np.ptp(exact) + 1e-2 if name == "position" else 1.001 * np.ptp(exact) + 1e-12)
            for name in ("group", "contacts"):
                np.testing.assert_array_equal(grains["arrays"][name].ravel(), frame[name])
            lines = read_vtp(self.folder / "run" / "frames" / f"contacts_{number:06}.vtp")
            partner = np.where(lines["wall"] >= 0, 2**27 - 1 - lines["wall"], lines["b"].astype("i8"))
            pairs = (lines["a"].astype("i8") << 27) | partner
            order = np.argsort(pairs, kind="stable")
            np.testing.assert_array_equal(contacts["keys"] >> np.uint64(10), pairs[order])
            force = np.abs(lines["normal_force"][order])
            most = force.max() if len(force) else 0
            self.assertTrue((np.abs(np.sqrt(contacts["arrays"]["normal_force"].ravel()) - np.sqrt(force)) <= 0.51 / 255 * np.sqrt(most) + 1e-12).all())
            # Lines that do not end at the center of their second grain say where they end.
            end = lines["position"].reshape(-1, 6)[order, 3:]
            explicit = np.isin(contacts["keys"], ends["keys"])
            self.assertTrue(explicit[lines["wall"][order] >= 0].all())
            step = np.ptp(grains["arrays"]["position"]) / 500
            self.assertTrue((np.abs(ends["arrays"]["end"] - end[explicit]) <= step).all())
            at = np.searchsorted(frame["id"], lines["b"][order][~explicit])
            self.assertTrue((np.abs(frame["position"][at] - end[~explicit]) <= step).all())
        self.assertEqual(packs["series"].decode().splitlines()[0], (self.folder / "run" / "series.csv").read_text().splitlines()[0])

    def test_exported_page_is_made_smaller_on_request(self):
        def size(*arguments):
            out, _ = self.scree("view", "run", "--export", "page.html", *arguments)
            return (self.folder / "page.html").stat().st_size, out
        whole, _ = size()
        half, out = size("--every", "2")
        self.assertIn("2 of 3 frames", out)
        self.assertLess(half, whole)
        bare, out = size("--no-contacts")
        self.assertIn("without contacts", out)
        self.assertLess(bare, whole)
        few, out = size("--grains", "30")
        self.assertLess(few, bare)
        limit = (whole + half) / 2e6
        fitted, out = size("--max-size", f"{limit:.6f}")
        self.assertLessEqual(fitted, limit * 1e6)
        self.assertIn("2 of 3 frames", out)
        self.assertIn("does not fit", self.scree("view", "run", "--export", "page.html", "--max-size", "0.1", expect=2)[1])
        self.assertIn("cannot", self.scree("view", "run", "--export", "/proc/none/page.html", expect=5)[1])

    def test_records_and_indices_of_somebody_else(self):
        """Deep nesting, a title that is no text, an index of 4 TB with nothing in it."""
        for record in ("[" * 200000, "[" * 200000 + "]" * 200000, '{"a":' * 100000, '{"title": 5}', "5", ""):
            (self.folder / "run" / "run.json").write_text(record)
            self.assertEqual(self.server.get("/api/run")[0], 200)
            self.scree("view", "run", "--export", "page.html")
        index = self.folder / "run" / "frames" / "run.pvd"
        frames = json.loads(self.server.get("/api/run")[1])["frames"]
        os.truncate(index, 1 << 42)
        self.assertEqual(json.loads(self.server.get("/api/run")[1])["frames"], frames)

    def test_titles_cannot_break_out_of_the_page(self):
        record = self.record("run")
        record["title"] = '</script></title><script>alert(1)</script><!--'
        (self.folder / "run" / "run.json").write_text(json.dumps(record))
        self.scree("view", "run", "--export", "page.html")
        page = (self.folder / "page.html").read_text()
        self.assertNotIn("<script>alert", page)
        self.assertEqual(json.loads(self.server.get("/api/run")[1])["run"]["title"], record["title"])


if __name__ == "__main__":
    unittest.main()
