#!/usr/bin/env python3
"""Data of several times maxmemory, with values that are not used on disk (maxdisk): Markdown tables of rates, latencies, memory and writes.

  benchmark/memory/tier.py --garnet artifacts/garnet/garnet --valkey valkey-server
  benchmark/memory/tier.py --garnet artifacts/garnet/garnet --memory 64 --times 5 --seconds 2        a short run that shows that it works

Values of --size bytes, keys of 16, --times as much data as --memory (MB). What is measured, each on a server that was filled just before:

  fill     SET of all keys, pipelined; the longest time that a batch of 100 replies took
  memory   resident memory and used_memory for each key, and resident memory against maxmemory
  cold     uniform GETs over all keys, by --threads connections with pipeline 1 and 32; beside it a probe: as many threads that read
           4 KiB from a file of the same size past the page cache, which is what the disk can do without a server
  zipf     95 % GET, 5 % SET by a Zipf distribution (0.99), by `garnet bench`, pipelines 1 and 32; Valkey has everything in memory
  writes   bytes written to disk for each byte that left memory (tier_write_amplification)

The disk is that of --dir. Needs: Python 3.9, Linux.
"""
import argparse, json, mmap, os, random, shutil, statistics, subprocess, tempfile, threading, time
import servers

BATCH = 100


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


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0


def measure(threads, seconds, work):
    """Runs work(index, until, times) on threads; operations per second, p50 and p99 in milliseconds."""
    counts, times = [0] * threads, [[] for _ in range(threads)]

    def run(index):
        counts[index] = work(index, time.time() + seconds, times[index])

    all_threads = [threading.Thread(target=run, args=(index,)) for index in range(threads)]
    begun = time.time()
    for thread in all_threads:
        thread.start()
    for thread in all_threads:
        thread.join()
    taken = [each for own in times for each in own]
    return sum(counts) / (time.time() - begun), percentile(taken, .5) * 1000, percentile(taken, .99) * 1000


def cold(path, keys, threads, pipeline, seconds):
    def work(index, until, times):
        link, numbers, done = servers.Link(path), random.Random(index), 0
        while time.time() < until:
            sent = time.time()
            link.send(b''.join(b'*2\r\n$3\r\nGET\r\n$16\r\n%s\r\n' % key(numbers.randrange(keys)) for _ in range(pipeline)))
            for _ in range(pipeline):
                link.reply()
            times.append(time.time() - sent)
            done += pipeline
        return done
    return measure(threads, seconds, work)


def probe(folder, size, threads, seconds):
    """Reads of 4 KiB at random places of a file, past the page cache."""
    path = os.path.join(folder, 'probe')
    block = os.urandom(1 << 20)
    with open(path, 'wb') as file:
        for _ in range(size >> 20):
            file.write(block)
        file.flush()
        os.fsync(file.fileno())

    def work(index, until, times):
        descriptor, buffer, numbers, done = os.open(path, os.O_RDONLY | os.O_DIRECT), mmap.mmap(-1, 4096), random.Random(index), 0
        while time.time() < until:
            sent = time.time()
            os.preadv(descriptor, [buffer], numbers.randrange(size >> 12) << 12)
            times.append(time.time() - sent)
            done += 1
        os.close(descriptor)
        return done
    try:
        return measure(threads, seconds, work)
    finally:
        os.remove(path)


def zipf(bench, path, keys, size, pipeline, clients, seconds):
    argv = [bench, 'bench', '-s', path, '-c', str(clients), '--threads', '1', '-P', str(pipeline), '--ratio', '5:95', '-r', str(keys), '-d', str(size),
            '--key-pattern', 'Z:Z', '--test-time', str(seconds), '--warmup', '1', '--json', '--no-progress']
    done = subprocess.run(argv, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr or done.stdout)
    test = json.loads(done.stdout)['tests'][0]
    return sum(each['requests_per_second'] for each in test['commands']), max(each['p99_ms'] for each in test['commands'])


def row(*cells):
    print('| ' + ' | '.join(cells) + ' |', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--garnet', required=True, help='a published garnet program')
    parser.add_argument('--valkey', help='valkey-server, which gets as much memory as the data needs')
    parser.add_argument('--memory', type=int, default=256, help='maxmemory in MB (256)')
    parser.add_argument('--times', type=int, default=10, help='data, as a multiple of the memory (10)')
    parser.add_argument('--size', type=int, default=1024, help='bytes of a value (1024)')
    parser.add_argument('--threads', type=int, default=16, help='connections, and threads of the probe (16)')
    parser.add_argument('--seconds', type=int, default=5, help='of each measurement (5)')
    parser.add_argument('--dir', default='.', help="where the values on disk and the probe's file are (the current folder)")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix='tier-', dir=options.dir)
    keys = options.memory * options.times * 2 ** 20 // options.size
    disk = 2 * keys * (options.size + 64)
    os.environ['TMPDIR'] = folder
    tempfile.tempdir = folder
    try:
        run(options, folder, keys, disk)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(options, folder, keys, disk):
    value = random.Random(1).randbytes(options.size).hex().encode()[:options.size]
    print(f'{keys:,} keys, values of {options.size} bytes, maxmemory {options.memory} MB, {options.threads} connections\n')
    row('server', 'fill, keys/s', 'longest batch ms', 'resident / maxmemory', 'used bytes a cold key', 'cold GET/s; p99 ms, pipeline 1', 'pipeline 32', 'Zipf 95/5 requests/s, pipeline 1', 'pipeline 32', 'written / left')
    row(*['---'] * 10)
    known = {'Garnet': (f'{options.garnet} --maxmemory {options.memory}mb --maxdisk {disk}', True),
             'Valkey, all in memory': (options.valkey, False)}
    for name, (command, has_tier) in known.items():
        if command is None:
            continue
        with servers.Server(command) as server:
            rate, worst = fill(server.path, keys, value)
            if server.link.keys() != keys:
                raise SystemExit(f'{name}: keys are missing')
            tier = server.link.info('tier') if has_tier else {}
            memory = server.link.info('memory')
            resident = server.resident() / (options.memory * 2 ** 20)
            held = int(tier.get('tier_cold_keys', 0))
            per_key = (int(memory['used_memory_log']) + int(memory['used_memory_index']) - (keys - held) * (options.size + 40)) / held if held else 0
            one = cold(server.path, keys, options.threads, 1, options.seconds)
            many = cold(server.path, keys, options.threads, 32, options.seconds)
            skewed = [zipf(options.garnet, server.path, keys, options.size, pipeline, 50, options.seconds) for pipeline in (1, 32)]
            tier = server.link.info('tier') if has_tier else {}
            row(name, f'{rate:,.0f}', f'{worst:.0f}', f'{resident:.2f}', f'{per_key:.0f}' if held else '', f'{one[0]:,.0f}; {one[2]:.2f}', f'{many[0]:,.0f}; {many[2]:.1f}',
                *[f'{each[0]:,.0f}; {each[1]:.1f}' for each in skewed], tier.get('tier_write_amplification', ''))
    reads = probe(folder, min(disk, 2 << 30), options.threads, options.seconds)
    print(f'\nProbe: {reads[0]:,.0f} reads of 4 KiB a second by {options.threads} threads; p50 {reads[1]:.2f} ms, p99 {reads[2]:.2f} ms')


if __name__ == '__main__':
    main()
