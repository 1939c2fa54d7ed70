// A clock that tests advance explicitly. Thread-safe.
namespace Garnet.Store.Tests;

/// <summary>Starts at a fixed time and advances only on request.</summary>
internal sealed class VirtualTime : TimeProvider
{
    private long _nowMs = 1_700_000_000_000;

    public long NowMs => Volatile.Read(ref _nowMs);

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.FromUnixTimeMilliseconds(NowMs);

    public void Advance(long ms) => Interlocked.Add(ref _nowMs, ms);
}
