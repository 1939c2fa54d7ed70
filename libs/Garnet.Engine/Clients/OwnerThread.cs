// An awaitable that continues on the thread owning a connection; costs nothing when already there.
using System.Runtime.CompilerServices;

namespace Garnet.Engine.Clients;

/// <summary>
/// <c>await new OwnerThread(connection)</c>: the continuation runs on the connection's own thread; with <paramref name="isLater"/>, after
/// other connections had their turn there.
/// </summary>
internal readonly struct OwnerThread(IClientConnection connection, bool isLater = false) : ICriticalNotifyCompletion
{
    public bool IsCompleted => !isLater && connection.IsOnOwnerThread;

    public OwnerThread GetAwaiter() => this;

    public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

    public void UnsafeOnCompleted(Action continuation) => connection.Post(static state => ((Action)state!)(), continuation);

    public void GetResult() { }
}
