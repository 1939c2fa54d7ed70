// Awaitable that continues on a connection's owner. Value type; the await itself allocates nothing.
using System.Runtime.CompilerServices;

namespace Garnet.Network.Tests;

/// <summary><c>await new OwnerSwitch(affinity)</c>: what follows runs on the owner thread. After disposal of the connection it continues where it is.</summary>
internal readonly struct OwnerSwitch(IConnectionAffinity affinity) : ICriticalNotifyCompletion
{
    private static readonly Action<object?> s_continue = static state => ((Action)state!)();

    /// <summary>The awaiter is the value itself.</summary>
    public OwnerSwitch GetAwaiter() => this;

    /// <summary>True when no switch is needed.</summary>
    public bool IsCompleted => affinity.IsOnOwnerThread;

    /// <summary>Nothing to return.</summary>
    public void GetResult()
    {
    }

    /// <inheritdoc/>
    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    /// <inheritdoc/>
    public void UnsafeOnCompleted(Action continuation)
    {
        if (!affinity.Post(s_continue, continuation))
            continuation();
    }
}
