#!/usr/bin/env python3
"""Records what a Valkey server answers, for the tests beside this file.

usage: record.py SOCKET [CASES] [SEED] [FOLDER]     SOCKET: a Unix socket of a Valkey 9.1 server that may be written to

Each file has one case a line: the input and the server's answer, separated by a tab.
  sums.tsv     "a b" -> the text after SET k a; INCRBYFLOAT k b, or "!" for an error
  doubles.tsv  a text -> ZSCORE after ZADD k text m, or "!" for an error
  inline.tsv   an inline request line (hex) -> the arguments (hex, comma separated), or "!" and the error's text
"""
import os, random, socket, struct, sys

path = sys.argv[1]
cases = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
rnd = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
folder = sys.argv[4] if len(sys.argv) > 4 else os.path.dirname(os.path.abspath(__file__))


class Refusal(str):
    """An error reply's text."""


class Peer:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")

    def read(self):
        line = self.file.readline()
        if not line:
            raise EOFError
        kind, rest = line[:1], line[1:-2]
        if kind == b"$":
            if rest == b"-1":
                return None
            return self.file.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [self.read() for _ in range(int(rest))]
        return Refusal(rest.decode()) if kind == b"-" else rest

    def call(self, *args):
        out = b"*%d\r\n" % len(args)
        for a in args:
            a = a if isinstance(a, bytes) else str(a).encode()
            out += b"$%d\r\n%s\r\n" % (len(a), a)
        self.socket.sendall(out)
        return self.read()


def digits(n):
    return "".join(rnd.choice("0123456789") for _ in range(n))


def number():
    kind = rnd.randrange(14)
    sign = rnd.choice(["", "", "-", "+"])
    if kind < 5:
        return sign + digits(rnd.randint(1, 6)) + "." + digits(rnd.randint(1, 6))
    if kind < 7:
        return sign + digits(rnd.randint(1, 20)) + "." + digits(rnd.randint(0, 25))
    if kind == 7:
        return sign + digits(rnd.randint(1, 40))
    if kind == 8:
        return sign + digits(rnd.randint(1, 20)) + rnd.choice(["", "."]) + digits(rnd.randint(0, 20)) + rnd.choice("eE") + rnd.choice(["", "-", "+"]) + str(rnd.randint(0, 40))
    if kind == 9:
        return sign + digits(rnd.randint(1, 20)) + "." + digits(rnd.randint(0, 20)) + "e" + rnd.choice(["", "-"]) + str(rnd.choice([rnd.randint(0, 330), rnd.randint(4900, 4970)]))
    if kind == 10:
        return repr(struct.unpack("<d", rnd.randbytes(8))[0])
    if kind == 11:
        return sign + "." + "0" * rnd.randint(0, 20) + digits(rnd.randint(1, 25))
    if kind == 12:
        return rnd.choice(["0x", "0X", "-0x"]) + "%x" % rnd.getrandbits(rnd.randint(1, 130)) + rnd.choice(["", ".", ".8", ".%x" % rnd.getrandbits(70)]) + rnd.choice(["", "p3", "P-70", "p", "p+16000", "p-16400"])
    return rnd.choice(["inf", "-inf", "+INF", "Infinity", "nan", "0", "-0", "1", "-1", "", "+", "-", ".", "1e", "1e+", "0x", "0x.", "1.5x", " 1", "1 ", "1_0", "0b1", "-.5", "5.", "1e99999999999", "1e-99999999999", "0e99999999999", "infinit", "1,5"])


def tie():
    """Numbers whose sums lie near or at the middle between two results."""
    bits = rnd.getrandbits(64) | (1 << 63)
    return str(bits << rnd.randint(0, 6)), rnd.choice(["", "-"]) + rnd.choice(["0.5", "1", "2", "3", "1.5", str(1 << rnd.randint(0, 6)), "0.%s1" % ("0" * rnd.randint(0, 20))])


def text(answer):
    return "!" if isinstance(answer, Refusal) else answer.decode()


peer = Peer()
# Scores in small sorted sets are stored as integers where they are, and lose the sign of zero.
peer.call("CONFIG", "SET", "zset-max-listpack-entries", "0")
with open(os.path.join(folder, "sums.tsv"), "w") as out:
    for i in range(cases):
        a, b = (number(), number()) if rnd.randrange(8) else tie()
        if " " in a or " " in b:
            continue
        peer.call("SET", "k", a)
        out.write("%s %s\t%s\n" % (a, b, text(peer.call("INCRBYFLOAT", "k", b))))

with open(os.path.join(folder, "doubles.tsv"), "w") as out:
    for i in range(cases):
        a = number() if rnd.randrange(2) else repr(struct.unpack("<d", rnd.randbytes(8))[0])
        peer.call("DEL", "z")
        added = peer.call("ZADD", "z", a, "m")
        out.write("%s\t%s\n" % (a, text(added if isinstance(added, Refusal) else peer.call("ZSCORE", "z", "m"))))

with open(os.path.join(folder, "inline.tsv"), "w") as out:
    # Not the byte 255 as it is: 9.1.2 drops it, which is a fault and not a rule.
    pieces = [b"a", b"bc", b" ", b"  ", b"\t", b"\v", b"\f", b"\r", b'"', b"'", b"\\", b"\\x41", b"\\xg1", b"\\x4", b"\\n", b"\\'", b'\\"', b"\\\\", b"\xfe", b"x", b'"d e"', b"'f g'"]
    for i in range(cases):
        line = b"".join(rnd.choice(pieces) for _ in range(rnd.randint(0, 12)))
        peer.socket.sendall(b'EVAL "return ARGV" 0 ' + line + b"\r\n")
        answer = peer.read()
        if isinstance(answer, list):
            out.write("%s\t%s\n" % (line.hex(), ",".join(a.hex() for a in answer)))
        else:
            out.write("%s\t!%s\n" % (line.hex(), answer))
            peer = Peer()
