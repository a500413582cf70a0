"""A class comes to JupyterHub at the same time: each student logs in with a password
in a session of their own, starts the server, and runs the lecture, cell after cell.
Prints what each took, as JSON. A line on stderr says when a third, and when two thirds,
of all cells have run: then the hub or its proxy is killed, and a line on stdin says that
it was. The last cell waits for both. A student whose connection ends connects again, and
who hears that there is no hub asks again, as JupyterLab does."""

import asyncio
import contextlib
import http.cookiejar
import json
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClosedError, websocket_connect

test = json.load(open(sys.argv[1]))
students = sys.argv[2].split(",")
hub = test["url"]
source = json.load(open(test["lecture"]))
cells = ["".join(c["source"]) for c in source["cells"] if c["cell_type"] == "code"][:int(sys.argv[3])]


class Session:
    """What a browser keeps of a student's visit."""

    def __init__(self, name):
        self.name, self.jar = name, http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def cookie(self, name, path):
        found = [k for k in self.jar if k.name == name and path.startswith(k.path.rstrip("/"))]
        return max(found, key=lambda k: len(k.path)).value if found else ""

    def open(self, path, data=None, json_data=None):
        request = urllib.request.Request(hub + path)
        if data is not None:
            request.data = urllib.parse.urlencode(data).encode()
        if json_data is not None:
            request.data = json.dumps(json_data).encode()
            request.add_header("Content-Type", "application/json")
            request.add_header("X-XSRFToken", self.cookie("_xsrf", path))
        begun = time.time()
        while True:
            try:
                with self.opener.open(request, timeout=1200) as r:
                    return r.status, r.geturl(), r.read().decode()
            except OSError as e:  # an HTTPError, too
                if getattr(e, "code", 503) != 503 or time.time() - begun > 300:
                    raise
            time.sleep(0.5)

    def login(self):
        self.open("/hub/login")
        _, url, _ = self.open("/hub/login?next=/hub/home", data={
            "username": self.name, "password": test["password"], "_xsrf": self.cookie("_xsrf", "/hub/login")})
        assert "/hub/home" in url, f"{self.name} was led to {url}"


def admin(method, path):
    request = urllib.request.Request(hub + "/hub/api" + path, method=method, headers={"Authorization": "token " + test["token"]})
    with urllib.request.urlopen(request, timeout=1200) as r:
        return json.loads(r.read() or b"null")


def start(name):
    session = Session(name)
    session.login()
    begun = time.time()
    session.open("/hub/spawn/" + name)
    while not admin("GET", "/users/" + name)["servers"].get("", {}).get("ready"):
        assert time.time() - begun < 1200, f"the server of {name} has not started"
        time.sleep(0.2)
    started = time.time() - begun
    session.open(f"/user/{name}/lab")  # asks the hub who this is, as the first page does
    return session, started


ran = 0
killed = asyncio.Event()  # both the hub and the proxy


async def kills():
    """Hears that the hub and the proxy were killed."""
    for _ in range(2):
        assert await asyncio.to_thread(sys.stdin.readline), "nobody kills the hub"
    killed.set()


def count():
    """Counts a cell that has run."""
    global ran
    ran += 1
    for thirds in (1, 2):
        if ran == -(-thirds * len(cells) * len(students) // 3):
            print("thirds", thirds, file=sys.stderr, flush=True)


async def lecture(session):
    base = f"/user/{session.name}/api/kernels"
    begun = time.time()
    _, _, body = await asyncio.to_thread(session.open, base, None, {"name": "gonb"})
    kernel = json.loads(body)["id"]
    cookies = "; ".join(f"{k.name}={k.value}" for k in session.jar if f"/user/{session.name}/".startswith(k.path))
    # The server keeps what the kernel says for a session whose connection has ended.
    address = hub.replace("http", "ws", 1) + f"{base}/{kernel}/channels?session_id={kernel}"
    heard = asyncio.Queue()  # what the kernel says, and None when a connection has ended, each with the connection's number
    number = 0

    async def connect():
        nonlocal number
        begun = time.time()
        while True:
            number += 1
            try:
                return await websocket_connect(HTTPRequest(
                    address, headers={"Cookie": cookies, "Origin": hub}, connect_timeout=1200), max_message_size=1 << 28,
                    on_message_callback=lambda text, number=number: heard.put_nowait((number, text)))
            except Exception as e:  # there is no proxy, or it does not know the server yet
                assert time.time() - begun < 300, f"{session.name} cannot connect: {e}"
                await asyncio.sleep(0.5)

    async def idle():
        _, _, body = await asyncio.to_thread(session.open, f"{base}/{kernel}")
        return json.loads(body)["execution_state"] == "idle"

    async def send(identity, code):
        with contextlib.suppress(WebSocketClosedError):  # None is heard as well
            await ws.write_message(json.dumps({
                "header": {"msg_id": identity, "msg_type": "execute_request", "username": session.name, "session": kernel, "date": "", "version": "5.3"},
                "parent_header": {}, "metadata": {}, "channel": "shell", "buffers": [],
                "content": {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True}}))

    ws = await connect()
    times, figures, errors, again, lost = [], 0, [], 0, 0
    for k, code in enumerate(cells):
        if k == len(cells) - 1:
            await killed.wait()
        identity = uuid.uuid4().hex
        sent, doubtful = time.time(), False
        await send(identity, code)
        while True:
            try:
                of, text = await asyncio.wait_for(heard.get(), 5 if doubtful else 300)
            except asyncio.TimeoutError:
                assert doubtful, f"the kernel of {session.name} says nothing"
                if await idle():  # the request, or the answer, was on the way when the connection ended
                    lost, doubtful = lost + 1, False
                    await send(identity, code)
                continue
            if text is None:
                if of == number:  # another has not begun
                    ws, again, doubtful = await connect(), again + 1, True
                continue
            message = json.loads(text)
            if message.get("parent_header", {}).get("msg_id") != identity:
                continue
            doubtful = False
            if message["msg_type"] in ("display_data", "update_display_data"):
                figures += any(k.startswith("image/") for k in message["content"]["data"])
            if message["msg_type"] == "error":
                errors.append(message["content"]["evalue"])
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                break
        times.append(time.time() - sent)
        count()
    ws.close()
    return {"lecture": time.time() - begun, "cells": times, "figures": figures, "errors": errors, "again": again, "lost": lost}


async def main():
    sessions = await asyncio.gather(*(asyncio.to_thread(start, s) for s in students))
    _, *lectures = await asyncio.gather(kills(), *(lecture(session) for session, _ in sessions))
    result = [{"name": session.name, "start": started, **r} for (session, started), r in zip(sessions, lectures)]
    # A student has no access to another's server, nor to the hub's list of users.
    refused = []
    if len(sessions) > 1:
        for path in (f"/user/{students[1]}/api/contents", f"/hub/api/users/{students[1]}", "/hub/api/users"):
            try:
                status, url, _ = sessions[0][0].open(path)
            except urllib.error.HTTPError as e:
                status, url = e.code, path
            refused.append([path, status, re.sub(r"\?.*", "", url)])
    print(json.dumps({"students": result, "refused": refused}))


asyncio.run(main())
