// The modules in INFO. Stateless; any thread.
using System.Globalization;
using Garnet.Server.Modules;
using Garnet.Server.Sessions;

namespace Garnet.Server.Statistics;

/// <summary>A line for each module with Valkey's fields and the number of faults, and the sections that modules add.</summary>
internal static class ModulesSection
{
    public static void Write(InfoText text, RespServer server)
    {
        foreach (LoadedModule module in server.Modules.All)
        {
            text.Field(
                "module",
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"name={module.Name},ver={module.Version},api={server.Modules.ApiVersion},filters={module.Filters.Length},usedby=[],using=[],options=[],exceptions={module.Exceptions},overruns={module.Overruns},waiting={module.Waiting},queued={module.Worker.Count},queued_bytes={module.Worker.Bytes},dropped={module.Worker.Dropped}"
                )
            );
        }

        if (server.Store.Types.Kept.KeyCount is > 0 and long kept)
            text.Field("keys_of_missing_types", kept);
    }

    /// <summary>Writes the sections of modules: all, or those whose name or module was asked for.</summary>
    public static void WriteSections(InfoText text, RespServer server, HashSet<string> asked, bool all)
    {
        foreach (LoadedModule module in server.Modules.All)
        {
            foreach (ModuleInfoSection section in module.InfoSections)
            {
                if (!all && !asked.Contains(module.Name) && !asked.Contains(section.Name))
                    continue;
                text.Section(section.Name);
                section.Write(text);
            }
        }
    }
}
