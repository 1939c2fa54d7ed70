// Looks at the tier several times a second, on the thread of the periodic checks. Problem: any thread.
using System.Runtime.InteropServices;
using Garnet.Store;
using Garnet.Store.Tiering;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Tiering;

/// <summary>Logs what fails, each kind of error at most once a minute, and when values stop moving to disk and move again.</summary>
/// <param name="store">The store, with or without a tier.</param>
/// <param name="log">The server's log.</param>
internal sealed class TierWatch(HybridLogStore store, ILogger log)
{
    private const long IntervalMs = 60_000;
    private EventCount _writes;
    private EventCount _reads;
    private long _movedWhenStopped;
    private EventCount _fills;
    private long _fillings;
    private bool _isFull;
    private string? _problem;

    /// <summary>Why no values move to disk; null while they do.</summary>
    public string? Problem => Volatile.Read(ref _problem);

    /// <summary>Looks once.</summary>
    /// <param name="nowMs">The time in Unix milliseconds.</param>
    public void Check(long nowMs)
    {
        if (store.Tier is not { } tier)
            return;
        TierStatistics done = tier.Statistics;
        if (_writes.IsDue(done.WriteErrors, nowMs, out long writes))
            log.LogError("{Count} writes of values to disk have failed ({Error})", writes, TextOf(done.LastError));
        if (_reads.IsDue(done.ReadErrors, nowMs, out long reads))
            log.LogError("{Count} reads of values on disk have failed ({Error})", reads, TextOf(done.LastError));
        CheckMoving(tier);
        CheckSpace(tier, nowMs);
    }

    /// <summary>An error number of the tier in words.</summary>
    public static string TextOf(int error) =>
        error switch
        {
            TierLoad.Garbled => "the bytes are not those that were written",
            TierLoad.Late => "no answer in time",
            _ => Marshal.GetPInvokeErrorMessage(error),
        };

    // After a pause the tier tries again; it works again once a value has moved.
    private void CheckMoving(ColdTier tier)
    {
        long moved = tier.Statistics.MovedOut;
        if (Problem is null && tier.IsFailing)
        {
            _movedWhenStopped = moved;
            string text = TextOf(tier.Statistics.LastError);
            Volatile.Write(ref _problem, text);
            log.LogError("No values move to disk, because writes fail ({Error}); they are tried again every ten seconds", text);
        }
        else if (Problem is not null && !tier.IsFailing && moved != _movedWhenStopped)
        {
            Volatile.Write(ref _problem, null);
            log.LogInformation("Values move to disk again");
        }
    }

    // A policy that may delete every key keeps the disk full: that is its normal state.
    private void CheckSpace(ColdTier tier, long nowMs)
    {
        bool isFull = tier.Segments.IsFull && (store.Eviction.IsVolatile || store.Eviction.Policy == EvictionPolicy.NoEviction);
        if (_fills.IsDue(_fillings += isFull && !_isFull ? 1 : 0, nowMs, out _))
        {
            log.LogWarning(
                "The disk tier is full: {Live} of {Capacity} bytes are values in use; {Consequence}",
                tier.Segments.LiveBytes,
                tier.Segments.Capacity,
                Consequence(store)
            );
        }

        _isFull = isFull;
    }

    /// <summary>What the policy does when memory and disk are full.</summary>
    public static string Consequence(HybridLogStore store) =>
        store.Eviction switch
        {
            { Policy: EvictionPolicy.NoEviction } => "values stay in memory from now on, and writes are refused when memory is full, too",
            { IsVolatile: true } => "values stay in memory from now on, and keys with an expiry are deleted when memory is full, too",
            _ => "the keys whose values were moved first are deleted",
        };

    // Events of one kind.
    private struct EventCount
    {
        private long _reported;
        private long _reportedAtMs;

        public bool IsDue(long events, long nowMs, out long count)
        {
            count = events - _reported;
            if (count <= 0 || (_reported != 0 && Math.Abs(nowMs - _reportedAtMs) < IntervalMs))
                return false;
            (_reported, _reportedAtMs) = (events, nowMs);
            return true;
        }
    }
}
