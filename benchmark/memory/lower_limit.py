#!/usr/bin/env python3
"""Lowers maxmemory considerably while one client writes at full speed and another sends one PING after the other, and measures how soon the limit is reached and the latency meanwhile: a Markdown table.

  benchmark/memory/lower_limit.py --garnet artifacts/garnet/garnet --valkey valkey-server
  benchmark/memory/lower_limit.py --before 1000 --after 300 --values 256-4096 --rounds 3

The writer is a separate process that always has a batch of SETs in flight, as in eviction_rate.py. Columns: p99 and worst latency of PING in the two seconds before, and from CONFIG SET until the
limit is reached; seconds until used_memory, and until resident memory, is at most a tenth above the new limit (- if it is not --watch seconds later); remaining keys. Medians.
Needs: Python 3.9, Linux.
"""
import argparse, multiprocessing, random, statistics, time
import servers

BATCH = 16
CONTROL_SECONDS = 2
LOOK_SECONDS = 0.05


def write(path, least, most, keys, full, seed):
    """Sends SETs forever; reports when each key has been written about once."""
    link, rng = servers.Link(path), random.Random(seed)
    payload, done = rng.randbytes(most), 0
    while True:
        parts = []
        for _ in range(BATCH):
            size = int(least * (most / least) ** rng.random())
            parts.append(b'*3\r\n$3\r\nSET\r\n$16\r\nkey:%012d\r\n$%d\r\n%s\r\n' % (rng.randrange(keys), size, payload[:size]))
        link.send(b''.join(parts))
        link.skip(BATCH)
        done += BATCH
        if done >= keys:
            full.set()


def ping(link):
    began = time.perf_counter()
    link.send(b'*1\r\n$4\r\nPING\r\n')
    link.reply()
    return (time.perf_counter() - began) * 1e3


def measure(command, least, most, options):
    limit = options.after * 2 ** 20
    keys = int(options.before * 2 ** 20 * 2 / (least + most))
    with servers.Server(command, '--maxmemory', f'{options.before}mb', '--maxmemory-policy', options.policy) as server:
        full = multiprocessing.Event()
        writer = multiprocessing.Process(target=write, args=(server.path, least, most, keys * 4, full, 1), daemon=True)
        writer.start()
        try:
            if not full.wait(120):
                raise SystemExit('the writer is too slow')
            link, asking = server.link, servers.Link(server.path)
            calm, pings, end = [], [], time.time() + CONTROL_SECONDS
            while time.time() < end:
                calm.append(ping(link))
            asking.call('CONFIG', 'SET', 'maxmemory', limit)
            began, look, used, resident = time.time(), 0, None, None
            while (now := time.time()) < began + options.watch and (used is None or resident is None):
                pings.append(ping(link))
                if now >= look:
                    look = now + LOOK_SECONDS
                    if used is None and int(asking.info('memory')['used_memory']) <= limit * 1.1:
                        used = time.time() - began
                    if resident is None and server.resident() <= limit * 1.1:
                        resident = time.time() - began
            return [servers.percentile(calm, 0.99), max(calm), servers.percentile(pings, 0.99), max(pings), used, resident, asking.keys()]
        finally:
            writer.terminate()
            writer.join()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    servers.add_options(parser)
    parser.add_argument('--before', type=int, default=1000, help='MB')
    parser.add_argument('--after', type=int, default=300, help='MB')
    parser.add_argument('--values', default='256-4096', help='bytes, from least to most')
    parser.add_argument('--policy', default='allkeys-lru')
    parser.add_argument('--watch', type=float, default=20, help='seconds')
    parser.add_argument('--rounds', type=int, default=1)
    options = parser.parse_args()
    least, most = map(int, options.values.split('-'))
    results = {name: [] for name, _ in servers.commands(options)}
    for _ in range(options.rounds):
        for name, command in servers.commands(options):
            results[name].append(measure(command, least, most, options))
            print(name, *(f'{value:.2f}' if value is not None else '-' for value in results[name][-1]), flush=True)
    lines = ['', '| | p99 before, ms | worst | p99 after, ms | worst | used_memory reached | resident reached | keys left |', '|---|---|---|---|---|---|---|---|']
    for name, rows in results.items():
        middle = [statistics.median(column) if None not in column else None for column in zip(*rows)]
        reached = ['-' if value is None else f'{value:.1f} s' for value in middle[4:6]]
        lines.append(f'| {name} | {middle[0]:.2f} | {middle[1]:.2f} | {middle[2]:.2f} | {middle[3]:.2f} | {reached[0]} | {reached[1]} | {middle[6]:,.0f} |')
    servers.write(lines, options.output)


main()
