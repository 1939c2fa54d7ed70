// The settings of a server about scripts and functions; see GarnetOptions.cs.
namespace Garnet;

public sealed partial class GarnetOptions
{
    internal long BusyReplyThresholdMs { get; set; } = 5000;

    /// <summary>What the values of one script may take, in bytes; beyond that the script fails.</summary>
    public long ScriptMemoryLimitBytes { get; set; } = 256L << 20;

    /// <summary>What all libraries of functions may keep together, in bytes, including the values of the function that runs.</summary>
    public long FunctionMemoryLimitBytes { get; set; } = 256L << 20;

    /// <summary>How long a client's library may run while it is being loaded; with zero, it is not limited.</summary>
    public TimeSpan FunctionLoadTimeout
    {
        get => Span(FunctionLoadTimeoutMs, TimeSpan.TicksPerMillisecond);
        set => FunctionLoadTimeoutMs = Units(value, TimeSpan.TicksPerMillisecond, int.MaxValue);
    }

    internal long FunctionLoadTimeoutMs { get; set; } = 500;

    /// <summary>How many scripts that clients sent with EVAL are kept; the least recently used ones are dropped.</summary>
    public int MaxCachedScripts { get; set; } = 500;

    /// <summary>
    /// Whether scripts may call getfenv, setfenv and newproxy, with which one script can change what another one sees.
    /// </summary>
    public bool LuaEnableInsecureApi { get; set; }

    /// <summary>
    /// Files with libraries of functions (FUNCTION LOAD), loaded at the start after the data, each in place of a library with its name.
    /// A relative path is relative to the current directory. A replica does not load them.
    /// </summary>
    public IReadOnlyList<string> FunctionFiles { get; set; } = [];

    /// <summary>The same as texts, for an application that has them in its code or its resources; loaded after those of files.</summary>
    public IReadOnlyList<string> FunctionLibraries { get; set; } = [];
}
