// The disk for values, which reports its steps to the watch first. Same threading as the wrapped one.
using Garnet.Store.Tiering;

namespace Garnet.CrashTarget;

/// <summary>
/// Its steps: <c>write tier</c>, of which a half is written; <c>publish tier</c>, when a buffer is on disk and no record refers to it;
/// <c>read tier</c>, a value; <c>clean tier</c>, a part of a segment.
/// </summary>
internal sealed class WatchedTier(ITierDevice inner, StepWatch watch) : ITierDevice
{
    /// <summary>The name by which the watch knows it.</summary>
    public const string Name = "tier.values";

    // The tests' values are shorter, and what is read of a segment at once is longer.
    private const int MaxValueBytes = 32 << 10;

    public int Alignment => inner.Alignment;

    public void Write(long position, nint source, int bytes, Action<int> done)
    {
        if (!watch.IsFatal("write", Name))
        {
            inner.Write(position, source, bytes, result => Publish(done, result));
            return;
        }

        int half = bytes / 2 & -inner.Alignment;
        if (half == 0)
            watch.End();
        inner.Write(position, source, half, _ => watch.End());
    }

    public void Read(long position, nint target, int bytes, Action<int> done)
    {
        watch.Pass(bytes > MaxValueBytes ? "clean" : "read", Name);
        inner.Read(position, target, bytes, done);
    }

    public void Dispose() => inner.Dispose();

    private void Publish(Action<int> done, int result)
    {
        watch.Pass("publish", Name);
        done(result);
    }
}
