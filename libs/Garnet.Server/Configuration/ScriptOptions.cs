// The options about scripts. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about scripts.</summary>
internal static class ScriptOptions
{
    private const int MaxFunctionFiles = 1000;

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
            new ListOption("function-load", static o => o.FunctionFiles, static (o, v) => o.FunctionFiles = v, MaxFunctionFiles)
            {
                Group = OptionGroup.Data,
                Help = "Files with libraries of functions, loaded at the start after the data; several lines add up.",
                TooMany = $"More than {MaxFunctionFiles} files",
                IsOfPaths = true,
            },
        ];
}
