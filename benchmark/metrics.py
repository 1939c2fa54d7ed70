#!/usr/bin/env python3
"""Measures the cost of metrics for a server under load: processor time per operation and operations per second, of the same build without and with them.

  benchmark/metrics.py --table metrics.md      pipelines of 32 and 1, four sets of servers, four rounds each: about five minutes
  benchmark/metrics.py --quick                 one set and one round of 1 s: only checks that the script works

Needs Python 3.9, Linux, two cores, taskset and memtier_benchmark. Garnet is published as by benchmark/compare.py, unless --garnet names a build; a listener is built from
benchmark/Garnet.Microbenchmarks, unless --listener names the library.

A set is three servers:
  without         no metrics-port and no listener
  with            /metrics is scraped each second, and an in-process listener collects all instruments each second, as OpenTelemetry's exporter does
  without, again  the same as the first: the difference between these two is noise
The server runs on core 0, the load and the scraper on core 1. While one server of a set is under load, the others are stopped (SIGSTOP). Rounds go through the servers in turn, every
second one in reverse. Two processes of one build differ by some percent because of their memory layout, so there are several sets, and the ratio to `without` is computed within
each: the table shows the mean, minimum and maximum of the sets' medians.
"""
import argparse, os, shutil, signal, statistics, subprocess, sys, threading, urllib.request

import compare

WITHOUT, WITH, AGAIN = 'without', 'with', 'without, again'
PIPELINES = (32, 1)
WARM_SECONDS = 2


class Running:
    """A started server that runs only while it is under load."""

    def __init__(self, name, command):
        self.name, self.pages, self.metrics_port = name, 0, compare.free_port()
        self.server = compare.Server(name, command.replace('{metrics_port}', str(self.metrics_port)), pinned=True)

    def __enter__(self):
        self.server.__enter__()
        return self

    def __exit__(self, *_):
        self.wake()
        self.server.__exit__()

    def sleep(self):
        os.kill(self.server.process.pid, signal.SIGSTOP)

    def wake(self):
        if self.server.process.poll() is None:
            os.kill(self.server.process.pid, signal.SIGCONT)

    def read_pages(self, end):
        # The first one after half a second, so that a short run also has one per second.
        wait = 0.5
        while not end.wait(wait):
            with urllib.request.urlopen(f'http://127.0.0.1:{self.metrics_port}/metrics', timeout=5) as page:
                self.pages += b'garnet_commands_total' in page.read()
            wait = 1

    def load(self, load, pipeline, seconds):
        """(operations per second, processor microseconds per operation)"""
        self.wake()
        end = threading.Event()
        reader = threading.Thread(target=self.read_pages, args=(end,))
        before = compare.processor_seconds(self.server.process.pid)
        if self.name == WITH:
            reader.start()
        count, rate, _ = load.mixed(self.server, 1, 1, pipeline, seconds)
        spent = compare.processor_seconds(self.server.process.pid) - before
        end.set()
        if self.name == WITH:
            reader.join()
        self.sleep()
        return rate, spent * 1e6 / count

    def check(self):
        """Exits if metrics should have been read but were not."""
        with open(self.server.log.name, errors='replace') as log:
            heard = 'measurements: ' in log.read()
        if self.pages == 0 or not heard:
            sys.exit(f'{self.name}: {self.pages} pages were read, and the listener {"heard" if heard else "never heard"} a measurement')


def commands(arguments):
    garnet = arguments.garnet or compare.publish()
    listener = arguments.listener
    if not listener:
        project = os.path.join(compare.ROOT, 'benchmark', 'Garnet.Microbenchmarks')
        subprocess.run(['dotnet', 'build', project, '-c', 'Release', '-v', 'q', '--nologo'], check=True, stdout=sys.stderr)
        listener = os.path.join(project, 'bin', 'Release', 'net10.0', 'Garnet.Microbenchmarks.dll')
    plain = f'{garnet} --port {{port}} --bind 127.0.0.1 --save "" --dir {{dir}}'
    return {
        WITHOUT: plain,
        WITH: f'env DOTNET_STARTUP_HOOKS={os.path.abspath(listener)} {plain} --metrics-port {{metrics_port}}',
        AGAIN: plain,
    }


def measure_set(servers, load, rounds, seconds):
    """The medians of the rounds for each pipeline and server."""
    results = {(pipeline, name): [] for pipeline in PIPELINES for name in servers}
    running = []
    try:
        for name, command in servers.items():
            started = Running(name, command).__enter__()
            running.append(started)
            load.fill(started.server, 64, compare.KEYS)
            for pipeline in PIPELINES:
                started.load(load, pipeline, min(WARM_SECONDS, seconds))
        for number in range(rounds):
            for pipeline in PIPELINES:
                for each in running if number % 2 == 0 else reversed(running):
                    results[pipeline, each.name].append(each.load(load, pipeline, seconds))
        next(each for each in running if each.name == WITH).check()
    finally:
        for each in running:
            each.__exit__()
    return {key: tuple(statistics.median(run[i] for run in runs) for i in range(2)) for key, runs in results.items()}


def table(sets):
    lines = ['| pipeline | metrics | operations/s | processor us/op | processor, `without` = 1 | sets | operations/s, `without` = 1 | sets |', '|---|---|---|---|---|---|---|---|']
    for pipeline in PIPELINES:
        for name in (WITHOUT, WITH, AGAIN):
            rate, cost = (statistics.mean(one[pipeline, name][i] for one in sets) for i in range(2))
            line = f'| {pipeline} | {name} | {rate:,.0f} | {cost:.3f} |'
            for i in (1, 0):
                ratios = [one[pipeline, name][i] / one[pipeline, WITHOUT][i] for one in sets]
                line += ' | |' if name == WITHOUT else f' {statistics.mean(ratios):.3f} | {min(ratios):.3f} to {max(ratios):.3f} |'
            lines.append(line)
    return '\n'.join(lines) + '\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--garnet', help='a published garnet program to run instead of publishing one')
    parser.add_argument('--listener', help='a built Garnet.Microbenchmarks.dll')
    parser.add_argument('--memtier', default='memtier_benchmark')
    parser.add_argument('--sets', type=int, default=4)
    parser.add_argument('--rounds', type=int, default=4)
    parser.add_argument('--seconds', type=int, default=2)
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--table', help='file for the table; printed in any case')
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.sets, arguments.rounds, arguments.seconds = 1, 1, 1
    for program in (arguments.memtier, 'taskset'):
        if not shutil.which(program):
            sys.exit(f'{program} is needed.')
    servers, load = commands(arguments), compare.Memtier(arguments.memtier)
    os.sched_setaffinity(0, {1})
    sets = []
    for number in range(arguments.sets):
        sets.append(measure_set(servers, load, arguments.rounds, arguments.seconds))
        print(f'set {number + 1} of {arguments.sets} is done', file=sys.stderr)
    text = f'{arguments.sets} sets of servers, {arguments.rounds} rounds of {arguments.seconds} s each.\n\n{table(sets)}'
    print(text)
    if arguments.table:
        with open(arguments.table, 'w') as file:
            file.write(text)


if __name__ == '__main__':
    main()
