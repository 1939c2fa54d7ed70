// The options about tracked keys. Stateless; any thread.
namespace Garnet.Server.Configuration;

/// <summary>The rows of <see cref="OptionTable"/> about CLIENT TRACKING.</summary>
internal static class TrackingOptions
{
    public static OptionDescriptor[] All() =>
        [
            new IntegerOption(
                "tracking-table-max-keys",
                static o => o.TrackingTableMaxKeys,
                static (o, v) => o.TrackingTableMaxKeys = v,
                0,
                long.MaxValue
            )
            {
                Group = OptionGroup.Clients,
                Help = "Maximum number of keys whose readers are remembered for CLIENT TRACKING; 0 means no limit.",
                Mutability = Mutability.Runtime,
            },
        ];
}
