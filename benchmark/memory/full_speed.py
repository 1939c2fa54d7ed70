#!/usr/bin/env python3
"""Runs memtier_benchmark at full speed against servers with a memory limit, and samples their resident memory: a Markdown table.

  benchmark/memory/full_speed.py --garnet artifacts/garnet/garnet --valkey '' --seconds 600
  benchmark/memory/full_speed.py --valkey valkey-server --seconds 60 --maxmemory 1gb --policy allkeys-lru

Columns: operations per second, 99th percentile of latency, peak resident memory (sampled ten times a second) and its ratio to maxmemory, evicted keys, keys at the end. Exits with 1 if
Garnet's peak exceeds --most times maxmemory. --load replaces the options of memtier_benchmark.
Needs: Python 3.9, Linux, memtier_benchmark on PATH (or --memtier).
"""
import argparse, json, os, shlex, subprocess, sys, time
import servers

LOAD = '--threads=1 --clients=16 --pipeline=16 --ratio=1:1 --random-data --data-size-range=16-8192 --data-size-pattern=R --key-minimum=1 --key-maximum=2000000 --key-pattern=R:R'


def measure(command, options):
    port = servers.free_port()
    with servers.Server(command, '--maxmemory', options.maxmemory, '--maxmemory-policy', options.policy, port=port) as server:
        limit = int(server.link.info('memory')['maxmemory'])
        report = os.path.join(server.folder, 'memtier.json')
        argv = [options.memtier, '-s', '127.0.0.1', '-p', str(port), '--hide-histogram', f'--json-out-file={report}', f'--test-time={options.seconds}'] + shlex.split(options.load)
        load, worst = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL), 0
        while load.poll() is None:
            worst = max(worst, server.resident())
            time.sleep(0.1)
        if load.returncode != 0:
            sys.exit(f'memtier_benchmark failed with {load.returncode}')
        with open(report) as file:
            totals = json.load(file)['ALL STATS']['Totals']
        evicted = int(server.link.info('stats')['evicted_keys'])
        return totals['Ops/sec'], totals['Percentile Latencies']['p99.00'], worst, worst / limit, evicted, server.link.keys()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    servers.add_options(parser)
    parser.add_argument('--memtier', default='memtier_benchmark')
    parser.add_argument('--seconds', type=int, default=600, help='for each server')
    parser.add_argument('--maxmemory', default='1gb')
    parser.add_argument('--policy', default='allkeys-lru')
    parser.add_argument('--load', default=LOAD, help=f'the default is "{LOAD}"')
    parser.add_argument('--most', type=float, default=1.10)
    options = parser.parse_args()
    lines = ['', '| | operations/s | p99, ms | largest resident | over maxmemory | evicted keys | keys at the end |', '|---|---|---|---|---|---|---|']
    ratios = {}
    for name, command in servers.commands(options):
        rate, p99, worst, ratio, evicted, keys = measure(command, options)
        ratios[name] = ratio
        lines.append(f'| {name} | {rate:,.0f} | {p99:.2f} | {worst / 2 ** 20:,.0f} MB | {ratio:.3f} x | {evicted:,} | {keys:,} |')
        print(lines[-1], flush=True)
    servers.write(lines, options.output)
    sys.exit(0 if ratios.get('Garnet', 0) <= options.most else 1)


main()
