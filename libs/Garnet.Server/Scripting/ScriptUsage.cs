// What the calls of one script or function cost. Any thread; each figure by itself.
using System.Diagnostics;

namespace Garnet.Server.Scripting;

/// <summary>
/// Sums over all calls since the script was compiled or the figures were reset, for SCRIPT STATS. Each machine adds to sums of its own, so
/// that threads which run the same script do not wait for each other's cache lines.
/// </summary>
internal sealed class ScriptUsage
{
    private readonly Lock _gate = new();
    private Sums?[] _sums = [];

    public long Calls => Sum(static sums => Volatile.Read(ref sums.Calls));

    /// <summary>Instructions of the interpreter, with what library functions count for long operations.</summary>
    public long Instructions => Sum(static sums => Volatile.Read(ref sums.Instructions));

    /// <summary>Bytes of the strings and tables that the script made.</summary>
    public long Bytes => Sum(static sums => Volatile.Read(ref sums.Bytes));

    public TimeSpan Total => Stopwatch.GetElapsedTime(0, Sum(static sums => Volatile.Read(ref sums.Ticks)));

    public TimeSpan Longest
    {
        get
        {
            long longest = 0;
            foreach (Sums? sums in Volatile.Read(ref _sums))
                longest = Math.Max(longest, sums is null ? 0 : Volatile.Read(ref sums.LongestTicks));
            return Stopwatch.GetElapsedTime(0, longest);
        }
    }

    /// <summary>Adds a call.</summary>
    /// <param name="machine">The number of the machine that ran it.</param>
    /// <param name="ticks">Its time in ticks of the stopwatch.</param>
    /// <param name="instructions">Its instructions.</param>
    /// <param name="bytes">The bytes that it allocated.</param>
    public void Add(int machine, long ticks, long instructions, long bytes)
    {
        Sums?[] all = Volatile.Read(ref _sums);
        Sums sums = machine < all.Length && all[machine] is { } known ? known : Create(machine);
        Interlocked.Increment(ref sums.Calls);
        Interlocked.Add(ref sums.Ticks, ticks);
        Interlocked.Add(ref sums.Instructions, instructions);
        Interlocked.Add(ref sums.Bytes, bytes);
        if (ticks > Volatile.Read(ref sums.LongestTicks))
            Volatile.Write(ref sums.LongestTicks, ticks);
    }

    /// <summary>Forgets all calls.</summary>
    public void Reset()
    {
        lock (_gate)
            Volatile.Write(ref _sums, []);
    }

    private long Sum(Func<Sums, long> figure)
    {
        long sum = 0;
        foreach (Sums? sums in Volatile.Read(ref _sums))
            sum += sums is null ? 0 : figure(sums);
        return sum;
    }

    private Sums Create(int machine)
    {
        lock (_gate)
        {
            Sums?[] all = _sums;
            if (machine < all.Length && all[machine] is { } known)
                return known;
            var more = new Sums?[Math.Max(all.Length, machine + 1)];
            all.CopyTo(more, 0);
            Sums made = new();
            more[machine] = made;
            Volatile.Write(ref _sums, more);
            return made;
        }
    }

    private sealed class Sums
    {
        public long Calls;
        public long Ticks;
        public long LongestTicks;
        public long Instructions;
        public long Bytes;
    }
}
