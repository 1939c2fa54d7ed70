// What the calls of one script or function cost. Calls are added under the barrier; read and reset by any thread, each figure by itself.
using System.Diagnostics;

namespace Garnet.Server.Scripting;

/// <summary>Sums over all calls since the script was compiled or the figures were reset, for SCRIPT STATS.</summary>
internal sealed class ScriptUsage
{
    private long _ticks;
    private long _longestTicks;

    public long Calls { get; private set; }

    /// <summary>Instructions of the interpreter, with what library functions count for long operations.</summary>
    public long Instructions { get; private set; }

    /// <summary>Bytes of the strings and tables that the script made.</summary>
    public long Bytes { get; private set; }

    public TimeSpan Total => Stopwatch.GetElapsedTime(0, _ticks);

    public TimeSpan Longest => Stopwatch.GetElapsedTime(0, _longestTicks);

    /// <summary>Adds a call.</summary>
    public void Add(long ticks, long instructions, long bytes)
    {
        Calls++;
        _ticks += ticks;
        _longestTicks = Math.Max(_longestTicks, ticks);
        Instructions += instructions;
        Bytes += bytes;
    }

    /// <summary>Forgets all calls.</summary>
    public void Reset() => (Calls, _ticks, _longestTicks, Instructions, Bytes) = (0, 0, 0, 0, 0);
}
