// Ends the waits of all blocked clients, whatever they wait for. Thread-safe.
using Garnet.Engine.Clients;

namespace Garnet.Engine.Execution;

/// <summary>
/// What clients wait for does not come to a server that has become a replica. A client that begins to wait at that moment is not missed:
/// its command knows how often waits had been released when it was executed.
/// </summary>
internal sealed class ReleasedWaits(ClientRegistry clients)
{
    private int _releases;

    /// <summary>Ends the waits of clients that are blocked.</summary>
    public void ReleaseAll()
    {
        Interlocked.Increment(ref _releases);
        foreach (ClientSession client in clients.Connected)
            client.Wait.Reply?.TryUnblock(UnblockReason.RoleChange);
    }

    /// <summary>A command is about to wait, and its client will be found by <see cref="ReleaseAll"/> from some time on.</summary>
    public void Mark(PendingReply reply) => reply.Releases = Volatile.Read(ref _releases);

    /// <summary>The client can be found: ends the wait if the others were released since the command was executed.</summary>
    public void OnWaiting(PendingReply reply)
    {
        // Either this thread sees the number, or the thread that releases the others sees the client.
        Interlocked.MemoryBarrier();
        if (reply.Releases != Volatile.Read(ref _releases))
            reply.TryUnblock(UnblockReason.RoleChange);
    }
}
