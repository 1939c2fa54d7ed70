#!/usr/bin/env python3
"""Overwrites, deletes and expires keys of random sizes for a long time, and records memory and throughput.

  benchmark/memory/churn.py --server 'artifacts/garnet/garnet --maxmemory 1gb --maxmemory-policy allkeys-lru' --operations 50000000
  benchmark/memory/churn.py --server 'valkey-server --maxmemory 300mb --maxmemory-policy allkeys-lru' --operations 2000000

Values have 16 bytes to 64 KiB, small ones more often (uniform in the logarithm). Prints a line for each tenth of the operations: operations per second, the server's processor time per operation, resident memory, used_memory, and the
largest resident memory so far as a multiple of maxmemory (or, without maxmemory, of the live data). Exits with 1 if that exceeds --most.
Needs: Python 3.9, Linux.
"""
import argparse, random, sys, time
import servers

BATCH = 64


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--server', required=True)
    parser.add_argument('--operations', type=int, default=1_000_000)
    parser.add_argument('--keys', type=int, default=400_000)
    parser.add_argument('--largest', type=int, default=65_536)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--most', type=float, default=1.10)
    options = parser.parse_args()
    with servers.Server(options.server) as server:
        worst_ratio = churn(server, options)
    sys.exit(0 if worst_ratio <= options.most else 1)


def churn(server, options):
    """Returns peak resident memory relative to maxmemory, or to the live data."""
    link = server.link
    rng = random.Random(options.seed)
    payload = rng.randbytes(options.largest + 1)
    worst, worst_ratio, began, done, used = 0, 0.0, time.time(), 0, server.processor_seconds()
    bits = options.largest.bit_length() - 1
    limit = int(link.info('memory')['maxmemory'])
    part = max(BATCH, options.operations // 10)
    for start in range(0, options.operations, BATCH):
        out = []
        for _ in range(BATCH):
            key, kind = rng.randrange(options.keys), rng.random()
            if kind < 0.1:
                out.append(b'*2\r\n$3\r\nDEL\r\n$16\r\nkey:%012d\r\n' % key)
                continue
            size = int(2 ** rng.uniform(4, bits))
            if kind < 0.3:
                out.append(b'*5\r\n$3\r\nSET\r\n$16\r\nkey:%012d\r\n$%d\r\n%s\r\n$2\r\nPX\r\n$4\r\n%d\r\n' % (key, size, payload[:size], rng.randrange(1000, 9999)))
            else:
                out.append(b'*3\r\n$3\r\nSET\r\n$16\r\nkey:%012d\r\n$%d\r\n%s\r\n' % (key, size, payload[:size]))
        link.send(b''.join(out))
        for _ in range(BATCH):
            line = link.file.readline()
            if line[:1] == b'-' and not line.startswith(b'-OOM'):
                sys.exit(line.decode())
        done += BATCH
        if start // BATCH % 50 == 0:
            now = server.resident()
            worst = max(worst, now)
        if done // part != (done - BATCH) // part:
            memory = link.info('memory')
            data = limit or int(memory.get('allocator_allocated', memory['used_memory']))
            worst_ratio = worst / data
            elapsed, began = time.time() - began, time.time()
            spent, used = server.processor_seconds() - used, server.processor_seconds()
            print(f'{done:>10} operations, {part / elapsed:>9,.0f}/s, {spent / part * 1e6:>5.2f} us each, resident {server.resident() / 2 ** 20:>7.1f} MB, used_memory {int(memory["used_memory"]) / 2 ** 20:>7.1f} MB, '
                  f'live {int(memory.get("allocator_allocated", 0)) / 2 ** 20:>7.1f} MB, most resident {worst / 2 ** 20:.1f} MB = {worst_ratio:.3f} x', flush=True)
            if not limit:
                worst = 0
    return worst_ratio


main()
