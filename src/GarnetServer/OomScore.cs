// What Linux considers when memory runs out. Set at the start and by CONFIG SET, one change after another.
using System.Globalization;
using Garnet.Server.Configuration;
using Microsoft.Extensions.Logging;

namespace Garnet.Tool;

/// <summary>Sets oom_score_adj of this process as <c>oom-score-adj</c> says, and restores it when that becomes <c>no</c>.</summary>
internal sealed class OomScore(ILogger log)
{
    private const string File = "/proc/self/oom_score_adj";
    private const int Bound = 1000; // the kernel's
    private int? _initial;

    /// <summary>Applies the current options, and from now on their changes.</summary>
    public void Follow(ServerConfiguration configuration)
    {
        if (Apply(configuration.Current) is { } problem)
            log.LogWarning("oom-score-adj: {Problem}", problem);
        configuration.ApplyAtOnce(["oom-score-adj", "oom-score-adj-values"], Apply);
    }

    // Null, or why it is not possible.
    private string? Apply(GarnetOptions options)
    {
        if (options.OomScoreAdj == OomScoreAdjustment.No && _initial is null)
            return null;
        try
        {
            int initial = _initial ??= int.Parse(System.IO.File.ReadAllText(File), CultureInfo.InvariantCulture);
            int value = options.OomScoreAdj switch
            {
                OomScoreAdjustment.No => initial,
                OomScoreAdjustment.Relative => initial + options.OomScoreAdjValues[0],
                _ => options.OomScoreAdjValues[0],
            };
            System.IO.File.WriteAllText(File, Math.Clamp(value, -Bound, Bound).ToString(CultureInfo.InvariantCulture));
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return $"Failed to apply new oom_score_adj configuration: {e.Message}";
        }
    }
}
