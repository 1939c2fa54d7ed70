// The options about scripts. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about scripts.</summary>
internal static class ScriptOptions
{
    private const int MaxFunctionFiles = 1000;
    private const long MinMemoryLimit = 1 << 20;
    private const int MaxCachedScripts = 10_000_000;

    public static OptionDescriptor[] All() =>
        [
            new IntegerOption(
                "busy-reply-threshold",
                static o => o.BusyReplyThresholdMs,
                static (o, v) => o.BusyReplyThresholdMs = v,
                0,
                long.MaxValue
            )
            {
                Aliases = ["lua-time-limit"],
                Property = nameof(GarnetOptions.BusyReplyThreshold),
                Unit = TimeSpan.FromMilliseconds(1),
                Group = OptionGroup.Data,
                Help =
                    "Milliseconds a script may run before other clients get BUSY and SCRIPT KILL can end it; 0: others wait until it ends.",
                Mutability = Mutability.Runtime,
            },
            new MemoryOption(
                "script-memory-limit",
                static o => o.ScriptMemoryLimitBytes,
                static (o, v) => o.ScriptMemoryLimitBytes = v,
                MinMemoryLimit,
                long.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "Memory that the values of one script may take; a script that needs more fails.",
                Mutability = Mutability.Runtime,
            },
            new MemoryOption(
                "function-memory-limit",
                static o => o.FunctionMemoryLimitBytes,
                static (o, v) => o.FunctionMemoryLimitBytes = v,
                MinMemoryLimit,
                long.MaxValue
            )
            {
                Group = OptionGroup.Data,
                Help = "Memory that all libraries of functions may keep together, with the values of the function that runs.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "function-load-timeout",
                static o => o.FunctionLoadTimeoutMs,
                static (o, v) => o.FunctionLoadTimeoutMs = v,
                0,
                int.MaxValue
            )
            {
                Property = nameof(GarnetOptions.FunctionLoadTimeout),
                Unit = TimeSpan.FromMilliseconds(1),
                Group = OptionGroup.Data,
                Help = "Milliseconds that FUNCTION LOAD may run a library's code; 0: not limited.",
                Mutability = Mutability.Runtime,
            },
            new IntegerOption(
                "max-cached-scripts",
                static o => o.MaxCachedScripts,
                static (o, v) => o.MaxCachedScripts = (int)v,
                1,
                MaxCachedScripts
            )
            {
                Group = OptionGroup.Data,
                Help = "Scripts of EVAL that are kept for EVALSHA; the least recently used are dropped. Those of SCRIPT LOAD do not count.",
                Mutability = Mutability.Runtime,
            },
            new BooleanOption("lua-enable-insecure-api", static o => o.LuaEnableInsecureApi, static (o, v) => o.LuaEnableInsecureApi = v)
            {
                Aliases = ["lua-enable-deprecated-api"],
                IsHidden = true,
                Group = OptionGroup.Data,
                Help = "Scripts may call getfenv, setfenv and newproxy; functions, after the next FUNCTION FLUSH.",
                Mutability = Mutability.Protected,
            },
            new ListOption("function-load", static o => o.FunctionFiles, static (o, v) => o.FunctionFiles = v, MaxFunctionFiles)
            {
                Group = OptionGroup.Data,
                Help = "Files with libraries of functions, loaded at the start after the data; several lines add up.",
                TooMany = $"More than {MaxFunctionFiles} files",
                IsOfPaths = true,
            },
        ];
}
