#!/usr/bin/env python3
"""Lets a million keys expire in the same millisecond while a client sends one request after the other, and measures that client's latency and how soon the memory is returned: a Markdown table.

  benchmark/memory/expiry_storm.py --garnet artifacts/garnet/garnet --valkey valkey-server
  benchmark/memory/expiry_storm.py --keys 1000000 --size 100 --rounds 3

The client alternates between PING and GET of a permanent key, and waits for each reply; the two seconds before the expiry are the control. Columns: p99 and worst latency before, and
from the expiry until the keys are removed; seconds until DBSIZE is what it was before the keys were added, and until nine tenths of the resident memory that they took are returned (- if that has
not happened --watch seconds after the expiry); how much was returned in the end. Rounds are interleaved and medians shown.
Needs: Python 3.9, Linux.
"""
import argparse, statistics, time
import servers

PERMANENT = 1000
CONTROL_SECONDS = 2
LOOK_SECONDS = 0.05


def fill(link, keys, value, expires_ms):
    form = b'*5\r\n$3\r\nSET\r\n$16\r\nkey:%%012d\r\n$%d\r\n%s\r\n$4\r\nPXAT\r\n$13\r\n%d\r\n' % (len(value), value, expires_ms)
    link.fill(form, 0, keys)


def probe(link, number):
    """One request; its latency in milliseconds."""
    request = servers.encode('PING') if number % 2 else servers.encode('GET', f'stays:{number % PERMANENT}')
    began = time.perf_counter()
    link.send(request)
    link.reply()
    return (time.perf_counter() - began) * 1e3


def measure(command, options):
    value = b'v' * options.size
    with servers.Server(command) as server:
        link = server.link
        for number in range(PERMANENT):
            link.call('SET', f'stays:{number}', 'v' * 100)
        fill(link, 20_000, value, int(time.time() * 1000) + 500)
        time.sleep(2)
        before = server.resident()
        moment = time.time() + options.lead
        fill(link, options.keys, value, int(moment * 1000))
        if time.time() > moment - CONTROL_SECONDS:
            # The machine was too slow for the time until the expiry: tries the same keys again with more time.
            moment = time.time() + 2 * (time.time() - moment + options.lead) + CONTROL_SECONDS
            fill(link, options.keys, value, int(moment * 1000))
        full = server.resident()
        time.sleep(max(0, moment - CONTROL_SECONDS - time.time()))
        calm, storm, gone, back, number, look = [], [], None, None, 0, 0
        while (now := time.time()) < moment + options.watch and (gone is None or back is None):
            if now < moment:
                calm.append(probe(link, number))
            elif gone is None:
                storm.append(probe(link, number))
            else:
                time.sleep(LOOK_SECONDS)
            number += 1
            if now >= moment and now >= look:
                look = now + LOOK_SECONDS
                if gone is None and link.keys() <= PERMANENT:
                    gone = time.time() - moment
                if back is None and full - server.resident() >= 0.9 * (full - before):
                    back = time.time() - moment
        if gone is None:
            raise SystemExit(f'{command}: {link.keys()} keys are still there')
        returned = (full - server.resident()) / (full - before)
        return [servers.percentile(calm, 0.99), max(calm), servers.percentile(storm, 0.99), max(storm), gone, back, returned * 100, (full - before) / 2 ** 20]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    servers.add_options(parser)
    parser.add_argument('--keys', type=int, default=1_000_000)
    parser.add_argument('--size', type=int, default=100, help='bytes of a value')
    parser.add_argument('--lead', type=float, default=15, help='seconds from the first key to the moment')
    parser.add_argument('--watch', type=float, default=20, help='seconds to wait for the memory')
    parser.add_argument('--rounds', type=int, default=1)
    options = parser.parse_args()
    results = {name: [] for name, _ in servers.commands(options)}
    for _ in range(options.rounds):
        for name, command in servers.commands(options):
            results[name].append(measure(command, options))
            print(name, *(f'{value:.2f}' if value is not None else '-' for value in results[name][-1]), flush=True)
    lines = ['', '| | p99 before, ms | worst | p99 while they go, ms | worst | keys gone after | memory back after | given back | of |', '|---|---|---|---|---|---|---|---|---|']
    for name, rows in results.items():
        middle = [statistics.median(column) if None not in column else None for column in zip(*rows)]
        back = '-' if middle[5] is None else f'{middle[5]:.1f} s'
        lines.append(f'| {name} | {middle[0]:.2f} | {middle[1]:.2f} | {middle[2]:.2f} | {middle[3]:.2f} | {middle[4]:.1f} s | {back} | {middle[6]:.0f} % | {middle[7]:.0f} MB |')
    servers.write(lines, options.output)


main()
