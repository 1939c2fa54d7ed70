"""Tasks by Celery, with the server as broker and as result backend; exits 0 when all is as expected.

A worker needs EVALSHA, by which its transport releases a lock; without that command only what needs no worker is tried.

Usage: celery_walk.py HOST PORT
"""
import os
import sys
import threading
import time

import celery
import redis
from celery.contrib.testing.worker import start_worker

from checks import expect

url = f"redis://{sys.argv[1]}:{sys.argv[2]}"
app = celery.Celery("walk", broker=f"{url}/0", backend=f"{url}/1")
app.conf.update(task_default_queue="walk", worker_hijack_root_logger=False, result_expires=600, worker_send_task_events=True)
patience = 40


@app.task
def add(x, y):
    return x + y


@app.task
def total(numbers):
    return sum(numbers)


@app.task
def fail():
    raise ValueError("as it should")


@app.task(bind=True, max_retries=3)
def third_time(self):
    if self.request.retries < 2:
        raise self.retry(countdown=0)
    return self.request.retries


def without_a_worker(r):
    """Tasks are queued, and results that anybody stores are told by pub/sub."""
    result = add.delay(1, 2)
    expect(redis.Redis(host=sys.argv[1], port=int(sys.argv[2])).llen("walk"), 1, "tasks that wait")
    waiting = threading.Thread(target=result.get, kwargs={"timeout": patience})
    waiting.start()
    app.backend.mark_as_done(result.id, 3)
    waiting.join(patience)
    expect((waiting.is_alive(), result.get(timeout=patience)), (False, 3), "a result")
    result.forget()
    expect(r.exists(f"celery-task-meta-{result.id}"), 0, "a forgotten result")


def tasks(r):
    """Results are told by the backend's pub/sub."""
    results = [add.delay(i, i) for i in range(100)]
    expect([each.get(timeout=patience) for each in results], [2 * i for i in range(100)], "results")
    try:
        fail.delay().get(timeout=patience)
    except ValueError as error:
        expect(str(error), "as it should", "a failure's text")
    else:
        raise AssertionError("the task did not fail")
    expect(third_time.delay().get(timeout=patience), 2, "retries")


def workflows(r):
    expect((add.s(1, 2) | add.s(10)).apply_async().get(timeout=patience), 13, "a chain")
    expect(celery.group(add.s(i, 1) for i in range(10))().get(timeout=patience), list(range(1, 11)), "a group")
    expect(celery.chord((add.s(i, i) for i in range(10)), total.s())().get(timeout=patience), 90, "a chord")


def delayed(r):
    expect(add.apply_async((1, 1), countdown=0.2).get(timeout=patience), 2, "a delayed task")
    result = add.delay(3, 4)
    expect(result.get(timeout=patience), 7, "a result")
    result.forget()
    expect(r.exists(f"celery-task-meta-{result.id}"), 0, "a forgotten result")


def control(r):
    """Commands to all workers and their answers go by pub/sub and lists."""
    expect(list(app.control.ping(timeout=patience, limit=1)[0].values()), [{"ok": "pong"}], "control ping")
    registered = list(app.control.inspect(timeout=patience, limit=1).registered().values())[0]
    expect(any(name.endswith(".add") for name in registered), True, "registered tasks")


def main():
    r = redis.Redis(host=sys.argv[1], port=int(sys.argv[2]), db=1, decode_responses=True)
    r.flushall()
    without_a_worker(r)
    r.flushall()
    if "evalsha" not in r.execute_command("COMMAND LIST"):
        print("no worker: the server has no EVALSHA")
        return
    with start_worker(app, pool="solo", perform_ping_check=False, loglevel="error", shutdown_timeout=patience):
        for step in (tasks, workflows, delayed, control):
            start = time.monotonic()
            step(r)
            print(f"{step.__name__}: ok in {time.monotonic() - start:.2f} s")
    expect(r.execute_command("LLEN", "walk"), 0, "tasks that are left")


threading.excepthook = lambda args: (print(args.exc_type, args.exc_value, flush=True), os._exit(1))
main()
