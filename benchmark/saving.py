#!/usr/bin/env python3
"""Saves while clients read and write at full speed, and measures the effect on them: a Markdown table, and a chart of every second.

  benchmark/saving.py                                        all scenarios, 3,000,000 keys of 512 random bytes, 36 s each
  benchmark/saving.py --scenarios auto,full,valkey --rounds 3 --table docs/saving-figures.md --picture docs/saving.svg
  benchmark/saving.py --quick                                300,000 keys, 15 s each: only checks that the script works

Needs: Python 3.9, Linux, memtier_benchmark on PATH (or --memtier). Garnet is published as by benchmark/compare.py, unless --garnet names a build;
valkey-server takes part if it is on PATH (or --valkey).

A run fills a server, lets 16 connections set and get random keys with a pipeline of 16, and saves after a third of the time. Columns:
  operations/s            median second before the save
  worst second (control)  the worst second during the save (before it), relative to that median
  mean                    the mean during the save, relative to that median
  worst p99 (control)     99th percentile of latency in the worst second during the save (before it), relative to the median second's
  save, s                 duration of the save
  memory                  peak memory of the process, relative to before
Compare a column with the same extreme before the save (control): on a busy machine any second can be bad. Rounds are interleaved and medians shown.

Scenarios:
  auto, full, yield, 10ms, 50ms, 100ms   checkpoint-throttle-flush-delay-ms auto, -1, 0, 10, 50 and 100
  skew-auto, skew-full                   keys by Zipf's law: a few are overwritten again and again
  portable, portable-2, portable-8-16    the runtime's sockets instead of epoll; the thread pool as it is, with 2 threads, with 8 to 16
  everysec, always, no                   with an append-only log, and its rewrite (BGREWRITEAOF) as the save
  valkey, valkey-everysec                Valkey, without and with its log
"""
import argparse, json, math, os, re, shutil, socket, statistics, subprocess, sys, time

import compare

CLIENTS = {'threads': 1, 'clients': 16, 'pipeline': 16, 'ratio': '1:1', 'random-data': True}
COLUMNS = ['operations/s', 'control worst', 'worst', 'mean', 'control p99', 'p99', 'seconds', 'memory']


def pace(delay, *options, keys='R:R'):
    return ['garnet', ['--checkpoint-throttle-flush-delay-ms=' + str(delay), *options], keys, 'BGSAVE']


def logged(fsync):
    return ['garnet', ['--appendonly', 'yes', '--appendfsync', fsync, '--auto-aof-rewrite-percentage', '0'], 'R:R', 'BGREWRITEAOF']


def portable(*options):
    return pace('auto', '--transport', 'sockets', *options)


# name: program, its options, key pattern, the command that saves
SCENARIOS = {
    'auto': pace('auto'), 'full': pace(-1), 'yield': pace(0), '10ms': pace(10), '50ms': pace(50), '100ms': pace(100),
    'skew-auto': pace('auto', keys='Z:Z'), 'skew-full': pace(-1, keys='Z:Z'),
    'portable': portable(),
    'portable-2': portable('--thread-pool-min-threads', '2', '--thread-pool-max-threads', '2'),
    'portable-8-16': portable('--thread-pool-min-threads', '8', '--thread-pool-max-threads', '16'),
    'everysec': logged('everysec'), 'always': logged('always'), 'no': logged('no'),
    'valkey': ['valkey', [], 'R:R', 'BGSAVE'],
    'valkey-everysec': ['valkey', ['--appendonly', 'yes', '--appendfsync', 'everysec', '--auto-aof-rewrite-percentage', '0'], 'R:R', 'BGREWRITEAOF'],
}


def call(port, *words):
    with socket.create_connection(('127.0.0.1', port), timeout=60) as link:
        link.sendall(compare.encode(*words))
        file = link.makefile('rb')
        line = file.readline()
        if line[:1] == b'$':
            return file.read(int(line[1:])).decode()
        return line.decode().strip()


def persistence(port):
    return dict(line.split(':', 1) for line in call(port, 'INFO', 'persistence').split('\r\n') if ':' in line)


def memory_mb(pid):
    """Memory of a process and its children, with shared pages counted once."""
    total, pids = 0, [pid]
    for each in pids:
        try:
            pids += [int(child) for child in open(f'/proc/{each}/task/{each}/children').read().split()]
            total += int(re.search(r'^Pss: *(\d+)', open(f'/proc/{each}/smaps_rollup').read(), re.M)[1])
        except (OSError, TypeError):
            pass  # it has just exited
    return total / 1024


def start_load(memtier, server, report, seconds, arguments, pattern, **more):
    options = dict(CLIENTS, **{'data-size': arguments.size, 'key-minimum': 1, 'key-maximum': arguments.keys, 'key-pattern': pattern}, **more)
    if seconds:
        options['test-time'] = seconds
    argv = [memtier, '-s', '127.0.0.1', '-p', str(server.port), '--hide-histogram', '--json-out-file', report]
    argv += [f'--{name}' if value is True else f'--{name}={value}' for name, value in options.items()]
    return subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def finish(process):
    if process.wait():
        sys.exit('memtier_benchmark failed')


def watch(server, load, seconds, command):
    """Saves after a third of the time; returns (start, duration, peak memory relative to before)."""
    start, before, peak, began, took = time.time(), 0, 0, None, None
    while load.poll() is None:
        used = memory_mb(server.process.pid)
        peak = max(peak, used)
        if began is None:
            before = max(before, used)
            if time.time() - start >= seconds / 3:
                reply = call(server.port, command)
                if not reply.startswith('+'):
                    sys.exit(f'{command} was answered with {reply}')
                began = time.time()
        elif took is None:
            info = persistence(server.port)
            if info['rdb_bgsave_in_progress'] == '0' and info['aof_rewrite_in_progress'] == '0' and info.get('aof_rewrite_scheduled', '0') == '0':
                took = time.time() - began
        time.sleep(0.1)
    return began - start, took, peak / before


def read_seconds(report):
    """Each second's operations, and the higher 99th percentile of the two commands."""
    with open(report) as file:
        stats = json.load(file)['ALL STATS']
    gets, sets = stats['Gets']['Time-Serie'], stats['Sets']['Time-Serie']
    each = {int(s): (sets[s]['Count'] + gets[s]['Count'], max(sets[s].get('p99.00', 0), gets[s].get('p99.00', 0))) for s in sets if s in gets}
    return [each.get(i, (0, 0)) for i in range(max(each))]  # the last second is incomplete


def run(name, command, memtier, arguments):
    program, options, pattern, save = SCENARIOS[name]
    with compare.Server(name, ' '.join([command[program], *options]), pinned=False) as server:
        report = os.path.join(server.dir, 'memtier.json')
        finish(start_load(memtier, server, report, None, arguments, 'P:P', requests='allkeys', ratio='1:0', pipeline=64))
        load = start_load(memtier, server, report, arguments.seconds, arguments, pattern)
        began, took, memory = watch(server, load, arguments.seconds, save)
        finish(load)
        seconds = read_seconds(report)
    first = int(began)
    last = min(len(seconds), first + 1 + int((took or arguments.seconds) + 1))
    control, during = seconds[2:first], seconds[first:last]
    rate = statistics.median(ops for ops, _ in control)
    p99 = statistics.median(latency for _, latency in control)
    figures = {
        'operations/s': rate,
        'control worst': min(ops for ops, _ in control) / rate,
        'worst': min(ops for ops, _ in during) / rate,
        'mean': statistics.mean(ops for ops, _ in during) / rate,
        'control p99': max(latency for _, latency in control) / p99,
        'p99': max(latency for _, latency in during) / p99,
        'seconds': took or float('nan'),
        'memory': memory,
    }
    return figures, seconds, (first, first + (took or arguments.seconds))


def table(results):
    lines = ['| scenario | operations/s | worst second (control) | mean | worst p99 (control) | save, s | memory |', '|---|---|---|---|---|---|---|']
    for name, rounds in results.items():
        f = {column: statistics.median(figures[column] for figures, _, _ in rounds) for column in COLUMNS}
        took = 'not done' if math.isnan(f['seconds']) else f'{f["seconds"]:.1f}'
        lines.append(f'| {name} | {f["operations/s"]:,.0f} | {f["worst"]:.2f} ({f["control worst"]:.2f}) | {f["mean"]:.2f} '
                     f'| x {f["p99"]:.1f} ({f["control p99"]:.1f}) | {took} | x {f["memory"]:.2f} |')
    return '\n'.join(lines) + '\n'


COLOURS = ['#0b6e4f', '#c1121f', '#1d4e89', '#e09f3e', '#6a4c93', '#555555']
WIDTH, PANEL, LEFT, TOP, GAP = 860, 220, 70, 40, 60


def picture(results, names, seconds):
    """Two panels over time: operations per second, and the 99th percentile of latency on a logarithmic scale."""
    height = TOP + 2 * PANEL + GAP + 50
    most = max(ops for name in names for ops, _ in results[name][0][1])
    latencies = [latency for name in names for _, latency in results[name][0][1] if latency > 0]
    low, high = min(latencies), max(latencies)
    x = lambda second: LEFT + (WIDTH - LEFT - 20) * second / seconds
    upper = lambda ops: TOP + PANEL * (1 - ops / most)
    span = max(1e-9, math.log2(high / low))
    lower = lambda ms: TOP + PANEL + GAP + PANEL * (1 - math.log2(max(ms, low) / low) / span)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
           f'<text x="{LEFT}" y="{TOP - 8}">operations per second</text>', f'<text x="{LEFT}" y="{TOP + PANEL + GAP - 8}">99th percentile of latency, ms</text>']
    for top, marks in ((TOP, [(upper(most * i / 4), f'{most * i / 4 / 1000:,.0f} k') for i in range(5)]),
                       (TOP + PANEL + GAP, [(lower(low * 2 ** (span * i / 4)), f'{low * 2 ** (span * i / 4):.2g}') for i in range(5)])):
        out.append(f'<rect x="{LEFT}" y="{top}" width="{WIDTH - LEFT - 20}" height="{PANEL}" fill="none" stroke="#999"/>')
        for y, text in marks:
            out.append(f'<line x1="{LEFT}" x2="{WIDTH - 20}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/><text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    for second in range(0, seconds + 1, max(1, seconds // 12)):
        out.append(f'<text x="{x(second):.1f}" y="{TOP + 2 * PANEL + GAP + 16}" text-anchor="middle">{second}</text>')
    for i, name in enumerate(names):
        colour = COLOURS[i % len(COLOURS)]
        _, series, (began, ended) = results[name][0]
        for value, y in ((0, upper), (1, lower)):
            points = ' '.join(f'{x(s + 0.5):.1f},{y(series[s][value]):.1f}' for s in range(len(series)))
            out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<line x1="{x(began):.1f}" x2="{x(min(ended, seconds)):.1f}" y1="{TOP + PANEL + 10 + 5 * i}" y2="{TOP + PANEL + 10 + 5 * i}" stroke="{colour}" stroke-width="3"/>')
        out.append(f'<text x="{LEFT + 130 * i}" y="{height - 8}" fill="{colour}">{name}</text>')
    out.append(f'<text x="{WIDTH - 20}" y="{TOP - 8}" text-anchor="end">bars between the panels: the saves</text></svg>')
    return '\n'.join(out) + '\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--garnet', help='a published garnet program to run instead of publishing one')
    parser.add_argument('--valkey', default=shutil.which('valkey-server'))
    parser.add_argument('--memtier', default=shutil.which('memtier_benchmark'))
    parser.add_argument('--scenarios', help='comma-separated; all by default')
    parser.add_argument('--keys', type=int, default=3_000_000)
    parser.add_argument('--size', type=int, default=512)
    parser.add_argument('--seconds', type=int, default=36)
    parser.add_argument('--rounds', type=int, default=1)
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--table', help='file for the table, which is also printed')
    parser.add_argument('--picture', help='file for the chart (SVG)')
    parser.add_argument('--pictured', default='auto,full,valkey', help='scenarios in the chart, at most six')
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.keys, arguments.seconds = 300_000, 15
    if not arguments.memtier:
        sys.exit('memtier_benchmark is needed: put it on PATH or name it with --memtier.')
    names = arguments.scenarios.split(',') if arguments.scenarios else [n for n in SCENARIOS if arguments.valkey or SCENARIOS[n][0] != 'valkey']
    if unknown := [name for name in names if name not in SCENARIOS]:
        sys.exit(f'Unknown: {", ".join(unknown)}.')
    command = {'garnet': (arguments.garnet or compare.publish()) + ' --port {port} --bind 127.0.0.1 --dir {dir}',
               'valkey': f'{arguments.valkey} --port {{port}} --bind 127.0.0.1 --save "" --dir {{dir}}'}
    results = {name: [] for name in names}
    for _ in range(arguments.rounds):
        for name in names:
            results[name].append(run(name, command, arguments.memtier, arguments))
            print(name, {column: round(value, 2) for column, value in results[name][-1][0].items()}, file=sys.stderr, flush=True)
    text = (f'{os.cpu_count()} cores, {arguments.keys:,} keys of {arguments.size} bytes, {arguments.seconds} s, saved after a third; '
            f'{"medians of " + str(arguments.rounds) + " rounds" if arguments.rounds > 1 else "one round"}.\n\n' + table(results))
    print(text)
    if arguments.table:
        with open(arguments.table, 'w') as file:
            file.write(text)
    pictured = [name for name in arguments.pictured.split(',') if name in results]
    if arguments.picture and pictured:
        with open(arguments.picture, 'w') as file:
            file.write(picture(results, pictured, arguments.seconds))


if __name__ == '__main__':
    main()
