// Assembles the sections of INFO. Stateless; any thread.
using Garnet.Server.Sessions;

namespace Garnet.Server.Statistics;

/// <summary>
/// Valkey's sections and field names; a field is included only if its value is known to be correct. <c>all</c> and <c>everything</c> are
/// equivalent here: both include the sections of modules.
/// </summary>
internal static class InfoReport
{
    private static readonly Section[] Sections =
    [
        new("server", "Server", true, (text, source) => ServerSection.Write(text, source.Server)),
        new("tls", "TLS", false, (text, source) => TlsSection.Write(text, source.Server)),
        new("clients", "Clients", true, (text, source) => ClientsSection.Write(text, source.Server)),
        new("memory", "Memory", true, (text, source) => MemorySection.Write(text, source.Server)),
        new("persistence", "Persistence", true, (text, source) => PersistenceSection.Write(text, source.Server)),
        new("threads", "Threads", true, (text, source) => ThreadsSection.Write(text, source.Server)),
        new("stats", "Stats", true, (text, source) => StatsSection.Write(text, source.Server, source.Totals)),
        new("replication", "Replication", true, (text, source) => ReplicationSection.Write(text, source.Server)),
        new("cpu", "CPU", true, static (text, source) => ProcessorSection.Write(text, source.Server.Statistics)),
        new("modules", "Modules", true, static (text, source) => ModulesSection.Write(text, source.Server)),
        new("commandstats", "Commandstats", false, (text, source) => CommandStatsSection.Write(text, source.Server, source.Totals)),
        new("errorstats", "Errorstats", true, (text, source) => WriteErrors(text, source.Totals)),
        new("latencystats", "Latencystats", false, (text, source) => LatencyStatsSection.Write(text, source.Server, source.Totals)),
        new("cluster", "Cluster", true, static (text, _) => text.Field("cluster_enabled", 0)),
        new("scriptingengines", "Scripting Engines", false, (text, source) => EnginesSection.Write(text, source.Server)),
        new("debug", "Debug", false, static (text, source) => DebugSection.Write(text, source.Server)) { IsApart = true },
        new("keyspace", "Keyspace", true, (text, source) => KeyspaceSection.Write(text, source.Server)),
    ];

    /// <summary>
    /// The text for the requested sections, in any letter case; an empty list means the default ones, unknown ones add nothing.
    /// </summary>
    public static string Make(RespServer server, IReadOnlyCollection<string> names)
    {
        HashSet<string> asked = new(names, StringComparer.OrdinalIgnoreCase);
        bool defaults = asked.Count == 0 || asked.Contains("default");
        bool all = asked.Contains("all") || asked.Contains("everything");
        if (asked.Contains("module_list"))
            asked.Add("modules");
        InfoText text = new();
        Source source = new(server, new CounterTotals(server));
        foreach (Section section in Sections)
        {
            if (!(all && !section.IsApart) && !(defaults && section.IsDefault) && !asked.Contains(section.Name))
                continue;
            text.Section(section.Title);
            section.Write(text, source);
        }

        ModulesSection.WriteSections(text, server, asked, all);
        return text.ToString();
    }

    private static void WriteErrors(InfoText text, CounterTotals totals)
    {
        foreach ((string code, long count) in totals.Errors)
            text.Field("errorstat_" + Safe(code), $"count={count}");
    }

    // Codes may come from clients' scripts; characters that would break the text's format are replaced.
    private static string Safe(string code) => code.Replace('#', '_').Replace(':', '_').Replace('\n', '_').Replace('\r', '_');

    private sealed record Source(RespServer Server, CounterTotals Totals);

    private sealed record Section(string Name, string Title, bool IsDefault, Action<InfoText, Source> Write)
    {
        /// <summary>Whether only its name asks for it, and <c>all</c> does not.</summary>
        public bool IsApart { get; init; }
    }
}
