#!/usr/bin/env python3
"""Takes the documents' pictures of the dashboard: packaging/draw-dashboard.py PROGRAM FOLDER [SECONDS]

Starts PROGRAM (a built garnet) with values on disk, gives it a mixed load for SECONDS (280), and writes dashboard.png, dashboard-all.png and
dashboard-keys.png. Needs chromium, node, and `npm ci` in test/clients/dashboard.
"""
import itertools, json, os, random, shutil, socket, subprocess, sys, tempfile, threading, time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROUND_SECONDS = 0.1
USERS = 20_000
START_SECONDS, ANSWER_SECONDS, DRAW_SECONDS, STOP_SECONDS = 30, 30, 300, 30


def free_port():
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        return listener.getsockname()[1]


def encode(words):
    parts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    return b'*%d\r\n' % len(parts) + b''.join(b'$%d\r\n%s\r\n' % (len(part), part) for part in parts)


SHOP = '{"currency":"EUR","vat":19.0,"countries":["de","fr","nl"],"flags":{"checkout":true,"beta":null}}'


def profile(number):
    name = random.choice(['ann', 'bob', 'cem', 'dana', 'emil'])
    return json.dumps({'id': number, 'name': name, 'visits': random.randrange(1000), 'tags': ['cache', 'user'], 'bio': 'x' * random.randrange(8000)})


def commands(number):
    """Those of a round: profiles that are read and written, counters, hashes, lists, sorted sets and streams."""
    hot = [int(random.paretovariate(0.6)) % USERS for _ in range(60)]
    yield from (('GET', f'user:{user}') for user in hot)
    yield from (('SET', f'user:{user}', profile(user)) for user in random.sample(range(USERS), 12 + int(6 * random.random())))
    yield from (('INCR', f'visits:{user % 50}') for user in hot[:20])
    yield ('SET', 'config:shop', SHOP)
    yield ('SET', f'session:{random.randrange(10**9)}', 'y' * 200, 'EX', random.randrange(5, 30))
    yield ('HSET', f'cart:{random.randrange(500)}', f'item:{random.randrange(20)}', random.randrange(9))
    yield ('LPUSH', 'jobs', random.randrange(1000))
    yield ('RPOP', 'jobs')
    yield ('ZADD', 'scores', random.randrange(10**6), f'player:{random.randrange(3000)}')
    yield ('ZRANGE', 'scores', 0, 9, 'REV')
    yield ('XADD', 'events', 'MAXLEN', '~', 1000, '*', 'kind', 'login', 'number', number)


def load(port, is_over):
    with socket.create_connection(('127.0.0.1', port), timeout=ANSWER_SECONDS) as link, link.makefile('rb') as replies:
        for number in itertools.count():
            if is_over.is_set():
                return
            due = time.monotonic() + ROUND_SECONDS
            link.sendall(b''.join(map(encode, commands(number))) + encode(['ECHO', f'end {number}']))
            for line in replies:
                if line == b'end %d\r\n' % number:
                    break
            else:
                return
            time.sleep(max(0, due - time.monotonic()))


def wait_for(server, port):
    deadline = time.monotonic() + START_SECONDS
    while True:
        with socket.socket() as link:
            link.settimeout(START_SECONDS)
            if link.connect_ex(('127.0.0.1', port)) == 0:
                return
        if server.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f'nothing listens on port {port}: the server does not start')
        time.sleep(0.1)


def stop(server):
    server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def main():
    program, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 280
    random.seed(1)
    port, page, data = free_port(), free_port(), tempfile.mkdtemp(prefix='garnet-pictures-')
    options = ['--maxmemory', '100mb', '--maxdisk', '200mb', '--maxmemory-policy', 'allkeys-lru', '--dir', data, '--save', '']
    is_over, loader = threading.Event(), None
    server = subprocess.Popen([program, '--port', str(port), '--dashboard-port', str(page), *options], stdout=subprocess.DEVNULL)
    try:
        for at in (port, page):
            wait_for(server, at)
        loader = threading.Thread(target=load, args=(port, is_over))
        loader.start()
        loader.join(seconds)
        if not loader.is_alive():
            raise SystemExit('the load has ended: the server does not answer')
        script = os.path.join(ROOT, 'test', 'clients', 'dashboard', 'browse.mjs')
        subprocess.run(['node', script, f'http://127.0.0.1:{page}/', 'pictures', '', '', folder], check=True, timeout=DRAW_SECONDS,
                       env={**os.environ, 'CHROMIUM': os.environ.get('CHROMIUM') or shutil.which('chromium')})
    finally:
        is_over.set()
        if loader:
            loader.join()
        stop(server)
        shutil.rmtree(data, ignore_errors=True)


if __name__ == '__main__':
    main()
