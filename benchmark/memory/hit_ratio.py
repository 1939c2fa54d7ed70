#!/usr/bin/env python3
"""Replays request traces against servers as caches and compares their hit ratios at equal maxmemory.

  benchmark/memory/hit_ratio.py --garnet artifacts/garnet/garnet --valkey valkey-server
  benchmark/memory/hit_ratio.py --traces zipf0.8,zipf1.0,scan,shift,ttl --sizes 64,96,160 --requests 1000000 --output docs/hit-ratio

A request is a GET; after a miss the key is SET (in the trace ttl a quarter of the keys with an expiry). Requests are pipelined over one connection, at the same rate to every server,
so that clocks affect the keys equally. The first fifth fills the cache and is not counted. Writes a Markdown table and a plot (SVG) of hit ratio against maxmemory for
each server and policy, and for the optimum (Belady's algorithm, which knows future requests but not the expiries) with as many keys as the server that held most. Clocks run at the speed of
the replay: Valkey's LRU clock ticks once a second and its LFU counters decay once a minute, so at small sizes the former is coarse and the latter never happens.
Needs: Python 3.9, Linux.
"""
import argparse, time
import servers, traces
from servers import encode

BATCH = 200


def replay(link, trace, values, ttl, rate):
    hits, warm, counted, began = 0, len(trace) // 5 // BATCH * BATCH, 0, time.perf_counter()
    for start in range(0, len(trace), BATCH):
        batch = trace[start:start + BATCH]
        early = began + start / rate - time.perf_counter() if rate else 0
        if early > 0:
            time.sleep(early)
        link.send(b''.join(b'*2\r\n$3\r\nGET\r\n$16\r\nkey:%012d\r\n' % key for key in batch))
        missed = [key for key in batch if link.reply() is None]
        if start >= warm:
            hits += len(batch) - len(missed)
            counted += len(batch)
        missed = list(dict.fromkeys(missed))
        if missed:
            link.send(b''.join(setting(key, values[key * 2654435761 % len(values)], ttl) for key in missed))
            for _ in missed:
                link.reply()
    return hits / counted


def setting(key, value, ttl):
    if ttl and key % 4 == 0:
        return encode(b'SET', b'key:%012d' % key, value, b'PX', 200 + key % 5000)
    return b'*3\r\n$3\r\nSET\r\n$16\r\nkey:%012d\r\n$%d\r\n%s\r\n' % (key, len(value), value)


def plot(path, sizes, panels):
    width, height, margin = 360, 260, 45
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * len(panels)}" height="{height + 30}" font-family="sans-serif" font-size="11">']
    colours = ['#c0392b', '#e67e22', '#2471a3', '#5dade2', '#7f8c8d', '#27ae60', '#8e44ad']
    for index, (title, lines) in enumerate(panels):
        left, low, high = index * width, min(min(v) for v in lines.values()), max(max(v) for v in lines.values())
        low, high = low - 0.01, high + 0.01
        x = lambda size: left + margin + (size - sizes[0]) / max(1, sizes[-1] - sizes[0]) * (width - margin - 15)
        y = lambda value: 25 + (high - value) / (high - low) * (height - 60)
        out.append(f'<text x="{left + width / 2}" y="15" text-anchor="middle">{title}</text>')
        out.append(f'<rect x="{left + margin}" y="25" width="{width - margin - 15}" height="{height - 60}" fill="none" stroke="#ccc"/>')
        for step in range(5):
            value = low + (high - low) * step / 4
            out.append(f'<text x="{left + margin - 4}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.2f}</text>')
        for size in sizes:
            out.append(f'<text x="{x(size):.1f}" y="{height - 20}" text-anchor="middle">{size}</text>')
        for colour, (name, values) in zip(colours, lines.items()):
            points = ' '.join(f'{x(s):.1f},{y(v):.1f}' for s, v in zip(sizes, values))
            out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    for index, (colour, name) in enumerate(zip(colours, panels[0][1])):
        out.append(f'<text x="{45 + index * 130}" y="{height + 15}" fill="{colour}">{name}</text>')
    out.append('</svg>')
    with open(path, 'w') as file:
        file.write('\n'.join(out) + '\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--garnet', default='artifacts/garnet/garnet')
    parser.add_argument('--valkey', default='valkey-server', help='nothing to leave it out')
    parser.add_argument('--traces', default='zipf0.8,zipf1.0,zipf1.2,scan,shift,ttl')
    parser.add_argument('--sizes', default='192,384', help='maxmemory in MB')
    parser.add_argument('--requests', type=int, default=1_000_000)
    parser.add_argument('--keys', type=int, default=1_500_000)
    parser.add_argument('--values', default='256-4096', help='bytes, from least to most; each key has its size, and sizes are uniform in the logarithm')
    parser.add_argument('--rate', type=int, default=60_000, help='requests per second, 0 for as many as there can be')
    parser.add_argument('--policies', default='allkeys-lru,allkeys-lfu', help='of both servers')
    parser.add_argument('--own-policies', default='', help='of Garnet alone')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--output', default='hit-ratio')
    options = parser.parse_args()
    sizes, panels = [int(s) for s in options.sizes.split(',')], []
    common, own = ([p for p in names.split(',') if p] for names in (options.policies, options.own_policies))
    runs = [(f'{n} {p.split("-")[1]}', c, p) for n, c, ps in (('Garnet', options.garnet, common + own), ('Valkey', options.valkey, common)) if c for p in ps]
    least, most_bytes = (int(n) for n in options.values.split('-'))
    values = [b'v' * int(least * (most_bytes / least) ** (i / 1008)) for i in range(1009)]
    lines = ['| trace | maxmemory | ' + ' | '.join(name for name, _, _ in runs) + ' | optimum |', '|---' * (len(runs) + 3) + '|']
    for name in options.traces.split(','):
        trace = traces.build(name, options.requests, options.keys, options.seed)
        results = {run: [] for run, _, _ in runs} | {'optimum': []}
        for size in sizes:
            most = 0
            for run, command, policy in runs:
                with servers.Server(command, '--maxmemory', f'{size}mb', '--maxmemory-policy', policy) as server:
                    results[run].append(replay(server.link, trace, values, name == 'ttl', options.rate))
                    most = max(most, server.link.keys())
            results['optimum'].append(traces.belady(trace, most, len(trace) // 5 // BATCH * BATCH))
            row = ' | '.join(f'{results[key][-1]:.4f}' for key in results)
            lines.append(f'| {name} | {size} MB | {row} |')
            print(lines[-1], flush=True)
        panels.append((name, results))
    plot(options.output + '.svg', sizes, panels)
    with open(options.output + '.md', 'w') as file:
        file.write('\n'.join(lines) + '\n')


main()
