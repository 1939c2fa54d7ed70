"""Request traces for caches, made from a seed, and what the best possible replacement would make of them. Pure functions."""
import bisect, heapq, random


def zipf_cdf(keys, skew):
    total, cdf = 0.0, []
    for rank in range(1, keys + 1):
        total += rank ** -skew
        cdf.append(total)
    return [value / total for value in cdf]


def zipf(requests, keys, skew, seed):
    """Independent requests whose popularity falls with rank; ranks are scattered over the key numbers."""
    rng, cdf = random.Random(seed), zipf_cdf(keys, skew)
    names = list(range(keys))
    rng.shuffle(names)
    return [names[bisect.bisect_left(cdf, rng.random())] for _ in range(requests)]


def with_scans(requests, keys, skew, seed, every=20_000, length=8_000):
    """Zipf requests, and now and then a run over keys that nobody asks for otherwise."""
    base, trace, scan = zipf(requests, keys, skew, seed), [], keys
    for start in range(0, requests, every):
        trace += base[start:start + every - length]
        trace += range(scan, scan + length)
        scan += length
    return trace[:requests]


def shifting(requests, keys, skew, seed, phases=6):
    """Zipf requests whose popular keys change from phase to phase: a third of the names move."""
    rng, cdf = random.Random(seed), zipf_cdf(keys, skew)
    names, trace = list(range(keys)), []
    rng.shuffle(names)
    for _ in range(phases):
        trace += [names[bisect.bisect_left(cdf, rng.random())] for _ in range(requests // phases)]
        moved = rng.sample(range(keys), keys // 3)
        values = [names[i] for i in moved]
        rng.shuffle(values)
        for i, value in zip(moved, values):
            names[i] = value
    return trace


def build(name, requests, keys, seed):
    """The trace of a name; keys with an expiry are those of the trace 'ttl', whose user sets them."""
    if name.startswith('zipf'):
        return zipf(requests, keys, float(name[4:]), seed)
    if name == 'scan':
        return with_scans(requests, keys, 1.0, seed)
    if name == 'shift':
        return shifting(requests, keys, 1.0, seed)
    if name == 'ttl':
        return zipf(requests, keys, 0.9, seed)
    raise ValueError(name)


def belady(trace, capacity, warm=0):
    """Hit ratio from the request number warm on when the key whose next use is farthest off goes first, with room for so many keys; keys never used again are not kept."""
    never = len(trace)
    following, last = [never] * len(trace), {}
    for i in range(len(trace) - 1, -1, -1):
        following[i] = last.get(trace[i], never)
        last[trace[i]] = i
    cached, queue, hits = {}, [], 0
    for i, key in enumerate(trace):
        if key in cached and i >= warm:
            hits += 1
        next_use = following[i]
        if next_use == never:
            cached.pop(key, None)
            continue
        cached[key] = next_use
        heapq.heappush(queue, (-next_use, key))
        while len(cached) > capacity:
            farthest, victim = heapq.heappop(queue)
            if cached.get(victim) == -farthest:
                del cached[victim]
    return hits / (len(trace) - warm)
