// The options about scripts. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about scripts.</summary>
internal static class ScriptOptions
{
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
                Help = "Milliseconds a script that has written nothing may run before it is ended with an error; 0 means no limit.",
                Mutability = Mutability.Runtime,
            },
        ];
}
