"""Walks through the command families with redis-py; exits 0 when every reply is as expected.

Usage: walk.py HOST PORT [CERTIFICATE OF THE AUTHORITY, for TLS]
"""
import sys
import threading
import time

import redis

from checks import expect, expect_error


def strings(r):
    expect(r.set("s", "a value"), True, "set")
    expect(r.get("s"), b"a value", "get")
    expect(r.set("s", "b", nx=True), None, "set nx")
    expect(r.set("s", "b", xx=True, get=True), b"a value", "set xx get")
    expect(r.set("s", "c", ex=100), True, "set ex")
    expect(r.set("s", "d", keepttl=True), True, "set keepttl")
    expect(95 <= r.ttl("s") <= 100, True, "ttl")
    expect(r.getex("s", persist=True), b"d", "getex")
    expect(r.ttl("s"), -1, "ttl after persist")
    expect(r.getdel("s"), b"d", "getdel")
    expect(r.mset({"m1": 1, "m2": 2}), True, "mset")
    expect(r.mget("m1", "m2", "none"), [b"1", b"2", None], "mget")
    expect(r.msetnx({"m1": 1, "m3": 2}), False, "msetnx")
    expect(r.incrby("m1", 41), 42, "incrby")
    expect(r.incrbyfloat("m1", "0.5"), 42.5, "incrbyfloat")
    expect(r.append("a", "xy"), 2, "append")
    expect(r.setrange("a", 4, "z"), 5, "setrange")
    expect(r.getrange("a", 0, -1), b"xy\x00\x00z", "getrange")
    expect(r.strlen("a"), 5, "strlen")
    expect(r.set("u", "\u00fc\u4e16"), True, "set of text beyond ASCII")
    expect(r.get("u").decode(), "\u00fc\u4e16", "get of text beyond ASCII")
    big = bytes(range(256)) * 20_000
    expect(r.set("big", big), True, "set of 5 MB")
    expect(r.get("big"), big, "get of 5 MB")
    expect(r.execute_command("LCS", "m1", "m2", "LEN"), 1, "lcs")
    r.set("text", "word")
    expect_error(lambda: r.incr("text"), "not an integer")


def bits_and_counts(r):
    expect(r.setbit("b", 7, 1), 0, "setbit")
    expect(r.getbit("b", 7), 1, "getbit")
    expect(r.bitcount("b"), 1, "bitcount")
    expect(r.bitpos("b", 1), 7, "bitpos")
    r.set("b1", b"\xf0")
    r.set("b2", b"\x3c")
    expect(r.bitop("AND", "b3", "b1", "b2"), 1, "bitop")
    expect(r.get("b3"), b"\x30", "get of bitop's result")
    expect(r.bitfield("f").incrby("u8", 0, 200).incrby("u8", 0, 100, "SAT").get("u8", 0).execute(), [200, 255, 255], "bitfield")
    expect(r.pfadd("h", *range(1000)), 1, "pfadd")
    expect(950 < r.pfcount("h") < 1050, True, "pfcount")
    expect(r.pfmerge("h2", "h"), True, "pfmerge")
    expect(r.pfcount("h2"), r.pfcount("h"), "pfcount of the merged")


def keys(r):
    r.flushdb()
    for i in range(1000):
        r.set(f"key:{i}", i)
    expect(r.dbsize(), 1000, "dbsize")
    expect(len(set(r.scan_iter(match="key:*", count=50))), 1000, "scan")
    expect(len(r.keys("key:99*")), 11, "keys")
    expect(r.rename("key:0", "renamed"), True, "rename")
    expect(r.copy("renamed", "copied"), True, "copy")
    expect(r.exists("renamed", "copied", "key:0"), 2, "exists")
    expect(r.type("copied"), b"string", "type")
    expect(r.expire("copied", 100), True, "expire")
    expect(r.execute_command("EXPIRE", "copied", 50, "GT"), 0, "expire gt")
    expect(r.persist("copied"), True, "persist")
    expect(r.pexpire("copied", 20), True, "pexpire")
    deadline = time.monotonic() + 10
    while r.exists("copied") and time.monotonic() < deadline:
        time.sleep(0.01)
    expect(r.get("copied"), None, "get after expiry")
    expect(r.touch("key:1", "none"), 1, "touch")
    expect(r.unlink("key:1", "key:2"), 2, "unlink")
    expect(r.object("encoding", "key:3"), b"int", "object encoding")
    expect(r.move("key:3", 1), True, "move")
    expect(r.randomkey() is not None, True, "randomkey")
    expect(r.flushall(), True, "flushall")


def transactions(r):
    with r.pipeline() as pipe:
        pipe.set("t", 1).incr("t").get("t")
        expect(pipe.execute(), [True, 2, b"2"], "multi/exec")
    with r.pipeline() as pipe:
        pipe.watch("t")
        r.set("t", 10)
        pipe.multi()
        pipe.set("t", 11)
        try:
            pipe.execute()
            raise AssertionError("a watched key changed, and EXEC went through")
        except redis.WatchError:
            pass
    expect(r.get("t"), b"10", "get after the aborted transaction")

    def add():
        own = connect()
        for _ in range(50):
            own.transaction(lambda pipe: (lambda value: (pipe.multi(), pipe.set("sum", value + 1)))(int(pipe.get("sum") or 0)), "sum")

    workers = [threading.Thread(target=add) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    expect(r.get("sum"), b"200", "four clients adding under WATCH")


def connection(r):
    expect(r.ping(), True, "ping")
    expect(r.echo("hello"), b"hello", "echo")
    expect(r.client_setname("walker"), True, "client setname")
    expect(r.client_getname(), "walker", "client getname")
    expect(any(client["name"] == "walker" for client in r.client_list()), True, "client list")
    expect(r.client_id() > 0, True, "client id")
    expect("redis_version" in r.info("server") or "valkey_version" in r.info("server"), True, "info server")
    expect(abs(r.time()[0] - time.time()) < 60, True, "time")
    expect(r.config_get("maxclients")["maxclients"].isdigit(), True, "config get")
    expect(r.command_count() > 50, True, "command count")
    expect_error(lambda: r.execute_command("NOSUCHCOMMAND"), "unknown command")
    expect_error(lambda: r.execute_command("GET"), "wrong number of arguments")


def deep_pipeline(r):
    """All requests are sent before the first reply is read: the server must go on reading while replies pile up."""
    r.set("kilobyte", b"v" * 1024)
    pipe = r.pipeline(transaction=False)
    for _ in range(100_000):
        pipe.get("kilobyte")
    replies = pipe.execute()
    expect(len(replies), 100_000, "replies to the pipeline")
    expect(all(reply == b"v" * 1024 for reply in replies), True, "every reply to the pipeline")


def connect():
    tls = {"ssl": True, "ssl_ca_certs": sys.argv[3]} if len(sys.argv) > 3 else {}
    return redis.Redis(host=sys.argv[1], port=int(sys.argv[2]), socket_timeout=60, **tls)


def main():
    r = connect()
    r.flushall()
    for step in (strings, bits_and_counts, keys, transactions, connection, deep_pipeline):
        start = time.monotonic()
        step(r)
        print(f"{step.__name__}: ok in {time.monotonic() - start:.2f} s")


main()
