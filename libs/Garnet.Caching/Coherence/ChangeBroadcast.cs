// Removes and sets entries so that every instance has dropped what it kept of them. Thread-safe.
using System.Collections.Concurrent;
using System.Text;
using Garnet.Caching.Links;
using Garnet.Client;

namespace Garnet.Caching.Coherence;

/// <summary>
/// A change is one script on the server. It is over when each member has acknowledged it, or one lease after the script's reply: by then
/// the lease of a member that has not renewed since is over, and one that has renewed has applied the change.
/// </summary>
/// <param name="link">For the change; a link of its own when it waits for replicas, since WAIT holds up a connection.</param>
/// <param name="membership">This instance's own.</param>
/// <param name="names">Keys and channels.</param>
/// <param name="instance">This instance.</param>
/// <param name="lease">How long a member's lease lasts at most.</param>
/// <param name="replicas">How many replicas must have a change, and how long that may take.</param>
/// <param name="time">The clock.</param>
internal sealed class ChangeBroadcast(
    ICacheLink link,
    CacheMembership membership,
    CacheNames names,
    Guid instance,
    TimeSpan lease,
    ReplicaWait replicas,
    TimeProvider time
)
{
    private readonly ConcurrentDictionary<long, PendingChange> _pending = new();
    private long _changes;

    /// <summary>Removes tags and keys, and sets entries.</summary>
    /// <exception cref="TimeoutException">The server did not answer, or too few replicas have the change.</exception>
    /// <exception cref="RespConnectionException">It is not known whether the change was made.</exception>
    public async Task ChangeAsync(string[] tags, string[] removed, EntryWrite[] set, CancellationToken cancellationToken)
    {
        CacheChange change = new(
            instance,
            Interlocked.Increment(ref _changes),
            tags,
            [.. removed, .. set.Select(static entry => entry.Key)]
        );
        PendingChange pending = new();
        _pending[change.Id] = pending;
        try
        {
            CacheSession? session = membership.Session;
            int losses = link.Losses;
            RespValue reply = await CoherenceScripts
                .Change.CallAsync(link, Keys(change), Values(change, removed.Length, set), cancellationToken)
                .ConfigureAwait(false);
            long repliedAt = time.GetTimestamp();
            await replicas.WaitAsync(link, losses, cancellationToken).ConfigureAwait(false);
            Dictionary<string, string> members = MembersOf(reply);
            bool areAllKnown = session is not null && members.ContainsKey(session.Member) && time.GetElapsedTime(session.BeganAt) >= lease;
            pending.Expect(members.Keys);
            Task over = areAllKnown ? pending.Complete : Task.Delay(Timeout.InfiniteTimeSpan, time, cancellationToken);
            await WaitAsync(over, repliedAt, cancellationToken).ConfigureAwait(false);
            await MarkAsync(pending.Missing, members).ConfigureAwait(false);
        }
        finally
        {
            _pending.TryRemove(change.Id, out _);
        }
    }

    /// <summary>An acknowledgement has come: the number of a change, and a member.</summary>
    public void OnAcknowledged(ReadOnlySpan<byte> message)
    {
        if (message.Length > 8 && _pending.TryGetValue(BitConverter.ToInt64(message), out PendingChange? pending))
            pending.Acknowledge(Encoding.ASCII.GetString(message[8..]));
    }

    private ReadOnlyMemory<byte>[] Keys(CacheChange change)
    {
        List<ReadOnlyMemory<byte>> keys = [names.Members];
        foreach (string tag in change.Tags)
            keys.Add(names.Tag(tag));
        foreach (string key in change.Keys)
            keys.AddRange([names.Entry(key), names.Load(key), names.Waiting(key), names.Limit(key)]);
        return [.. keys];
    }

    private ReadOnlyMemory<byte>[] Values(CacheChange change, int removed, EntryWrite[] set)
    {
        List<ReadOnlyMemory<byte>> values =
        [
            Encoding.UTF8.GetBytes(names.Changes),
            change.Encode(),
            CacheMembership.FirstNumber(),
            CacheText.Number(change.Tags.Length),
            CacheMembership.TokenLife,
            CacheText.Number(removed),
            Encoding.UTF8.GetBytes(names.InstancePrefix),
        ];
        foreach (string _ in change.Tags)
            values.Add(Guid.NewGuid().ToByteArray());
        foreach (EntryWrite entry in set)
        {
            byte[] told = CacheText.Key([CacheMembership.Loaded], entry.Key);
            values.AddRange([entry.Bytes, CacheText.Number(entry.LivesMs), CacheText.Number(entry.LimitMs), told]);
        }

        return [.. values];
    }

    private async Task WaitAsync(Task over, long repliedAt, CancellationToken cancellationToken)
    {
        TimeSpan left = lease - time.GetElapsedTime(repliedAt);
        if (left <= TimeSpan.Zero)
            return;
        try
        {
            await over.WaitAsync(left, time, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // All leases that began before the change are over.
        }
    }

    // Deleting a member at once would be wrong: it may have renewed after the change and be late with its acknowledgement alone. A mark
    // ends its session at the next renewal, so one that was found marked, and waited for, has no lease any more.
    private async Task MarkAsync(string[] missing, Dictionary<string, string> members)
    {
        if (missing.Length == 0)
            return;
        ILookup<bool, string> wereMarked = missing.ToLookup(member => members[member] == CoherenceScripts.Marked);
        string[] marked = [.. wereMarked[false]];
        ReadOnlyMemory<byte>[] values = [CacheText.Number(marked.Length), .. marked.Concat(wereMarked[true]).Select(Ascii)];
        try
        {
            await CoherenceScripts.Mark.CallAsync(link, [names.Members], values).ConfigureAwait(false);
        }
        catch (Exception e) when (CacheMembership.IsLoss(e))
        {
            // The next change waits for them as well, and tries again.
        }
    }

    private static ReadOnlyMemory<byte> Ascii(string text) => Encoding.ASCII.GetBytes(text);

    // RESP3 could answer a map, and its children are names and values in turn as well.
    private static Dictionary<string, string> MembersOf(RespValue reply)
    {
        Dictionary<string, string> members = new(StringComparer.Ordinal);
        for (int i = 0; i + 1 < reply.Children.Count; i += 2)
        {
            if (reply[i].AsString() is { } name && name != CoherenceScripts.Sequence)
                members[name] = reply[i + 1].AsString() ?? "";
        }

        return members;
    }
}
