#!/usr/bin/env python3
"""Data of several times maxmemory, with values that are not used on disk (maxdisk): Markdown tables of rates, latencies, memory and writes.

  benchmark/memory/tier.py --garnet artifacts/garnet/garnet --valkey valkey-server --microsoft garnet-server --picture tier.svg
  benchmark/memory/tier.py --garnet artifacts/garnet/garnet --memory 64 --times 5 --seconds 2        a short run that shows that it works

Values of --size bytes, keys of 16, --times as much data as --memory (MB), 50 connections of `garnet bench`. Each server is filled just before:

  fill     SET of all keys, pipelined; the longest time that a batch of 100 replies took
  memory   resident memory against maxmemory, and what the log and the index take for each key whose value is on disk
  cold     uniform GETs over all keys, pipelines 1 and 32; the share of them that were read from disk. Beside it a probe: as many threads as
           --threads that read 4 KiB from a file of the same size past the page cache, which is what the disk can do without a server
  zipf     95 % GET, 5 % SET by a Zipf distribution (0.99), pipelines 1 and 32; Valkey has everything in memory
  hot      the 99th percentile of 20,000 GETs/s of a hundredth of the keys, alone and beside 20,000 GETs/s of the others
  writes   bytes written to disk for each byte that left memory (tier_write_amplification)

With --picture it also measures uniform GETs over growing ranges of keys, and draws rate and 99th percentile by the share read from disk.
Microsoft's Garnet runs with its storage tier and as much memory for its log; DBSIZE and other counts over it are not asked, since they read
the disk. The disk is that of --dir. Needs: Python 3.9, Linux.
"""
import argparse, json, mmap, os, random, shutil, subprocess, tempfile, threading, time
import servers, tier_picture

BATCH = 100
CLIENTS = 50
HOT_RATE = 20000
RANGES = (.05, .08, .1, .12, .16, .25, .5, 1)


class Microsoft(servers.Server):
    """Microsoft's Garnet, whose options are its own."""

    def listening(self, port):
        return ['--bind', '127.0.0.1', '--port', str(port or servers.free_port()), '--unixsocket', self.path, '--logdir', self.folder, '--checkpointdir', self.folder]


def key(number):
    return b'key:%012d' % number


def fill(path, keys, value):
    """Requests per second, and the longest batch in milliseconds."""
    link, worst, begun = servers.Link(path), 0, time.time()
    form = b'*3\r\n$3\r\nSET\r\n$16\r\n%%s\r\n$%d\r\n%s\r\n' % (len(value), value)
    for first in range(0, keys, BATCH):
        sent = time.time()
        link.send(b''.join(form % key(number) for number in range(first, min(first + BATCH, keys))))
        link.skip(min(BATCH, keys - first))
        worst = max(worst, time.time() - sent)
    return keys / (time.time() - begun), worst * 1000


def probe(folder, size, threads, seconds):
    """Reads of 4 KiB at random places of a file, past the page cache: per second, p50 and p99 in milliseconds."""
    path = os.path.join(folder, 'probe')
    block = os.urandom(1 << 20)
    with open(path, 'wb') as file:
        for _ in range(size >> 20):
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    times = [[] for _ in range(threads)]

    def read(index, until):
        descriptor, buffer, numbers = os.open(path, os.O_RDONLY | os.O_DIRECT), mmap.mmap(-1, 4096), random.Random(index)
        while time.time() < until:
            sent = time.time()
            os.preadv(descriptor, [buffer], numbers.randrange(size >> 12) << 12)
            times[index].append(time.time() - sent)
        os.close(descriptor)

    begun = time.time()
    all_threads = [threading.Thread(target=read, args=(index, begun + seconds)) for index in range(threads)]
    for thread in all_threads:
        thread.start()
    for thread in all_threads:
        thread.join()
    os.remove(path)
    taken = [each for own in times for each in own]
    return len(taken) / (time.time() - begun), servers.percentile(taken, .5) * 1000, servers.percentile(taken, .99) * 1000


class Load:
    """`garnet bench` on one server, begun at once; requests per second and p99 in milliseconds when it has ended."""

    def __init__(self, options, path, pipeline=1, ratio='0:100', pattern='R:R', first=0, last=0, rate=0, clients=CLIENTS):
        argv = [options.garnet, 'bench', '-s', path, '-c', str(clients), '--threads', '1', '-P', str(pipeline), '--ratio', ratio,
                '--key-minimum', str(first), '--key-maximum', str(last), '-d', str(options.size), '--key-pattern', pattern,
                '--test-time', str(options.seconds), '--warmup', '1', '--json', '--no-progress'] + (['--rate', str(rate)] if rate else [])
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def result(self):
        output, errors = self.process.communicate()
        if self.process.returncode != 0:
            raise SystemExit(errors or output)
        commands = json.loads(output)['tests'][0]['commands']
        return sum(each['requests_per_second'] for each in commands), max(each['p99_ms'] for each in commands)


def reads_of(server):
    """Values read from disk, and reading commands, so far."""
    return int(server.link.info('tier').get('tier_reads', 0)), int(server.link.info('stats')['keyspace_hits'])


def share_of(server, before):
    """The share of reads since then that went to the disk."""
    reads, hits = reads_of(server)
    return (reads - before[0]) / max(1, hits - before[1])


def uniform(options, server, last, pipeline, is_own):
    """Rate and p99 of uniform GETs, and the share that was read from disk."""
    before = reads_of(server) if is_own else None
    rate, p99 = Load(options, server.path, pipeline, last=last - 1).result()
    return rate, p99, share_of(server, before) if is_own else None


def hot(options, server, keys):
    """p99 in milliseconds of reads of a hundredth of the keys, alone and beside reads of the others."""
    Load(options, server.path, 32, last=keys // 100).result()
    alone = Load(options, server.path, last=keys // 100, rate=HOT_RATE).result()[1]
    others = Load(options, server.path, first=keys // 100 + 1, last=keys - 1, rate=HOT_RATE)
    beside = Load(options, server.path, last=keys // 100, rate=HOT_RATE).result()[1]
    return alone, beside, others.result()[0]


def row(*cells):
    print('| ' + ' | '.join(cells) + ' |', flush=True)


def figures(options, name, server, keys, value):
    """All figures of one server, and of a server with a tier of ours the points of the picture."""
    is_own = name == 'Garnet'
    rate, worst = fill(server.path, keys, value)
    if name != 'Microsoft' and server.link.keys() != keys:
        raise SystemExit(f'{name}: keys are missing')
    memory, held = server.link.info('memory'), int(server.link.info('tier').get('tier_cold_keys', 0)) if is_own else 0
    resident = server.resident() / (options.memory * 2 ** 20)
    used = int(memory['used_memory_log']) + int(memory['used_memory_index']) if is_own else 0
    per_key = (used - (keys - held) * (options.size + 40)) / held if held else 0
    cold = [uniform(options, server, keys, pipeline, is_own) for pipeline in (1, 32)]
    skewed = [Load(options, server.path, pipeline, '5:95', 'Z:Z', last=keys - 1).result() for pipeline in (1, 32)]
    alone, beside, others = hot(options, server, keys)
    written = server.link.info('tier').get('tier_write_amplification', '') if is_own else ''
    row(name, f'{rate:,.0f}; {worst:.0f}', f'{resident:.2f}', f'{per_key:.0f}' if held else '',
        *[f'{each[0]:,.0f}; {each[1]:.2f}' + (f'; {each[2]:.0%}' if is_own else '') for each in cold],
        *[f'{each[0]:,.0f}; {each[1]:.2f}' for each in skewed], f'{alone:.2f}; {beside:.2f} ({others:,.0f}/s)', written)
    return [each[0] for each in cold]


def picture(options, server, keys, lines):
    """Points by pipeline: share read from disk, rate, p99."""
    points = {pipeline: [uniform(options, server, max(1000, int(keys * part)), pipeline, True) for part in RANGES] for pipeline in (1, 32)}
    with open(options.picture, 'w') as file:
        file.write(tier_picture.draw({pipeline: sorted((share, rate, p99) for rate, p99, share in each) for pipeline, each in points.items()}, lines))


def run(options, folder, keys, disk):
    value = random.Random(1).randbytes(options.size).hex().encode()[:options.size]
    print(f'{keys:,} keys, values of {options.size} bytes, maxmemory {options.memory} MB, {CLIENTS} connections\n')
    row('server', 'fill, keys/s; longest batch, ms', 'resident / maxmemory', 'bytes a cold key', 'uniform GET/s; p99 ms; from disk, pipeline 1', 'pipeline 32',
        'Zipf 95/5, requests/s; p99 ms, pipeline 1', 'pipeline 32', 'hot p99 alone; beside cold reads, ms', 'written / left')
    row(*['---'] * 10)
    known = {'Valkey, all in memory': (options.valkey, servers.Server),
             'Microsoft': (options.microsoft and f'{options.microsoft} --memory {options.memory}m --storage-tier true', Microsoft),
             'Garnet': (f'{options.garnet} --maxmemory {options.memory}mb --maxdisk {disk}', servers.Server)}
    rates = {}
    for name, (command, kind) in known.items():
        if command:
            with kind(command) as server:
                rates[name] = figures(options, name, server, keys, value)
                if name == 'Garnet' and options.picture:
                    picture(options, server, keys, {known: rate for known, rate in rates.items() if known != name})
    reads = probe(folder, min(disk, 2 << 30), options.threads, options.seconds)
    print(f'\nProbe: {reads[0]:,.0f} reads of 4 KiB a second by {options.threads} threads; p50 {reads[1]:.2f} ms, p99 {reads[2]:.2f} ms')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--garnet', required=True, help='a published garnet program')
    parser.add_argument('--valkey', help='valkey-server, which gets as much memory as the data needs')
    parser.add_argument('--microsoft', help="garnet-server, Microsoft's Garnet")
    parser.add_argument('--memory', type=int, default=256, help='maxmemory in MB (256)')
    parser.add_argument('--times', type=int, default=10, help='data, as a multiple of the memory (10)')
    parser.add_argument('--size', type=int, default=1024, help='bytes of a value (1024)')
    parser.add_argument('--threads', type=int, default=16, help='threads of the probe (16)')
    parser.add_argument('--seconds', type=int, default=5, help='of each measurement (5)')
    parser.add_argument('--picture', help='an SVG file')
    parser.add_argument('--dir', default='.', help="where the values on disk and the probe's file are (the current folder)")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix='tier-', dir=options.dir)
    keys = options.memory * options.times * 2 ** 20 // options.size
    tempfile.tempdir = folder
    try:
        run(options, folder, keys, disk=2 * keys * (options.size + 64))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == '__main__':
    main()
