"""Walks through every data type with redis-py; exits 0 when every reply is as expected.

Usage: collections_walk.py HOST PORT
"""
import sys
import threading
import time

import redis

from checks import expect, expect_error


def another(r):
    """A client with connections of its own, to the same server."""
    given = r.connection_pool.connection_kwargs
    return redis.Redis(host=given["host"], port=given["port"], socket_timeout=60)


def wait_until_blocked(r, clients):
    deadline = time.monotonic() + 20
    while r.info("clients")["blocked_clients"] != clients:
        if time.monotonic() > deadline:
            raise AssertionError(f"there were never {clients} blocked clients")
        time.sleep(0.005)


def while_blocked(r, blocked, unblocking):
    """Runs `blocked` on a connection of its own, `unblocking` once it waits, and returns the former's reply."""
    replies = []
    waiter = threading.Thread(target=lambda: replies.append(blocked(another(r))))
    waiter.start()
    wait_until_blocked(r, 1)
    unblocking()
    waiter.join(20)
    expect(len(replies), 1, "replies to the blocked client")
    return replies[0]


def lists(r):
    expect(r.rpush("l", "a", "b", "c", 1), 4, "rpush")
    expect(r.lpush("l", "z"), 5, "lpush")
    expect(r.lpushx("none", "z"), 0, "lpushx")
    expect(r.lrange("l", 0, -1), [b"z", b"a", b"b", b"c", b"1"], "lrange")
    expect(r.lindex("l", -1), b"1", "lindex")
    expect(r.linsert("l", "BEFORE", "b", "ab"), 6, "linsert")
    expect(r.lset("l", 0, "y"), True, "lset")
    expect(r.lpos("l", "c"), 4, "lpos")
    expect(r.lpos("l", "none"), None, "lpos of none")
    expect(r.lrem("l", 0, "ab"), 1, "lrem")
    expect(r.lmove("l", "l2", "LEFT", "RIGHT"), b"y", "lmove")
    expect(r.rpoplpush("l", "l2"), b"1", "rpoplpush")
    expect(r.lpop("l", 2), [b"a", b"b"], "lpop with count")
    expect(r.rpop("l"), b"c", "rpop")
    expect(r.exists("l"), 0, "exists after the last element")
    expect(r.execute_command("LMPOP", 2, "none", "l2", "LEFT", "COUNT", 5), [b"l2", [b"1", b"y"]], "lmpop")
    pipe = r.pipeline(transaction=False)
    for i in range(20_000):
        pipe.rpush("long", f"element:{i}")
    expect(pipe.execute(), list(range(1, 20_001)), "a pipeline of rpush")
    expect(r.lindex("long", 10_000), b"element:10000", "lindex in the middle")
    expect(r.lrange("long", 0, -1), [b"element:%d" % i for i in range(20_000)], "lrange of all")
    expect(r.ltrim("long", 5, 9), True, "ltrim")
    expect(r.llen("long"), 5, "llen")
    expect_error(lambda: r.get("long"), "WRONGTYPE")


def blocking(r):
    expect(r.blpop("none", timeout=0.01), None, "blpop that times out")
    expect(while_blocked(r, lambda own: own.blpop(["q", "q2"], timeout=20), lambda: r.rpush("q2", "v")), (b"q2", b"v"), "blpop")
    expect(while_blocked(r, lambda own: own.brpop("q", timeout=20), lambda: r.rpush("q", "a", "b")), (b"q", b"b"), "brpop")
    r.delete("q")
    expect(while_blocked(r, lambda own: own.blmove("q", "d", 20, "LEFT", "RIGHT"), lambda: r.rpush("q", "m")), b"m", "blmove")
    expect(r.lrange("d", 0, -1), [b"m"], "blmove's target")
    r.rpush("other", "x")
    expect(while_blocked(r, lambda own: own.blpop("q", timeout=20), lambda: r.rename("other", "q")), (b"q", b"x"), "blpop woken by rename")

    def in_transaction():
        with r.pipeline() as pipe:
            pipe.rpush("q", "gone").delete("q").rpush("q", "stays").execute()

    expect(while_blocked(r, lambda own: own.blpop("q", timeout=20), in_transaction), (b"q", b"stays"), "blpop woken by a transaction")
    expect(while_blocked(r, lambda own: own.bzpopmin("zq", timeout=20), lambda: r.zadd("zq", {"m": 1.5})), (b"zq", b"m", 1.5), "bzpopmin")
    expect(while_blocked(r, lambda own: own.bzpopmax("zq", timeout=20), lambda: r.zadd("zq", {"m": 1.5, "n": 2})), (b"zq", b"n", 2.0), "bzpopmax")
    order = []
    waiters = []
    for name in range(4):
        waiters.append(threading.Thread(target=lambda name=name: order.append((another(r).blpop("fair", timeout=20)[1], name))))
        waiters[-1].start()
        wait_until_blocked(r, name + 1)
    r.rpush("fair", *range(4))
    for waiter in waiters:
        waiter.join(20)
    expect(sorted(order), [(b"%d" % i, i) for i in range(4)], "blocked clients served in the order in which they came")


def sets(r):
    expect(r.sadd("s", 1, 2, 3), 3, "sadd")
    expect(r.object("encoding", "s"), b"intset", "encoding of integers")
    expect(r.sadd("s", "a", 1), 1, "sadd of one new")
    expect(r.smembers("s"), {b"1", b"2", b"3", b"a"}, "smembers")
    expect((r.sismember("s", "a"), r.sismember("s", "b")), (True, False), "sismember")
    expect(r.smismember("s", ["a", "b"]), [1, 0], "smismember")
    r.sadd("t", 2, "a", "b")
    expect(r.sinter("s", "t"), {b"2", b"a"}, "sinter")
    expect(r.sunion("s", "t"), {b"1", b"2", b"3", b"a", b"b"}, "sunion")
    expect(r.sdiff("s", "t"), {b"1", b"3"}, "sdiff")
    expect(r.execute_command("SINTERCARD", 2, "s", "t", "LIMIT", 1), 1, "sintercard")
    expect((r.sinterstore("i", "s", "t"), r.sunionstore("u", "s", "t"), r.sdiffstore("d", "s", "t")), (2, 5, 2), "stores")
    expect(r.smove("s", "t", "1"), True, "smove")
    expect(r.srem("s", 2, "none"), 1, "srem")
    expect(r.srandmember("t") in {b"1", b"2", b"a", b"b"}, True, "srandmember")
    expect(len(r.srandmember("t", -10)), 10, "srandmember with repetitions")
    expect(len(set(r.spop("u", 3))), 3, "spop with count")
    pipe = r.pipeline(transaction=False)
    for i in range(5000):
        pipe.sadd("big", f"member:{i}")
    expect(sum(pipe.execute()), 5000, "a pipeline of sadd")
    expect({m for m in r.sscan_iter("big", count=100)}, {b"member:%d" % i for i in range(5000)}, "sscan")
    expect(len(list(r.sscan_iter("big", match="member:99*"))), 11, "sscan with a pattern")


def hashes(r):
    expect(r.hset("h", mapping={"f": 1, "g": "text", "e": ""}), 3, "hset")
    expect(r.hset("h", "f", 2), 0, "hset of a field that is there")
    expect(r.hgetall("h"), {b"f": b"2", b"g": b"text", b"e": b""}, "hgetall")
    expect(r.hmget("h", "f", "none"), [b"2", None], "hmget")
    expect(r.hincrby("h", "f", 40), 42, "hincrby")
    expect(r.hincrbyfloat("h", "f", 0.5), 42.5, "hincrbyfloat")
    expect_error(lambda: r.hincrby("h", "g"), "not an integer")
    expect(r.hsetnx("h", "f", 1), False, "hsetnx")
    expect((r.hexists("h", "g"), r.hlen("h"), r.hstrlen("h", "g")), (True, 3, 4), "hexists, hlen, hstrlen")
    expect((r.hkeys("h"), r.hvals("h")), ([b"f", b"g", b"e"], [b"42.5", b"text", b""]), "hkeys, hvals")
    expect(r.hrandfield("h", -7, withvalues=True).__len__(), 14, "hrandfield")
    expect(r.hdel("h", "e", "none"), 1, "hdel")
    expect(r.execute_command("HPEXPIRE", "h", 20, "FIELDS", 1, "g"), [1], "hpexpire")
    deadline = time.monotonic() + 10
    while r.hexists("h", "g") and time.monotonic() < deadline:
        time.sleep(0.01)
    expect(r.hget("h", "g"), None, "hget of an expired field")
    expect(r.execute_command("HSETEX", "h", "EX", 100, "FIELDS", 1, "x", "1"), 1, "hsetex")
    expect(90 < r.execute_command("HTTL", "h", "FIELDS", 1, "x")[0] <= 100, True, "httl")
    r.hset("wide", mapping={f"field:{i}": i for i in range(5000)})
    expect(dict(r.hscan_iter("wide", count=100)), {b"field:%d" % i: b"%d" % i for i in range(5000)}, "hscan")


def sorted_sets(r):
    expect(r.zadd("z", {"a": 1, "b": 2.5, "c": float("inf")}), 3, "zadd")
    expect(r.zadd("z", {"a": 0.1}, xx=True, ch=True), 1, "zadd xx ch")
    expect(r.zadd("z", {"a": 1}, gt=True, incr=True), 1.1, "zadd gt incr")
    expect(r.zscore("z", "c"), float("inf"), "zscore")
    expect(r.zmscore("z", ["b", "none"]), [2.5, None], "zmscore")
    expect(r.zrange("z", 0, -1, withscores=True), [(b"a", 1.1), (b"b", 2.5), (b"c", float("inf"))], "zrange")
    expect(r.zrange("z", "+inf", "(1", byscore=True, desc=True, offset=0, num=2), [b"c", b"b"], "zrange by score in reverse")
    expect(r.zrangebyscore("z", "-inf", "(2.5"), [b"a"], "zrangebyscore")
    expect((r.zrank("z", "b"), r.zrevrank("z", "b"), r.zrank("z", "none")), (1, 1, None), "zrank")
    expect((r.zcount("z", 1, 3), r.zcard("z")), (2, 3), "zcount, zcard")
    expect(r.zincrby("z", 2, "b"), 4.5, "zincrby")
    r.zadd("y", {"b": 1, "d": 4})
    expect(r.zunion(["z", "y"], aggregate="MAX", withscores=True), [(b"a", 1.1), (b"d", 4.0), (b"b", 4.5), (b"c", float("inf"))], "zunion")
    expect((r.zinterstore("i", {"z": 2, "y": 1}), r.zscore("i", "b")), (1, 10.0), "zinterstore with weights")
    expect(r.zdiff(["z", "y"]), [b"a", b"c"], "zdiff")
    expect(r.zrangestore("part", "z", 0, 1), 2, "zrangestore")
    r.zadd("lex", {c: 0 for c in "abcdef"})
    expect((r.zrangebylex("lex", "[b", "(e"), r.zlexcount("lex", "-", "+")), ([b"b", b"c", b"d"], 6), "zrangebylex, zlexcount")
    expect((r.zremrangebylex("lex", "-", "(c"), r.zremrangebyrank("lex", 0, 0), r.zremrangebyscore("lex", 0, 0)), (2, 1, 3), "zremrange")
    expect((r.zpopmin("z"), r.zpopmax("z")), ([(b"a", 1.1)], [(b"c", float("inf"))]), "zpopmin, zpopmax")
    expect(r.execute_command("ZMPOP", 2, "none", "z", "MIN"), [b"z", [[b"b", b"4.5"]]], "zmpop")
    expect(len(r.zrandmember("y", -5)), 5, "zrandmember")
    r.zadd("many", {f"member:{i}": i for i in range(5000)})
    expect(dict(r.zscan_iter("many", count=100)), {b"member:%d" % i: float(i) for i in range(5000)}, "zscan")
    expect(r.zrank("many", "member:4321"), 4321, "zrank among many")


def streams(r):
    expect(r.xadd("x", {"f": "1", "g": "2"}, id="1-1"), b"1-1", "xadd")
    r.xadd("x", {"f": "2"}, id="2-1")
    later = r.xadd("x", {"f": "3"})
    expect_error(lambda: r.xadd("x", {"f": "3"}, id="1-1"), "equal or smaller")
    expect(r.xlen("x"), 3, "xlen")
    expect(r.xrange("x", "-", "2"), [(b"1-1", {b"f": b"1", b"g": b"2"}), (b"2-1", {b"f": b"2"})], "xrange")
    expect(r.xrevrange("x", count=1), [(later, {b"f": b"3"})], "xrevrange")
    expect(r.xread({"x": "2-1"}), [[b"x", [(later, {b"f": b"3"})]]], "xread")
    expect(r.xgroup_create("x", "group", id="0"), True, "xgroup create")
    expect_error(lambda: r.xgroup_create("x", "group"), "BUSYGROUP")
    expect(r.xreadgroup("group", "alice", {"x": ">"}, count=2)[0][1][1], (b"2-1", {b"f": b"2"}), "xreadgroup")
    expect(r.xpending("x", "group"), {"pending": 2, "min": b"1-1", "max": b"2-1", "consumers": [{"name": b"alice", "pending": 2}]}, "xpending")
    expect([each["message_id"] for each in r.xpending_range("x", "group", "-", "+", 10)], [b"1-1", b"2-1"], "xpending with a range")
    expect(r.xack("x", "group", "1-1"), 1, "xack")
    expect(r.xclaim("x", "group", "bob", 0, ["2-1"]), [(b"2-1", {b"f": b"2"})], "xclaim")
    expect(r.xautoclaim("x", "group", "carol", 0, justid=True), [b"2-1"], "xautoclaim")
    expect(r.xinfo_stream("x")["length"], 3, "xinfo stream")
    expect([(each["name"], each["pending"]) for each in r.xinfo_groups("x")], [(b"group", 1)], "xinfo groups")
    expect({each["name"]: each["pending"] for each in r.xinfo_consumers("x", "group")}, {b"alice": 0, b"bob": 0, b"carol": 1}, "xinfo consumers")
    expect(r.xdel("x", "1-1"), 1, "xdel")
    expect(r.xtrim("x", maxlen=1, approximate=False), 1, "xtrim")
    expect(while_blocked(r, lambda own: own.xread({"x": "$"}, block=20_000), lambda: r.xadd("x", {"n": "1"}))[0][1][0][1], {b"n": b"1"}, "xread that waits")
    r.xgroup_setid("x", "group", "$")
    expect(while_blocked(r, lambda own: own.xreadgroup("group", "dave", {"x": ">"}, block=20_000), lambda: r.xadd("x", {"n": "2"}))[0][1][0][1], {b"n": b"2"},
           "xreadgroup that waits")
    expect((r.xgroup_delconsumer("x", "group", "carol"), r.xgroup_destroy("x", "group")), (1, True), "xgroup delconsumer, destroy")


def places(r):
    expect(r.geoadd("g", (13.361389, 38.115556, "Palermo", 15.087269, 37.502669, "Catania")), 2, "geoadd")
    expect(abs(r.geodist("g", "Palermo", "Catania", unit="km") - 166.2742) < 0.001, True, "geodist")
    expect(r.geohash("g", "Palermo", "none"), ["sqc8b49rny0", None], "geohash")
    expect(abs(r.geopos("g", "Palermo")[0][0] - 13.361389) < 1e-5, True, "geopos")
    expect(r.geosearch("g", longitude=15, latitude=37, radius=200, unit="km", sort="ASC"), [b"Catania", b"Palermo"], "geosearch by radius")
    expect(r.geosearch("g", member="Palermo", width=10, height=10, unit="km"), [b"Palermo"], "geosearch by box")
    expect(r.geosearchstore("near", "g", longitude=15, latitude=37, radius=100, unit="km", storedist=True), 1, "geosearchstore")
    expect(r.georadius("g", 15, 37, 200, unit="km", withdist=True, count=1), [[b"Catania", 56.4413]], "georadius")


def sorting_and_keys(r):
    r.rpush("ids", 3, 1, 2)
    r.mset({"weight:1": 30, "weight:2": 20, "weight:3": 10, "name:1": "one", "name:2": "two", "name:3": "three"})
    expect(r.sort("ids"), [b"1", b"2", b"3"], "sort")
    expect(r.sort("ids", by="weight:*", get=["#", "name:*"], groups=True), [(b"3", b"three"), (b"2", b"two"), (b"1", b"one")], "sort by and get")
    expect((r.sort("ids", desc=True, store="sorted"), r.lrange("sorted", 0, -1)), (3, [b"3", b"2", b"1"]), "sort store")
    r.zadd("z", {"a": 1, "b": 2})
    dumped = r.dump("z")
    expect((r.restore("z2", 0, dumped), r.zrange("z2", 0, -1)), (b"OK", [b"a", b"b"]), "dump, restore")
    expect((r.copy("z", "z3"), r.rename("z3", "z4"), r.type("z4")), (True, True, b"zset"), "copy, rename, type")
    with r.pipeline() as pipe:
        pipe.sadd("s", 1).hset("h", "f", 1).zadd("zz", {"a": 1}).rpush("l", 1).xadd("x", {"f": 1}, id="1-1").smembers("s").hgetall("h")
        expect(pipe.execute(), [1, 1, 1, 1, b"1-1", {b"1"}, {b"f": b"1"}], "a transaction over the types")
    with r.pipeline() as pipe:
        pipe.watch("h")
        another(r).hset("h", "f", 2)
        pipe.multi()
        pipe.hset("h", "f", 3)
        try:
            pipe.execute()
            raise AssertionError("a watched hash changed, and EXEC went through")
        except redis.WatchError:
            pass


def main():
    host, port = sys.argv[1], int(sys.argv[2])
    r = redis.Redis(host=host, port=port, socket_timeout=60)
    for step in (lists, blocking, sets, hashes, sorted_sets, streams, places, sorting_and_keys):
        r.flushall()
        start = time.monotonic()
        step(r)
        print(f"{step.__name__}: ok in {time.monotonic() - start:.2f} s")


main()
