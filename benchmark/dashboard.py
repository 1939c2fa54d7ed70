#!/usr/bin/env python3
"""Opens dashboards of a running server, as browsers do, and measures what they cost it.

  benchmark/dashboard.py http://127.0.0.1:8080 --pid PID --pages 100 --seconds 30

Needs Python 3.9 and Linux. Prints the server's processor time before and while the pages are open, and what its memory grew by. Each page has a
session of its own and follows the events. For the cost under load, keep a page open and compare two servers meanwhile:

  benchmark/dashboard.py http://127.0.0.1:8080 --pid PID --pages 1 --seconds 300 &
  garnet bench --port 6379 --against 127.0.0.1:6380 --rounds 15 --fill
"""
import argparse, http.client, json, os, threading, time, urllib.parse

TICKS = os.sysconf('SC_CLK_TCK')


def processor_seconds(pid):
    with open(f'/proc/{pid}/stat') as stat:
        fields = stat.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident_bytes(pid):
    with open(f'/proc/{pid}/statm') as statm:
        return int(statm.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')


class Page:
    """A session whose events a thread reads."""

    def __init__(self, url, user, password):
        self.events = 0
        self.host = urllib.parse.urlsplit(url).netloc
        login = http.client.HTTPConnection(self.host, timeout=30)
        body = json.dumps({'user': user, 'password': password})
        login.request('POST', '/api/login', body, {'Origin': url.rstrip('/'), 'Content-Type': 'application/json'})
        answer = login.getresponse()
        if answer.status != 200:
            raise SystemExit(f'the login was refused: {answer.status} {answer.read().decode()}')
        self.headers = {'Cookie': answer.getheader('Set-Cookie').split(';')[0]}
        self.headers['X-Garnet-Token'] = json.loads(answer.read())['token']
        login.close()
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        stream = http.client.HTTPConnection(self.host, timeout=30)
        stream.request('GET', '/api/events', headers=self.headers)
        for line in stream.getresponse():
            self.events += line.startswith(b'data: ')


def share(pid, seconds):
    """The processor time of some seconds, as a share of a core."""
    before, begun = processor_seconds(pid), time.monotonic()
    time.sleep(seconds)
    return (processor_seconds(pid) - before) / (time.monotonic() - begun)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('url')
    parser.add_argument('--pid', type=int, required=True, help='the process of the server')
    parser.add_argument('--pages', type=int, default=1)
    parser.add_argument('--seconds', type=float, default=30)
    parser.add_argument('--user', default='')
    parser.add_argument('--password', default='')
    arguments = parser.parse_args()
    print(f'without pages: {100 * share(arguments.pid, min(arguments.seconds, 20)):.2f} % of a core', flush=True)
    before = resident_bytes(arguments.pid)
    pages = [Page(arguments.url, arguments.user, arguments.password) for _ in range(arguments.pages)]
    time.sleep(2)
    print(f'with {arguments.pages} pages: {100 * share(arguments.pid, arguments.seconds):.2f} % of a core', flush=True)
    print(f'memory: {(resident_bytes(arguments.pid) - before) / 2**20:+.1f} MiB')
    print(f'events a page: {min(page.events for page in pages)} to {max(page.events for page in pages)}')


if __name__ == '__main__':
    main()
