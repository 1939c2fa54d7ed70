// INFO errorstats. Any thread.
using Garnet.Server.Basics;

namespace Garnet.Server.Statistics;

/// <summary>Error replies by code.</summary>
internal sealed class ErrorStatsSection() : InfoSection("errorstats", "Errorstats", isDefault: true)
{
    /// <inheritdoc/>
    public override void Write(InfoText text, CounterTotals totals)
    {
        foreach ((string code, long count) in totals.Errors)
            text.Field("errorstat_" + Safe(code), $"count={count}");
    }

    // Codes may come from clients' scripts; characters that would break the text's format are replaced.
    private static string Safe(string code) => code.Replace('#', '_').Replace(':', '_').Replace('\n', '_').Replace('\r', '_');
}
