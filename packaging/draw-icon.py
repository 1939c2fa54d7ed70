#!/usr/bin/env python3
"""Draws icon.png, the packages' icon: a cut stone seen from the side. Needs Python alone. Usage: draw-icon.py > icon.png"""
import struct
import sys
import zlib

SIZE = 128
SAMPLES = 4  # per pixel and direction

# Corners on a field of 128 x 128, and the facets between them with their colours.
A, B, C, D = (34, 26), (94, 26), (118, 56), (10, 56)
E, F, G = (64, 110), (46, 56), (82, 56)
FACETS = [
    ((A, B, G, F), (0xC6, 0x28, 0x3E)),
    ((A, F, D), (0xA1, 0x1C, 0x33)),
    ((B, C, G), (0x8E, 0x15, 0x2C)),
    ((D, F, E), (0x8A, 0x12, 0x2A)),
    ((F, G, E), (0xAE, 0x1F, 0x38)),
    ((G, C, E), (0x6B, 0x0C, 0x21)),
    (((34, 26), (94, 26), (88, 34), (40, 34)), (0xE4, 0x6A, 0x79)),
]


def inside(x, y, corners):
    result = False
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1]):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            result = not result
    return result


def colour(x, y):
    found = (0, 0, 0, 0)
    for corners, rgb in FACETS:
        if inside(x, y, corners):
            found = (*rgb, 255)
    return found


def pixel(column, row):
    offsets = [(i + 0.5) / SAMPLES for i in range(SAMPLES)]
    samples = [colour(column + dx, row + dy) for dx in offsets for dy in offsets]
    alpha = sum(sample[3] for sample in samples)
    if alpha == 0:
        return bytes(4)
    return bytes([sum(sample[i] * sample[3] for sample in samples) // alpha for i in range(3)] + [alpha // len(samples)])


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


rows = b"".join(b"\0" + b"".join(pixel(column, row) for column in range(SIZE)) for row in range(SIZE))
sys.stdout.buffer.write(
    b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(rows, 9))
    + chunk(b"IEND", b"")
)
