"""Jobs by RQ; exits 0 when all is as expected.

Usage: rq_walk.py HOST PORT
"""
import sys
import time
from datetime import timedelta

import redis
import rq
from rq.command import send_shutdown_command
from rq.job import JobStatus
from rq.registry import FailedJobRegistry, FinishedJobRegistry, ScheduledJobRegistry
from rq.worker import StopRequested

from checks import expect


def add(x, y):
    return x + y


def fail():
    raise ValueError("as it should")


def work(queues, r, **more):
    worker = rq.SimpleWorker(queues, connection=r)
    worker.work(burst=True, logging_level="ERROR", **more)
    return worker


def jobs(r):
    queue = rq.Queue("walk", connection=r)
    enqueued = [queue.enqueue("rq_walk.add", i, i) for i in range(50)]
    failing = queue.enqueue("rq_walk.fail")
    last = queue.enqueue("rq_walk.add", 1, 1, depends_on=enqueued[-1])
    expect((len(queue), last.get_status()), (51, JobStatus.DEFERRED), "jobs that wait")
    work([queue], r)
    expect([job.result for job in enqueued], [2 * i for i in range(50)], "results")
    expect((failing.get_status(refresh=True), last.result), (JobStatus.FAILED, 2), "a failed job, a job that depended on another")
    expect(FailedJobRegistry(queue=queue).get_job_ids(), [failing.id], "failed jobs")
    expect(len(FinishedJobRegistry(queue=queue)), 51, "finished jobs")


def priorities(r):
    low, high = rq.Queue("low", connection=r), rq.Queue("high", connection=r)
    first = low.enqueue("rq_walk.add", 1, 1)
    second = high.enqueue("rq_walk.add", 2, 2)
    front = high.enqueue("rq_walk.add", 3, 3, at_front=True)
    work([high, low], r)
    ends = [job.ended_at for job in (front, second, first) if job.refresh() is None]
    expect(ends, sorted(ends), "the order of the jobs")


def scheduled(r):
    queue = rq.Queue("scheduled", connection=r)
    job = queue.enqueue_in(timedelta(seconds=-1), "rq_walk.add", 4, 5)
    expect(job in ScheduledJobRegistry(queue=queue), True, "a scheduled job")
    scheduler = rq.scheduler.RQScheduler([queue], connection=r)
    expect(scheduler.acquire_locks(), {"scheduled"}, "the scheduler's locks")
    scheduler.enqueue_scheduled_jobs()
    work([queue], r)
    expect(job.result, 9, "a scheduled job's result")


def a_command_to_a_worker(r):
    """It goes by pub/sub; the worker's listener raises StopRequested in this thread."""
    worker = rq.SimpleWorker(["walk"], connection=r, name="listener")
    worker.register_birth()
    worker.subscribe()
    while r.pubsub_numsub("rq:pubsub:listener")[0][1] == 0:
        time.sleep(0.002)
    expect([each.name for each in rq.Worker.all(connection=r)], ["listener"], "workers")
    try:
        send_shutdown_command(r, "listener")
        time.sleep(30)
    except StopRequested:
        pass
    else:
        raise AssertionError("the worker did not hear the command")
    worker.unsubscribe()
    worker.register_death()


def main():
    r = redis.Redis(host=sys.argv[1], port=int(sys.argv[2]))
    r.flushall()
    for step in (jobs, priorities, scheduled, a_command_to_a_worker):
        start = time.monotonic()
        step(r)
        print(f"{step.__name__}: ok in {time.monotonic() - start:.2f} s")


if __name__ == "__main__":
    main()
