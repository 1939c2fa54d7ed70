// What one request holds in memory, and how long it may. One request's task; it is given up by any.
using Garnet.Dashboard.Login;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Garnet.Dashboard.Http;

/// <summary>A request's part of the memory of all, as a feature of the request. Its end gives back what it has taken.</summary>
internal sealed class RequestMemory : IDisposable
{
    // What a request may hold besides, so that small ones are always answered.
    private const long FreeBytes = 16 * 1024;

    // Large ones ask the budget now and then.
    private const long Grain = 64 * 1024;

    private readonly MemoryBudget _budget;
    private readonly HttpContext _context;
    private long _used;

    private RequestMemory(MemoryBudget budget, HttpContext context, TimeProvider time)
    {
        (_budget, _context, Time) = (budget, context, time);
        context.Features.Set(this);
    }

    /// <summary>The clock of deadlines.</summary>
    public TimeProvider Time { get; }

    /// <summary>The session of the request; null before the login.</summary>
    public DashboardSession? Session { get; set; }

    /// <summary>Cancelled when the browser has gone, or the request is given up.</summary>
    public CancellationToken Aborted => _context.RequestAborted;

    /// <summary>Whether nobody waits for the answer any more.</summary>
    public bool IsOver => IsGivenUp || Aborted.IsCancellationRequested;

    /// <summary>Whether its memory is another's soon; under the budget's lock.</summary>
    internal bool IsGivenUp { get; set; }

    /// <summary>What the budget has given; under its lock.</summary>
    internal long Bytes { get; set; }

    /// <summary>What is compared when one user's requests want more than there is.</summary>
    internal object Owner => (object?)Session ?? this;

    /// <summary>Begins to count for a request.</summary>
    public static RequestMemory Begin(MemoryBudget budget, HttpContext context, TimeProvider time) => new(budget, context, time);

    /// <summary>That of a request.</summary>
    public static RequestMemory Of(HttpContext context) => context.Features.GetRequiredFeature<RequestMemory>();

    /// <summary>Counts more bytes.</summary>
    /// <exception cref="OutOfMemoryShareException">There are too many.</exception>
    public void Take(long bytes)
    {
        long missing = _used + bytes - FreeBytes - Bytes;
        if (missing > 0 && !_budget.TryTake(this, (missing + Grain - 1) / Grain * Grain))
            throw new OutOfMemoryShareException();
        _used += bytes;
    }

    /// <summary>Counts fewer.</summary>
    public void GiveBack(long bytes)
    {
        _used -= bytes;
        long spare = (Bytes - Math.Max(0, _used - FreeBytes)) / Grain * Grain;
        if (spare > 0)
            _budget.GiveBack(this, spare);
    }

    /// <inheritdoc/>
    public void Dispose() => _budget.End(this);

    /// <summary>Ends the request for another's sake.</summary>
    internal void GiveUp() => _context.Abort();
}
