#!/usr/bin/env python3
"""Writes values of random sizes at full speed, once with memory for all of them and once with so little that nearly every write evicts, and compares the throughput: a Markdown table.

  benchmark/memory/eviction_rate.py --garnet artifacts/garnet/garnet --valkey valkey-server
  benchmark/memory/eviction_rate.py --values 16-65536,256-4096 --maxmemory 300 --seconds 5 --rounds 3

Sizes are log-uniform. With eviction: ten times as many keys as fit in maxmemory. Without: no maxmemory, and as many keys as would just fit, so that the same bytes are
written to the same amount of memory. One connection sends batches of 64 SETs, one batch ahead of the replies, so that the server never waits; measurements begin when the memory is full.
Columns: operations per second and the server's processor time per operation, without and with eviction; the ratio of the rates; peak resident memory relative to maxmemory. Rounds are
interleaved and medians shown.
Needs: Python 3.9, Linux.
"""
import argparse, math, random, statistics, time
import servers

BATCH = 64
TEMPLATES = 32


class Load:
    """Batches of SETs whose values are reused and whose keys change with each use."""

    def __init__(self, least, most, keys, seed):
        self.random = random.Random(seed)
        self.names = [b'%012d' % key for key in range(keys)]
        payload = self.random.randbytes(most)
        self.batches = [self.batch(least, most, payload) for _ in range(TEMPLATES)]
        self.next = 0

    def batch(self, least, most, payload):
        data, places = bytearray(), []
        for _ in range(BATCH):
            size = int(least * (most / least) ** self.random.random())
            places.append(len(data) + len(b'*3\r\n$3\r\nSET\r\n$16\r\nkey:'))
            data += b'*3\r\n$3\r\nSET\r\n$16\r\nkey:000000000000\r\n$%d\r\n%s\r\n' % (size, payload[:size])
        return data, places

    def take(self):
        data, places = self.batches[self.next]
        self.next = (self.next + 1) % TEMPLATES
        for place, name in zip(places, self.random.choices(self.names, k=BATCH)):
            data[place:place + 12] = name
        return data


def run(server, load, seconds, bytes_at_least=0):
    """Operations per second, processor microseconds per operation, peak resident memory."""
    link, done, sent, worst = server.link, 0, 0, 0
    began, used = time.perf_counter(), server.processor_seconds()
    link.send(load.take())
    while time.perf_counter() - began < seconds or sent < bytes_at_least:
        data = load.take()
        link.send(data)
        link.skip(BATCH)
        sent += len(data)
        done += BATCH
        if done % (BATCH * 16) == 0:
            worst = max(worst, server.resident())
    elapsed = time.perf_counter() - began
    link.skip(BATCH)
    return done / elapsed, (server.processor_seconds() - used) / done * 1e6, worst


def measure(command, least, most, evicts, options):
    mean = (most - least) / math.log(most / least)
    fit = int(options.maxmemory * 2 ** 20 / (mean + 64))
    load = Load(least, most, fit * 10 if evicts else fit, options.seed)
    limit = ['--maxmemory', f'{options.maxmemory}mb', '--maxmemory-policy', options.policy] if evicts else []
    with servers.Server(command, *limit) as server:
        # At least twice the memory: nearly all of few keys have been written, and so many of many keys that some were evicted. The time lets tiered compilation finish.
        run(server, load, options.warmup, 2 * options.maxmemory * 2 ** 20)
        before = int(server.link.info('stats')['evicted_keys'])
        rate, cost, worst = run(server, load, options.seconds)
        evicted = int(server.link.info('stats')['evicted_keys']) - before
        if evicts != (evicted > 0):
            raise SystemExit(f'{command}: {evicted} keys were evicted')
        return rate, cost, worst / (options.maxmemory * 2 ** 20)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    servers.add_options(parser)
    parser.add_argument('--values', default='16-65536,256-4096', help='bytes, from least to most')
    parser.add_argument('--maxmemory', type=int, default=300, help='MB')
    parser.add_argument('--policy', default='allkeys-lru')
    parser.add_argument('--seconds', type=float, default=5)
    parser.add_argument('--warmup', type=float, default=8.0, help='seconds that do not count, before each measurement')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    lines = ['', '| values | server | without: operations/s | processor us/op | with: operations/s | processor us/op | with/without | resident/maxmemory |', '|---|---|---|---|---|---|---|---|']
    for values in options.values.split(','):
        least, most = map(int, values.split('-'))
        results = {}
        for _ in range(options.rounds):
            for evicts in (False, True):
                for name, command in servers.commands(options):
                    results.setdefault((name, evicts), []).append(measure(command, least, most, evicts, options))
        middle = {key: [statistics.median(column) for column in zip(*rows)] for key, rows in results.items()}
        for name, _ in servers.commands(options):
            (plain, plain_cost, _), (rate, cost, worst) = middle[name, False], middle[name, True]
            lines.append(f'| {values} | {name} | {plain:,.0f} | {plain_cost:.2f} | {rate:,.0f} | {cost:.2f} | {rate / plain:.2f} | {worst:.3f} |')
            print(lines[-1], flush=True)
        if len(servers.commands(options)) == 2:
            ours, theirs = middle['Garnet', True], middle['Valkey', True]
            print(f'{values}: {ours[0] / theirs[0]:.2f} x the rate of Valkey with eviction, {ours[1] / theirs[1]:.2f} x its processor time', flush=True)
    servers.write(lines, options.output)


main()
