// What Linux considers when memory runs out. Set at the start, by CONFIG SET, and as the role changes; any thread.
using System.Globalization;
using Garnet.Server.Configuration;
using Microsoft.Extensions.Logging;

namespace Garnet.Tool;

/// <summary>Sets oom_score_adj of this process as <c>oom-score-adj</c> says, and restores it when that becomes <c>no</c>.</summary>
/// <param name="log">Is told of a start without it.</param>
/// <param name="isReplica">Whether the server is a replica at the moment.</param>
internal sealed class OomScore(ILogger log, Func<bool> isReplica)
{
    private const string File = "/proc/self/oom_score_adj";
    private const int Bound = 1000; // the kernel's
    private readonly Lock _setting = new();
    private int? _initial;
    private int _role;

    /// <summary>Applies the current options, and from now on their changes.</summary>
    public void Follow(ServerConfiguration configuration)
    {
        if (Apply(configuration.Current) is { } problem)
            log.LogWarning("oom-score-adj: {Problem}", problem);
        configuration.ApplyAtOnce(["oom-score-adj", "oom-score-adj-values"], Apply);
    }

    /// <summary>Applies the value of the server's present role, if that has changed. The next change is tried if this one fails.</summary>
    public void FollowRole(GarnetOptions options)
    {
        if (options.OomScoreAdj != OomScoreAdjustment.No && RoleNow != Volatile.Read(ref _role))
            Apply(options);
    }

    // The index among the values.
    private int RoleNow => isReplica() ? 1 : 0;

    // Null, or why it is not possible.
    private string? Apply(GarnetOptions options)
    {
        lock (_setting)
            return ApplyAlone(options);
    }

    private string? ApplyAlone(GarnetOptions options)
    {
        if (options.OomScoreAdj == OomScoreAdjustment.No && _initial is null)
            return null;
        try
        {
            int role = RoleNow;
            Volatile.Write(ref _role, role);
            int initial = _initial ??= int.Parse(System.IO.File.ReadAllText(File), CultureInfo.InvariantCulture);
            int value = options.OomScoreAdj switch
            {
                OomScoreAdjustment.No => initial,
                OomScoreAdjustment.Relative => initial + options.OomScoreAdjValues[role],
                _ => options.OomScoreAdjValues[role],
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
