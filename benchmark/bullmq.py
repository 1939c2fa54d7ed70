#!/usr/bin/env python3
"""Jobs of BullMQ, which is nothing but scripts with computed keys: the server's processor time per job, and what another client waits meanwhile.

  benchmark/bullmq.py                                   Garnet with one and two I/O threads, and Valkey if it is on PATH
  benchmark/bullmq.py --garnet DIR/garnet --rounds 5 --jobs 10000

Needs: Python 3.9, Linux, node, and `npm ci` in test/clients/node. Garnet is published as by benchmark/compare.py, unless --garnet names a build.
Rounds are interleaved and medians shown. Each server first does --warm-up jobs, which a managed build needs for its code to be compiled.
Columns: processor microseconds per job added and processed; jobs added and processed per second; 50th and 99th percentile in milliseconds of a
GET that another client sends every millisecond (in brackets: without jobs). Node, which needs most of a core, shares the machine.
"""
import argparse, json, os, shutil, socket, statistics, subprocess, sys, threading, time

import compare

CLIENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'test', 'clients', 'node')
GET = compare.encode('GET', 'key')


def run_jobs(port, jobs):
    done = subprocess.run(['node', 'bullmq-load.mjs', str(port), str(jobs)], cwd=CLIENTS, capture_output=True, text=True)
    if done.returncode:
        sys.exit('bullmq-load.mjs failed (is `npm ci` done in test/clients/node?):\n' + done.stderr)
    return json.loads(done.stdout)


class Watcher(threading.Thread):
    """Another client: sends GETs until it is stopped, and keeps their times in milliseconds."""

    def __init__(self, port):
        super().__init__()
        self.port, self.ended, self.times = port, threading.Event(), []

    def run(self):
        with socket.create_connection(('127.0.0.1', self.port)) as link:
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while not self.ended.is_set():
                start = time.perf_counter()
                link.sendall(GET)
                link.recv(100)
                self.times.append((time.perf_counter() - start) * 1e3)
                time.sleep(0.001)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *error):
        self.ended.set()
        self.join()

    def percentile(self, share):
        return sorted(self.times)[int(len(self.times) * share)]


def measure(name, command, arguments):
    with compare.Server(name, command, pinned=False) as server:
        run_jobs(server.port, arguments.warm_up)
        with Watcher(server.port) as idle:
            time.sleep(1.5)
        before = compare.processor_seconds(server.process.pid)
        with Watcher(server.port) as busy:
            took = run_jobs(server.port, arguments.jobs)
        used = compare.processor_seconds(server.process.pid) - before
    rates = [arguments.jobs / took['added'], arguments.jobs / took['processed']]
    return [used / arguments.jobs * 1e6, *rates, idle.percentile(0.5), idle.percentile(0.99), busy.percentile(0.5), busy.percentile(0.99)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--garnet', help='a published garnet program to run instead of publishing one')
    parser.add_argument('--valkey', default=shutil.which('valkey-server'))
    parser.add_argument('--jobs', type=int, default=10000)
    parser.add_argument('--warm-up', type=int, default=20000)
    parser.add_argument('--rounds', type=int, default=3)
    arguments = parser.parse_args()
    garnet = arguments.garnet or compare.publish()
    place = '--port {port} --bind 127.0.0.1 --dir {dir}'
    servers = {f'Garnet, --io-threads {n}': f'{garnet} {place} --io-threads {n}' for n in (1, 2)}
    if arguments.valkey:
        servers['Valkey'] = f'{arguments.valkey} {place} --save ""'
    rows = {name: [] for name in servers}
    for _ in range(arguments.rounds):
        for name, command in servers.items():
            rows[name].append(measure(name, command, arguments))
            print(name, [round(figure, 2) for figure in rows[name][-1]], file=sys.stderr)
    print('| server | processor us per job | added/s | processed/s | GET p50, ms | GET p99, ms |\n|---|---|---|---|---|---|')
    for name, rounds in rows.items():
        cpu, added, processed, idle50, idle99, busy50, busy99 = (statistics.median(column) for column in zip(*rounds))
        print(f'| {name} | {cpu:.1f} | {added:,.0f} | {processed:,.0f} | {busy50:.2f} ({idle50:.2f}) | {busy99:.2f} ({idle99:.2f}) |')


if __name__ == '__main__':
    main()
