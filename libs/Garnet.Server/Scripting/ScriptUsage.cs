// What the calls of one script or function cost. Any thread; each figure by itself.
using System.Diagnostics;

namespace Garnet.Server.Scripting;

/// <summary>Sums over all calls since the script was compiled or the figures were reset, for SCRIPT STATS.</summary>
internal sealed class ScriptUsage
{
    private long _calls;
    private long _ticks;
    private long _longestTicks;
    private long _instructions;
    private long _bytes;

    public long Calls => Volatile.Read(ref _calls);

    /// <summary>Instructions of the interpreter, with what library functions count for long operations.</summary>
    public long Instructions => Volatile.Read(ref _instructions);

    /// <summary>Bytes of the strings and tables that the script made.</summary>
    public long Bytes => Volatile.Read(ref _bytes);

    public TimeSpan Total => Stopwatch.GetElapsedTime(0, Volatile.Read(ref _ticks));

    public TimeSpan Longest => Stopwatch.GetElapsedTime(0, Volatile.Read(ref _longestTicks));

    /// <summary>Adds a call.</summary>
    public void Add(long ticks, long instructions, long bytes)
    {
        Interlocked.Increment(ref _calls);
        Interlocked.Add(ref _ticks, ticks);
        Interlocked.Add(ref _instructions, instructions);
        Interlocked.Add(ref _bytes, bytes);
        long longest = Volatile.Read(ref _longestTicks);
        while (ticks > longest)
        {
            long seen = Interlocked.CompareExchange(ref _longestTicks, ticks, longest);
            if (seen == longest)
                break;
            longest = seen;
        }
    }

    /// <summary>Forgets all calls.</summary>
    public void Reset()
    {
        Volatile.Write(ref _calls, 0);
        Volatile.Write(ref _ticks, 0);
        Volatile.Write(ref _longestTicks, 0);
        Volatile.Write(ref _instructions, 0);
        Volatile.Write(ref _bytes, 0);
    }
}
