// Assembles the sections of INFO. Any thread.
using Garnet.Engine.Execution;
using Garnet.Server.Basics;
using Garnet.Server.Modules;

namespace Garnet.Server.Statistics;

/// <summary>
/// Valkey's sections and field names; a field is included only if its value is known to be correct. <c>all</c> and <c>everything</c> are
/// equivalent here: both include the sections of modules.
/// </summary>
/// <param name="sections">In Valkey's order.</param>
/// <param name="modules">Their sections follow.</param>
/// <param name="commands">The commands that are counted.</param>
/// <param name="threads">The counters of threads.</param>
internal sealed class InfoReport(
    IReadOnlyList<InfoSection> sections,
    ServerModules modules,
    CommandTable commands,
    ThreadScratchPool threads
)
{
    /// <summary>
    /// The text for the requested sections, in any letter case; an empty list means the default ones, unknown ones add nothing.
    /// </summary>
    public string Make(IReadOnlyCollection<string> names)
    {
        HashSet<string> asked = new(names, StringComparer.OrdinalIgnoreCase);
        bool defaults = asked.Count == 0 || asked.Contains("default");
        bool all = asked.Contains("all") || asked.Contains("everything");
        if (asked.Contains("module_list"))
            asked.Add("modules");
        InfoText text = new();
        CounterTotals totals = new(commands, threads);
        foreach (InfoSection section in sections)
        {
            if (!(all && !section.IsApart) && !(defaults && section.IsDefault) && !asked.Contains(section.Name))
                continue;
            text.Section(section.Title);
            section.Write(text, totals);
        }

        WriteModules(text, asked, all);
        return text.ToString();
    }

    // All sections of modules, or those whose name or module was asked for.
    private void WriteModules(InfoText text, HashSet<string> asked, bool all)
    {
        foreach (LoadedModule module in modules.All)
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
