// Awaitable that continues on the thread pool. Any thread.
using System.Runtime.CompilerServices;

namespace Garnet.Network.Tls;

/// <summary><c>await default(PoolSwitch)</c>: the continuation runs on a thread of the pool.</summary>
internal readonly struct PoolSwitch : ICriticalNotifyCompletion
{
    public PoolSwitch GetAwaiter() => this;

    public bool IsCompleted => false;

    public void GetResult() { }

    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    public void UnsafeOnCompleted(Action continuation) =>
        ThreadPool.UnsafeQueueUserWorkItem(static next => next(), continuation, preferLocal: false);
}
