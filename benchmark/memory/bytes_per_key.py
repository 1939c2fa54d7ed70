#!/usr/bin/env python3
"""Fills servers with keys of 16 bytes and values of one size, and measures the memory per key: resident memory and used_memory, as a Markdown table.

  benchmark/memory/bytes_per_key.py --garnet artifacts/garnet/garnet --valkey valkey-server
  benchmark/memory/bytes_per_key.py --sizes 8,32 --keys 250000,400000,700000,1000000,1600000

Both figures are the growth per key from the empty server, which has served some thousand keys and deleted them, to the full one, two seconds after the last key. With several
numbers of keys the means are shown, because tables that double in size are cheap for some numbers and expensive for others. The expiry of keys that have one is a day ahead.
Needs: Python 3.9, Linux.
"""
import argparse, time
import servers

WARM_KEYS = 20_000


def fill(link, first, last, value, expires):
    tail = b'$2\r\nPX\r\n$8\r\n86400000\r\n' if expires else b''
    form = b'*%d\r\n$3\r\nSET\r\n$16\r\nkey:%%012d\r\n$%d\r\n%s\r\n%s' % (5 if expires else 3, len(value), value, tail)
    link.fill(form, first, last)


def used(server):
    memory = server.link.info('memory')
    return int(memory['used_memory'])


def measure(command, keys, size, expires):
    """Bytes per key: (resident, used_memory)."""
    value = b'v' * size
    with servers.Server(command) as server:
        fill(server.link, 10 ** 11, 10 ** 11 + WARM_KEYS, value, expires)
        server.link.call('FLUSHALL')
        time.sleep(1)
        resident, counted = server.resident(), used(server)
        fill(server.link, 0, keys, value, expires)
        time.sleep(2)
        if server.link.keys() != keys:
            raise SystemExit('keys are missing')
        return (server.resident() - resident) / keys, (used(server) - counted) / keys


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    servers.add_options(parser)
    parser.add_argument('--sizes', default='8,32,128,512,4096', help='bytes of a value')
    parser.add_argument('--keys', default='1000000', help='numbers of keys, for small values')
    parser.add_argument('--most', type=int, default=512, help='MB of values at most: of larger values there are fewer keys')
    options = parser.parse_args()
    names = [name for name, _ in servers.commands(options)]
    lines = ['| value | expiry | keys | ' + ' | '.join(f'{name}: resident bytes a key | used_memory' for name in names) + (' | ratio resident | ratio used |' if len(names) == 2 else ' |'),
             '|---' * (3 + 2 * len(names) + (2 if len(names) == 2 else 0)) + '|']
    for size in map(int, options.sizes.split(',')):
        counts = list(dict.fromkeys(min(int(n), options.most * 2 ** 20 // size) for n in options.keys.split(',')))
        for expires in (False, True):
            results = {name: [measure(command, keys, size, expires) for keys in counts] for name, command in servers.commands(options)}
            means = [[sum(column) / len(counts) for column in zip(*results[name])] for name in names]
            cells = [f'{value:.1f}' for pair in means for value in pair]
            if len(names) == 2:
                cells += [f'{ours / theirs:.2f}' for ours, theirs in zip(*means)]
            lines.append(f'| {size} | {"yes" if expires else "no"} | {", ".join(f"{n:,}" for n in counts)} | ' + ' | '.join(cells) + ' |')
            print(lines[-1], flush=True)
    servers.write(['', *lines], options.output)


main()
