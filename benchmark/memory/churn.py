#!/usr/bin/env python3
"""Overwrites, deletes and expires keys of random sizes for long, and watches what memory and throughput do.

  benchmark/memory/churn.py --server 'artifacts/garnet/garnet --maxmemory 1gb --maxmemory-policy allkeys-lru' --operations 50000000
  benchmark/memory/churn.py --server 'valkey-server --maxmemory 300mb --maxmemory-policy allkeys-lru' --operations 2000000

Values have 16 bytes to 64 KiB, small ones more often (uniform in the logarithm). Prints a line for each tenth of the operations: operations per second, the server's processor time for one, resident memory, used_memory, and the
largest resident memory so far as a multiple of maxmemory (or, without maxmemory, of the live data). Exits with 1 when that passes --most.
Needs: Python 3.9, Linux.
"""
import argparse, os, random, shlex, signal, socket, subprocess, sys, tempfile, time

BATCH = 64


def resident(pid):
    with open(f'/proc/{pid}/statm') as file:
        return int(file.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')


def processor_seconds(pid):
    with open(f'/proc/{pid}/stat') as file:
        fields = file.read().rsplit(') ', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def info(link, reader, section):
    link.sendall(b'INFO %s\r\n' % section)
    size = int(reader.readline()[1:])
    text = reader.read(size + 2).decode()
    return dict(line.split(':', 1) for line in text.split('\r\n') if ':' in line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--server', required=True)
    parser.add_argument('--operations', type=int, default=1_000_000)
    parser.add_argument('--keys', type=int, default=400_000)
    parser.add_argument('--largest', type=int, default=65_536)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--most', type=float, default=1.10)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix='churn-')
    path = os.path.join(folder, 's')
    process = subprocess.Popen(shlex.split(options.server) + ['--port', '0', '--unixsocket', path, '--save', '', '--dir', folder], stdout=subprocess.DEVNULL)
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    deadline = time.time() + 20
    while True:
        try:
            link.connect(path)
            break
        except OSError:
            if time.time() > deadline:
                sys.exit('the server did not start')
            time.sleep(0.02)
    reader = link.makefile('rb', buffering=1 << 20)
    rng = random.Random(options.seed)
    payload = rng.randbytes(options.largest + 1)
    worst, worst_ratio, began, done, used = 0, 0.0, time.time(), 0, processor_seconds(process.pid)
    bits = options.largest.bit_length() - 1
    limit = int(info(link, reader, b'memory')['maxmemory'])
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
        link.sendall(b''.join(out))
        for _ in range(BATCH):
            line = reader.readline()
            if line[:1] == b'-' and not line.startswith(b'-OOM'):
                sys.exit(line.decode())
        done += BATCH
        if start // BATCH % 50 == 0:
            now = resident(process.pid)
            worst = max(worst, now)
        if done // part != (done - BATCH) // part:
            memory = info(link, reader, b'memory')
            data = limit or int(memory.get('allocator_allocated', memory['used_memory']))
            worst_ratio = worst / data
            elapsed, began = time.time() - began, time.time()
            spent, used = processor_seconds(process.pid) - used, processor_seconds(process.pid)
            print(f'{done:>10} operations, {part / elapsed:>9,.0f}/s, {spent / part * 1e6:>5.2f} us each, resident {resident(process.pid) / 2 ** 20:>7.1f} MB, used_memory {int(memory["used_memory"]) / 2 ** 20:>7.1f} MB, '
                  f'live {int(memory.get("allocator_allocated", 0)) / 2 ** 20:>7.1f} MB, most resident {worst / 2 ** 20:.1f} MB = {worst_ratio:.3f} x', flush=True)
            if not limit:
                worst = 0
    process.send_signal(signal.SIGKILL)
    process.wait()
    subprocess.run(['rm', '-rf', folder], check=True)
    sys.exit(0 if worst_ratio <= options.most else 1)


main()
