// Awaitable that continues on a connection's owner. Value type; the await itself allocates nothing. Any thread.
using System.Runtime.CompilerServices;
using Garnet.Network.Features;

namespace Garnet.Network.Tls;

/// <summary>
/// <c>await new OwnerSwitch(affinity)</c>: the continuation runs on the owner. After disposal of the connection it continues on the current
/// thread.
/// </summary>
internal readonly struct OwnerSwitch(IConnectionAffinity affinity) : ICriticalNotifyCompletion
{
    private static readonly Action<object?> Continue = static state => ((Action)state!)();

    public OwnerSwitch GetAwaiter() => this;

    public bool IsCompleted => affinity.IsOnOwnerThread;

    public void GetResult() { }

    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    public void UnsafeOnCompleted(Action continuation)
    {
        if (!affinity.Post(Continue, continuation))
            continuation();
    }
}
