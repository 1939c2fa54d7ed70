#!/usr/bin/env python3
"""Measures what open dashboards cost a server. Needs Python 3.9 and Linux.

  benchmark/dashboard.py open http://127.0.0.1:8080 --pid PID --pages 100 --seconds 30
      Opens dashboards of a running server, as browsers do: each has a session of its own and follows the events. Prints the server's processor
      time before and meanwhile, its threads, and what its memory grew by.

  benchmark/dashboard.py idle --garnet artifacts/garnet --seconds 100
      The cost without load: three servers at once, which do nothing: without a dashboard, with one, and with a page open.

  benchmark/dashboard.py load --garnet artifacts/garnet --rounds 15
      The cost under full load. Starts three servers: one without a dashboard, one with a page open, and another one without, whose difference
      to the first is noise. They take turns under the load of `garnet bench`, the others stopped (SIGSTOP); server and load have a core each.

  benchmark/dashboard.py search http://127.0.0.1:8080
      Looks for a key that is not there, so that all keys are examined; prints how many a second, and the slowest request.
"""
import argparse, base64, contextlib, http.client, json, os, signal, socket, statistics, subprocess, tempfile, threading, time, urllib.parse

TICKS = os.sysconf('SC_CLK_TCK')
SETTLING_SECONDS = 10  # compiling and the first requests
WITHOUT, WITH, AGAIN = 'without', 'with a page', 'without, again'


def processor_seconds(pid):
    with open(f'/proc/{pid}/stat') as stat:
        fields = stat.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def status_of(pid, name):
    with open(f'/proc/{pid}/status') as status:
        return next(int(line.split()[1]) for line in status if line.startswith(name + ':'))


class Page:
    """A session whose events a thread reads."""

    def __init__(self, url, user='', password='', follows=True):
        self.events = 0
        self.url = url.rstrip('/')
        self.host = urllib.parse.urlsplit(url).netloc
        self.http = http.client.HTTPConnection(self.host, timeout=30)
        self.headers = {'Origin': self.url, 'Content-Type': 'application/json'}
        status, answer, cookie = self.post('/api/login', {'user': user, 'password': password})
        if status != 200:
            raise SystemExit(f'the login was refused: {status} {answer}')
        self.headers.update({'Cookie': cookie.split(';')[0], 'X-Garnet-Token': answer['token']})
        if follows:
            threading.Thread(target=self.follow, daemon=True).start()

    def post(self, path, body):
        self.http.request('POST', path, json.dumps(body), self.headers)
        answer = self.http.getresponse()
        return answer.status, json.loads(answer.read()), answer.getheader('Set-Cookie')

    def follow(self):
        stream = http.client.HTTPConnection(self.host, timeout=600)
        stream.request('GET', '/api/events', headers=self.headers)
        for line in stream.getresponse():
            self.events += line.startswith(b'data: ')


def share(pid, seconds):
    """The processor time of some seconds, as a share of a core."""
    before, begun = processor_seconds(pid), time.monotonic()
    time.sleep(seconds)
    return (processor_seconds(pid) - before) / (time.monotonic() - begun)


def open_pages(arguments):
    pid = arguments.pid
    print(f'without pages: {100 * share(pid, min(arguments.seconds, 20)):.2f} % of a core, {status_of(pid, "Threads")} threads', flush=True)
    before = status_of(pid, 'VmRSS')
    pages = [Page(arguments.url, arguments.user, arguments.password) for _ in range(arguments.pages)]
    time.sleep(2)
    print(f'with {len(pages)} pages: {100 * share(pid, arguments.seconds):.2f} % of a core, {status_of(pid, "Threads")} threads', flush=True)
    print(f'memory: {(status_of(pid, "VmRSS") - before) / 1024:+.1f} MiB')
    print(f'events a page: {min(page.events for page in pages)} to {max(page.events for page in pages)}')


def free_port():
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        return listener.getsockname()[1]


def idle(arguments):
    servers = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ('without a dashboard', 'with one', 'with a page'):
            dashboard = free_port()
            command = [os.path.abspath(arguments.garnet), '--port', str(free_port()), '--save', '', '--dir', folder]
            command += [] if name.startswith('without') else ['--dashboard-port', str(dashboard)]
            servers.append((name, dashboard, subprocess.Popen(command, stdout=subprocess.DEVNULL)))
        time.sleep(SETTLING_SECONDS)
        page = Page(f'http://127.0.0.1:{servers[-1][1]}')
        time.sleep(SETTLING_SECONDS)
        before, begun, events = [processor_seconds(server.pid) for _, _, server in servers], time.monotonic(), page.events
        time.sleep(arguments.seconds)
        seconds = time.monotonic() - begun
        for (name, _, server), used in zip(servers, before):
            print(f'{name}: {100 * (processor_seconds(server.pid) - used) / seconds:.2f} % of a core')
            server.terminate()
            server.wait()
        print(f'{page.events - events} events')


class Running:
    """A server on core 0 that runs only while it is under load."""

    def __init__(self, name, garnet):
        self.name, self.garnet, self.port, self.results = name, garnet, free_port(), []
        self.folder = tempfile.TemporaryDirectory()
        command = ['taskset', '-c', '0', garnet, '--port', str(self.port), '--save', '', '--dir', self.folder.name]
        dashboard = free_port()
        if name == WITH:
            command += ['--dashboard-port', str(dashboard)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        self.wait(self.port)
        self.page = None
        if name == WITH:
            self.wait(dashboard)
            self.page = Page(f'http://127.0.0.1:{dashboard}')
        self.load('1', '--fill')
        self.process.send_signal(signal.SIGSTOP)

    def wait(self, port):
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(('127.0.0.1', port), timeout=1):
                return
            time.sleep(0.05)
        raise SystemExit(f'{self.name}: the server does not start')

    def load(self, seconds, *more):
        command = ['taskset', '-c', '1', self.garnet, 'bench', '--port', str(self.port), '--ratio', '1:1', '--test-time', seconds, '--json', *more]
        return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)

    def round(self, seconds, *more):
        self.process.send_signal(signal.SIGCONT)
        events = self.page.events if self.page else 0
        before = processor_seconds(self.process.pid)
        begun = time.monotonic()
        report = self.load(seconds, *more)['tests'][0]
        core = (processor_seconds(self.process.pid) - before) / (time.monotonic() - begun)
        if self.page and self.page.events == events:
            raise SystemExit('the page got no events')
        self.process.send_signal(signal.SIGSTOP)
        total = report['commands'][-1]
        self.results.append((report['server_us_per_request'], total['requests_per_second'], total['p99_ms'], core))

    def stop(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def under_load(arguments):
    servers = [Running(name, os.path.abspath(arguments.garnet)) for name in (WITHOUT, WITH, AGAIN)]
    for number in range(arguments.rounds):
        for server in servers if number % 2 == 0 else reversed(servers):
            server.round(str(arguments.seconds), *arguments.more)
    print('| | processor us a request | requests/s | p99 ms, median (min to max) |\n|---|---|---|---|')
    for server in servers:
        time_used, rate, p99, _ = map(list, zip(*server.results))
        print(f'| {server.name} | {statistics.median(time_used):.3f} | {statistics.median(rate):,.0f} | {statistics.median(p99):.3f} ({min(p99):.3f} to {max(p99):.3f}) |')
    for other in servers[1:]:
        ratios = [one[0] / base[0] for one, base in zip(other.results, servers[0].results)]
        print(f'processor time, {other.name} to {WITHOUT}: {statistics.median(ratios):.4f} (mean {statistics.mean(ratios):.4f}, error {statistics.stdev(ratios) / len(ratios) ** 0.5:.4f})')
    for server in servers:
        server.stop()


def search(arguments):
    page = Page(arguments.url, arguments.user, arguments.password, follows=False)
    pattern = base64.b64encode(b'no-such-key:*').decode()
    cursor, examined, requests, slowest, begun = '0', 0, 0, 0.0, time.monotonic()
    while True:
        asked = time.monotonic()
        _, answer, _ = page.post('/api/scan', {'db': 0, 'pattern': pattern, 'cursor': cursor})
        slowest = max(slowest, time.monotonic() - asked)
        cursor, examined, requests = answer['cursor'], examined + answer['examined'], requests + 1
        if cursor == '0':
            break
    seconds = time.monotonic() - begun
    print(f'{examined:,} keys examined by {requests:,} requests in {seconds:.1f} s: {examined / seconds:,.0f} a second; slowest request {1000 * slowest:.0f} ms')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(required=True)
    for name, run in (('open', open_pages), ('search', search)):
        mode = modes.add_parser(name)
        mode.set_defaults(run=run)
        mode.add_argument('url')
        mode.add_argument('--user', default='')
        mode.add_argument('--password', default='')
        if run is open_pages:
            mode.add_argument('--pid', type=int, required=True, help='the process of the server')
            mode.add_argument('--pages', type=int, default=1)
            mode.add_argument('--seconds', type=float, default=30)
    mode = modes.add_parser('idle')
    mode.set_defaults(run=idle)
    mode.add_argument('--garnet', required=True, help='the program, published')
    mode.add_argument('--seconds', type=float, default=100)
    mode = modes.add_parser('load')
    mode.set_defaults(run=under_load)
    mode.add_argument('--garnet', required=True, help='the program, published')
    mode.add_argument('--rounds', type=int, default=15)
    mode.add_argument('--seconds', type=int, default=3)
    mode.add_argument('more', nargs='*', help='further options of garnet bench, after --')
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == '__main__':
    main()
