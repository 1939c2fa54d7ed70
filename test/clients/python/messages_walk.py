"""Publish and subscribe, notifications and invalidations with redis-py; exits 0 when all is as expected.

Usage: messages_walk.py HOST PORT
"""
import sys
import threading
import time

import redis

from checks import expect, expect_error


def connect(**more):
    return redis.Redis(host=sys.argv[1], port=int(sys.argv[2]), socket_timeout=60, decode_responses=True, **more)


def take(pubsub, count):
    """The next messages, without the answers to (un)subscribing."""
    taken = []
    deadline = time.monotonic() + 30
    while len(taken) < count:
        if time.monotonic() > deadline:
            raise AssertionError(f"{len(taken)} of {count} messages came: {taken}")
        message = pubsub.get_message(ignore_subscribe_messages=True, timeout=1)
        if message is not None:
            taken.append((message["type"], message["pattern"], message["channel"], message["data"]))
    return taken


def subscribe(r, channels=(), patterns=()):
    """A subscriber whose subscriptions the server has answered."""
    pubsub = r.pubsub()
    if channels:
        pubsub.subscribe(*channels)
    if patterns:
        pubsub.psubscribe(*patterns)
    for _ in range(len(channels) + len(patterns)):
        message = pubsub.get_message(timeout=30)
        expect(message["type"] in ("subscribe", "psubscribe"), True, "an answer to subscribing")
    return pubsub


def channels_and_patterns(r):
    subscriber = subscribe(r, ["a", "b"], ["a*", "[b-c]"])
    expect(r.pubsub_numpat(), 2, "pubsub numpat")
    expect(sorted(r.pubsub_channels()), ["a", "b"], "pubsub channels")
    expect(r.pubsub_numsub("a", "none"), [("a", 1), ("none", 0)], "pubsub numsub")
    expect((r.publish("a", "one"), r.publish("c", "two"), r.publish("none", "three")), (2, 1, 0), "publish")
    expect(take(subscriber, 3), [("message", None, "a", "one"), ("pmessage", "a*", "a", "one"), ("pmessage", "[b-c]", "c", "two")], "messages")
    pipe = r.pipeline(transaction=False)
    for i in range(5000):
        pipe.publish("b", i)
    expect(set(pipe.execute()), {2}, "a pipeline of publish")
    expect([each[3] for each in take(subscriber, 10_000)[::2]], [str(i) for i in range(5000)], "messages in order")
    subscriber.unsubscribe("a")
    expect(subscriber.get_message(timeout=30)["type"], "unsubscribe", "an answer to unsubscribing")
    expect(r.publish("a", "to the pattern"), 1, "publish after unsubscribe")
    subscriber.ping()
    expect([take(subscriber, 1)[0][3], subscriber.get_message(timeout=30)["type"]], ["to the pattern", "pong"], "a message and a pong")
    subscriber.close()


def a_listening_thread(r):
    received = []
    arrived = threading.Event()

    def handle(message):
        received.append(message["data"])
        if len(received) == 100:
            arrived.set()

    pubsub = r.pubsub(ignore_subscribe_messages=True)
    pubsub.subscribe(**{"handled": handle})
    thread = pubsub.run_in_thread(sleep_time=0.01)
    while r.publish("handled", "first") == 0:
        time.sleep(0.002)
    for i in range(99):
        r.publish("handled", i)
    expect(arrived.wait(30), True, "all messages were handled")
    expect(received, ["first"] + [str(i) for i in range(99)], "messages in order")
    thread.stop()
    thread.join(30)


def subscriptions_come_back(r):
    subscriber = subscribe(r, ["news"], ["p*"])
    for i in range(3):
        expect(r.execute_command("CLIENT", "KILL", "TYPE", "pubsub"), 1, "client kill")
        # What is published before the connection has gone may be counted for it, and reaches nobody.
        while r.pubsub_numsub("news")[0][1] > 0 or r.pubsub_numpat() > 0:
            time.sleep(0.002)
        # The client connects again when it reads, and then subscribes to what it had.
        while r.pubsub_numsub("news")[0][1] == 0 or r.pubsub_numpat() == 0:
            try:
                subscriber.get_message(timeout=0.01)
            except redis.ConnectionError:
                pass
        expect((r.publish("news", i), r.publish("pat", i)), (1, 1), "publish after the connection was killed")
        seen = {each[2] for each in take(subscriber, 2)}
        expect(seen, {"news", "pat"}, "messages after the connection was killed")
        while subscriber.get_message(timeout=0.05) is not None:
            pass
    subscriber.close()


def notifications(r):
    r.config_set("notify-keyspace-events", "KEA")
    subscriber = subscribe(r, patterns=["__keyevent@0__:*"])
    r.set("k", "v", px=1)
    r.lpush("l", "a")
    while r.exists("k"):
        time.sleep(0.002)
    with r.pipeline() as pipe:
        pipe.rename("l", "m").lpop("m").execute()
    events = [(each[2].split(":", 1)[1], each[3]) for each in take(subscriber, 8)]
    expected = [("set", "k"), ("expire", "k"), ("lpush", "l"), ("expired", "k"), ("rename_from", "l"), ("rename_to", "m"), ("lpop", "m"), ("del", "m")]
    expect(sorted(events), sorted(expected), "events")
    r.config_set("notify-keyspace-events", "")
    subscriber.close()


def invalidations_by_redirect(r):
    """This version has no cache of its own; an application makes one on two connections."""
    listener = r.pubsub()
    listener.execute_command("CLIENT", "ID")
    identity = listener.parse_response()
    listener.subscribe("__redis__:invalidate")
    expect(listener.get_message(timeout=30)["type"], "subscribe", "an answer to subscribing")
    with connect(single_connection_client=True) as reader:
        expect(reader.execute_command("CLIENT", "TRACKING", "ON", "REDIRECT", identity, "NOLOOP"), "OK", "client tracking")
        r.mset({"x": 1, "y": 2})
        expect(reader.mget("x", "y"), ["1", "2"], "mget")
        reader.set("y", 3)
        r.incr("x")
        expect(listener.parse_response(timeout=30), ["message", "__redis__:invalidate", ["x"]], "an invalidation")
        expect(reader.get("x"), "2", "get")
        r.flushall()
        expect(listener.parse_response(timeout=30), ["message", "__redis__:invalidate", None], "an invalidation of all")
        expect_error(lambda: reader.execute_command("CLIENT", "CACHING", "YES"), "OPTIN")
    listener.close()


def users(r):
    r.acl_log_reset()
    expect(r.acl_setuser("ann", reset=True, enabled=True, passwords=["+pw"], keys=["app:*"], categories=["+@read", "+@pubsub"], commands=["+acl|whoami"]), True, "acl setuser")
    ann = connect(username="ann", password="pw")
    expect(ann.acl_whoami(), "ann", "acl whoami")
    expect(ann.get("app:1"), None, "get of a key that is allowed")
    for denied in (lambda: ann.get("other"), lambda: ann.set("app:1", 1), lambda: ann.publish("news", 1)):
        try:
            denied()
        except redis.exceptions.NoPermissionError:
            continue
        raise AssertionError("it was not denied")
    r.execute_command("ACL", "SETUSER", "ann", "&news")
    expect(ann.publish("news", 1), 0, "publish to a channel that is allowed")
    expect([entry["reason"] for entry in r.acl_log()], ["channel", "command", "key"], "acl log")
    expect("ann" in r.acl_users() and r.acl_deluser("ann"), 1, "acl deluser")


def main():
    r = connect()
    r.flushall()
    for step in (channels_and_patterns, a_listening_thread, subscriptions_come_back, notifications, invalidations_by_redirect, users):
        start = time.monotonic()
        step(r)
        print(f"{step.__name__}: ok in {time.monotonic() - start:.2f} s")


main()
