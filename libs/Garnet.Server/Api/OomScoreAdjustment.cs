// Values of oom-score-adj. Immutable; any thread.
namespace Garnet;

/// <summary>How the process changes its oom_score_adj, by which Linux chooses what to end when memory runs out.</summary>
public enum OomScoreAdjustment
{
    /// <summary>Not at all.</summary>
    No,

    /// <summary>The value is added to what the process started with.</summary>
    Relative,

    /// <summary>The value itself is set.</summary>
    Absolute,
}
