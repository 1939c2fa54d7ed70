// Whether replies must not be sent yet. Runs on the thread that serves the client.
using System.Diagnostics.CodeAnalysis;
using Garnet.Engine.Execution;
using Garnet.Persistence.AppendLog;

namespace Garnet.Server.Persistence;

/// <summary>The condition on which replies are sent, whatever the transport: with appendfsync always, that the log is durable.</summary>
internal static class ReplyHold
{
    /// <summary>
    /// Replies wait for everything appended to the log so far, because a reader may have seen any of it. After a disk failure nothing will
    /// become durable; then clients that have changed something get no reply, and the others continue.
    /// </summary>
    /// <param name="client">The client whose replies are about to be sent.</param>
    /// <param name="appendOnly">The server's log.</param>
    /// <param name="log">The log to wait for.</param>
    public static bool IsDue(ClientSession client, AppendOnly appendOnly, [NotNullWhen(true)] out AppendOnlyLog? log)
    {
        log = appendOnly.ReplyGate;
        long changes = client.Store.Changes.Count;
        ref long settled = ref client.Propagation.SettledChanges;
        bool isDue = log is not null && !log.IsDurable && (!log.IsFailed || changes != settled);
        settled = changes;
        return isDue;
    }
}
