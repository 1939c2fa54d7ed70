// What ACL LOG shows. Any thread, under its lock.
using System.Text;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Server.Configuration;

namespace Garnet.Server.Acl;

/// <summary>The latest denied calls and logins, bounded by acllog-max-len; one that repeats is counted instead of added.</summary>
internal sealed class DenialLog(ServerConfiguration configuration, TimeProvider time, Func<ClientSession, string> describe)
{
    // As in Valkey, only the latest entries are looked at for a repetition.
    private const int ComparedEntries = 10;

    private readonly Lock _gate = new();
    private readonly LinkedList<DeniedCall> _calls = [];
    private long _nextId;

    /// <summary>Adds a denied call or login of a client.</summary>
    /// <param name="client">The client.</param>
    /// <param name="reason">Why it was denied.</param>
    /// <param name="denied">The command, key, channel or database.</param>
    /// <param name="userName">The user; for a login the one that was named.</param>
    public void Add(ClientSession client, Denial reason, ReadOnlySpan<byte> denied, string userName)
    {
        int max = configuration.Current.AclLogMaxLength;
        long nowMs = time.GetUtcNow().ToUnixTimeMilliseconds();
        lock (_gate)
        {
            if (max > 0)
            {
                Add(
                    new DeniedCall
                    {
                        Id = _nextId,
                        Reason = reason,
                        Context = ContextOf(client),
                        Object = Encoding.Latin1.GetString(denied),
                        UserName = userName,
                        CreatedMs = nowMs,
                        UpdatedMs = nowMs,
                        Client = describe(client),
                    }
                );
            }

            while (_calls.Count > max)
                _calls.RemoveLast();
        }
    }

    /// <summary>The latest entries, the last one first.</summary>
    public DeniedCall[] Latest(int count)
    {
        lock (_gate)
            return [.. _calls.Take(count)];
    }

    /// <summary>Removes all entries.</summary>
    public void Clear()
    {
        lock (_gate)
            _calls.Clear();
    }

    private static DenialContext ContextOf(ClientSession client) =>
        client.Transactions.Script is not null ? DenialContext.Script
        : client.Transactions.Open is not null || client.Transactions.IsExecuting ? DenialContext.Transaction
        : DenialContext.TopLevel;

    private void Add(DeniedCall call)
    {
        int compared = 0;
        for (
            LinkedListNode<DeniedCall>? known = _calls.First;
            known is not null && compared < ComparedEntries;
            known = known.Next, compared++
        )
        {
            if (!known.Value.IsLike(call))
                continue;
            known.Value.Client = call.Client;
            known.Value.UpdatedMs = call.UpdatedMs;
            known.Value.Count++;
            _calls.Remove(known);
            _calls.AddFirst(known);
            return;
        }

        _nextId++;
        _calls.AddFirst(call);
    }
}
