// The modules in INFO. Any thread.
using System.Globalization;
using Garnet.Server.Basics;
using Garnet.Server.Modules;
using Garnet.Store;

namespace Garnet.Server.Statistics;

/// <summary>A line for each module with Valkey's fields and the number of faults.</summary>
internal sealed class ModulesSection(ServerModules modules, HybridLogStore store) : InfoSection("modules", "Modules", isDefault: true)
{
    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        foreach (LoadedModule module in modules.All)
        {
            text.Field(
                "module",
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"name={module.Name},ver={module.Version},api={modules.ApiVersion},filters={module.Filters.Length},usedby=[],using=[],options=[],exceptions={module.Exceptions},overruns={module.Overruns},waiting={module.Waiting},queued={module.Worker.Count},queued_bytes={module.Worker.Bytes},dropped={module.Worker.Dropped}"
                )
            );
        }

        if (store.Types.Kept.KeyCount is > 0 and long kept)
            text.Field("keys_of_missing_types", kept);
    }
}
