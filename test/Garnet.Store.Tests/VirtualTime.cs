// A clock that tests move by hand. Thread-safe.
namespace Garnet.Store.Tests;

/// <summary>Starts at a fixed instant and moves only when told.</summary>
internal sealed class VirtualTime : TimeProvider
{
    private long _nowMs = 1_700_000_000_000;

    public long NowMs => Volatile.Read(ref _nowMs);

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.FromUnixTimeMilliseconds(NowMs);

    public void Advance(long ms) => Interlocked.Add(ref _nowMs, ms);
}
