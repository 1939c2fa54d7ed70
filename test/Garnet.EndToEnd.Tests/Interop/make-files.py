#!/usr/bin/env python3
"""Makes the snapshots in Files/ with real servers, and beside each what Valkey answers when it has loaded it.

    make-files.py --valkey path/to/valkey-server [--redis redis-server]

Data are the same at each run, but files carry times and are compressed as the server likes; commit them together.
Each line of a .jsonl file is a command with its raw reply. Where a file has what Valkey keeps in no order, the command asks in an order.
"""

import argparse
import json
import os
import random
import shutil
import socket
import subprocess
import tempfile
import time

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Files")
FAR = 4102444800123  # 2100-01-01


class Server:
    """A server on a Unix socket in a folder of its own."""

    def __init__(self, program, folder, *options):
        self.folder = folder
        path = os.path.join(folder, "s")
        self.process = subprocess.Popen(
            [program, "--port", "0", "--unixsocket", path, "--dir", folder, "--save", "", *options],
            stdout=subprocess.DEVNULL)
        for _ in range(500):
            try:
                self.socket = socket.socket(socket.AF_UNIX)
                self.socket.connect(path)
                self.file = self.socket.makefile("rwb")
                if self.call("PING") == b"+PONG\r\n":
                    return
            except OSError:
                pass
            time.sleep(0.02)
        raise SystemExit(f"{program} does not answer")

    def call(self, *arguments):
        words = [a if isinstance(a, bytes) else str(a).encode() for a in arguments]
        self.file.write(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))
        self.file.flush()
        return self.read()

    def do(self, *arguments):
        reply = self.call(*arguments)
        if reply.startswith(b"-"):
            raise SystemExit(f"{arguments[0]}: {reply}")
        return reply

    def read(self):
        line = self.file.readline()
        if line[:1] in b"+-:" or line[1:3] == b"-1":
            return line
        if line[:1] == b"$":
            return line + self.file.read(int(line[1:]) + 2)
        return line + b"".join(self.read() for _ in range(int(line[1:])))

    def stop(self):
        self.process.kill()
        self.process.wait()


def fill(server, is_valkey):
    random.seed(7)
    words = lambda count, prefix: [f"{prefix}{i}:{random.randrange(1 << 30)}" for i in range(count)]
    for name, value in [("int8", "-5"), ("int16", "300"), ("int32", "-70000"), ("int64", str(1 << 40)), ("empty", ""), ("short", "hello"), ("number-like", "007"),
                        ("compressible", "ab" * 300), ("binary", bytes(range(256))), ("long", "x" * 20000)]:
        server.do("SET", "string:" + name, value)
    server.do("SET", "string:expiring", "later", "PXAT", FAR)
    for limits in ("small", "large"):
        count = 6 if limits == "small" else 150
        if limits == "large":
            # So that fewer elements are enough for the encodings of large collections.
            for option in ("hash-max-listpack-entries", "zset-max-listpack-entries"):
                server.do("CONFIG", "SET", option, "8")
        server.do("RPUSH", f"list:{limits}", *words(count, "e" * (count // 2)), 5, -70000, 1 << 50, "y" * 300)
        server.do("SADD", f"set:{limits}", *words(count, "m"))
        server.do("SADD", f"set:integers:{limits}", *range(0, count * 4000, 1000))
        server.do("ZADD", f"zset:{limits}", *[w for i, m in enumerate(words(count, "m")) for w in (i / 7, m)], "-inf", "low", "inf", "high", "3", "three")
        server.do("HSET", f"hash:{limits}", *[w for i, f in enumerate(words(count, "f")) for w in (f, i * 100)])
        for i in range(count):
            server.do("XADD", f"stream:{limits}", f"{1000 + i}-{i % 3}", "field", i, "other", "v" * (i % 9))
        server.do("XDEL", f"stream:{limits}", "1001-1", "1004-1")
        server.do("XGROUP", "CREATE", f"stream:{limits}", "readers", "0")
        server.do("XREADGROUP", "GROUP", "readers", "first", "COUNT", "3", "STREAMS", f"stream:{limits}", ">")
        server.do("XREADGROUP", "GROUP", "readers", "second", "COUNT", "1", "STREAMS", f"stream:{limits}", ">")
        server.do("XACK", f"stream:{limits}", "readers", "1000-0")
        server.do("XGROUP", "CREATE", f"stream:{limits}", "idle", "$")
    server.do("RPUSH", "list:plain-node", "z" * 9000, "small", "w" * 20000)
    server.do("SADD", "set:integers:16", 1, 2, 3)
    server.do("SADD", "set:integers:64", 1, 1 << 60)
    server.do("ZADD", "zset:long", 1.5, "l" * 100, 2.5, "short")
    server.do("HSET", "hash:long", "field", "l" * 100)
    server.do("PEXPIREAT", "hash:long", FAR)
    server.do("XADD", "stream:emptied", "5-1", "a", "b")
    server.do("XDEL", "stream:emptied", "5-1")
    server.do("FUNCTION", "LOAD", "#!lua name=lib\nredis.register_function('f', function() return 1 end)")
    if is_valkey:
        server.do("HSET", "hash:fields-expire", "a", 1, "b", 2, "c", 3)
        server.do("HPEXPIREAT", "hash:fields-expire", FAR, "FIELDS", 1, "b")
    server.do("SELECT", 9)
    server.do("SET", "elsewhere", "9")
    server.do("SELECT", 0)


def strings(reply):
    parts = reply.split(b"\r\n")
    return [parts[i + 1] for i in range(len(parts) - 1) if parts[i][:1] == b"$"]


def questions(server, key):
    yield ["TYPE", key]
    yield ["OBJECT", "ENCODING", key]
    yield ["PEXPIRETIME", key]
    kind = server.do("TYPE", key).strip()
    if kind == b"+string":
        yield ["GET", key]
    elif kind == b"+list":
        yield ["LRANGE", key, "0", "-1"]
    elif kind == b"+set":
        yield ["SCARD", key]
        yield ["SMISMEMBER", key, *sorted(m.decode() for m in strings(server.do("SMEMBERS", key)))]
    elif kind == b"+zset":
        yield ["ZRANGE", key, "0", "-1", "WITHSCORES"]
    elif kind == b"+hash":
        fields = sorted(f.decode() for f in strings(server.do("HKEYS", key)))
        yield ["HLEN", key]
        yield ["HMGET", key, *fields]
        yield ["HPEXPIRETIME", key, "FIELDS", str(len(fields)), *fields]
    else:
        yield ["XRANGE", key, "-", "+"]
        yield ["XINFO", "STREAM", key]
        yield ["XINFO", "GROUPS", key]
        for group in ("readers", "idle"):
            yield ["XPENDING", key, group]


def list_answers(server, path):
    with open(path, "w") as file:
        for database in range(16):
            server.do("SELECT", database)
            ask = lambda command: file.write(json.dumps([database, command, server.call(*command).decode("latin1")]) + "\n")
            ask(["DBSIZE"])
            for key in sorted(k.decode() for k in strings(server.do("KEYS", "*"))):
                for command in questions(server, key):
                    ask(command)


def make(program, valkey, name, policy):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, folder, "--maxmemory", "100mb", "--maxmemory-policy", policy, "--dbfilename", "dump.rdb")
        fill(server, program == valkey)
        server.do("SAVE")
        server.stop()
        shutil.copy(os.path.join(folder, "dump.rdb"), os.path.join(FOLDER, name + ".rdb"))
        os.remove(os.path.join(folder, "s"))
        judge = Server(valkey, folder)
        list_answers(judge, os.path.join(FOLDER, name + ".jsonl"))
        judge.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--valkey", required=True)
    parser.add_argument("--redis", default="redis-server")
    arguments = parser.parse_args()
    os.makedirs(FOLDER, exist_ok=True)
    # The policies decide whether keys carry how long they were idle, or how often they were used.
    make(arguments.valkey, arguments.valkey, "valkey-9.1", "allkeys-lru")
    make(arguments.redis, arguments.valkey, "redis-7.0", "allkeys-lfu")


if __name__ == "__main__":
    main()
