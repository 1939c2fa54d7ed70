// Whether data is being loaded. Changed by the thread that loads; read by any.
using Garnet.Engine.Clients;
using Garnet.Engine.Rules;
using Garnet.Store;

namespace Garnet.Server.Basics;

/// <summary>The loading in progress, and the gate that is raised meanwhile.</summary>
internal sealed class LoadingState(Conditions conditions, ServerClock clock)
{
    private LoadingStatus? _current;

    /// <summary>The current loading, or null: most commands are rejected meanwhile, unless it is beside the present data.</summary>
    public LoadingStatus? Current
    {
        get => Volatile.Read(ref _current);
        set
        {
            if (value is not null)
                conditions.Set((uint)GateMask.Loading, areRaised: true);
            Volatile.Write(ref _current, value);
            if (value is null)
                conditions.Set((uint)GateMask.Loading, areRaised: false);
        }
    }

    /// <summary>Whether data is being loaded.</summary>
    public bool IsOn => Current is not null;

    /// <summary>Whether data is served: nothing is being loaded, or it is loaded beside the present data.</summary>
    public bool HasData => Current is null or { IsAsync: true };

    /// <summary>A loading begins now.</summary>
    /// <param name="totalBytes">Bytes to read; 0 when that is not known yet.</param>
    /// <param name="isAsync">Whether the data is loaded beside the present data, which is served meanwhile.</param>
    public void Begin(long totalBytes = 0, bool isAsync = false) =>
        Current = new LoadingStatus(clock.Time.GetUtcNow().ToUnixTimeSeconds()) { TotalBytes = totalBytes, IsAsync = isAsync };

    /// <summary>The loading has ended.</summary>
    public void End() => Current = null;
}
