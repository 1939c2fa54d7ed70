// Notifies the clients of prefixes of the keys that a thread's commands have changed. One for each thread, which uses it.
using System.Runtime.InteropServices;
using Garnet.Engine.Execution;

namespace Garnet.Server.Tracking;

/// <summary>
/// Each changed key is kept once, however many prefixes match it; a prefix is known from the first change that it matches on, for it may
/// have been added in the middle. When the batch is over the keys are put in order, in which those of a prefix are neighbours, and prefixes
/// that match the same keys share one message: the work grows with the keys and with the bytes sent, not with their product.
/// </summary>
internal sealed class PrefixBroadcast
{
    private const int KeptPrefixes = 1024;

    private readonly List<ChangedKey> _changes = [];
    private readonly List<ChangedKey> _keys = [];
    private readonly Dictionary<TrackedPrefix, int> _firsts = []; // the place of the first change that a prefix matches
    private readonly List<KeyValuePair<TrackedPrefix, int>> _prefixes = [];
    private readonly List<byte[]> _named = [];
    private byte[]? _shared;
    private (int First, int End) _sharedKeys;

    /// <summary>Whether nothing is to be sent.</summary>
    public bool IsEmpty => _changes.Count == 0;

    /// <summary>Adds a key that was changed, if there are prefixes that match it.</summary>
    /// <returns>Whether there are.</returns>
    public bool Add(PrefixTable table, ReadOnlySpan<byte> key, ClientSession? by)
    {
        bool isMatched = false;
        foreach (int length in table.Lengths)
        {
            if (length > key.Length)
                break;
            if (table.TryFind(key[..length], out TrackedPrefix? prefix))
            {
                isMatched = true;
                _firsts.TryAdd(prefix, _changes.Count);
            }
        }

        if (isMatched)
            _changes.Add(new ChangedKey(key.ToArray(), by, _changes.Count));
        return isMatched;
    }

    /// <summary>Sends one message for each prefix, in their order, with its keys in order.</summary>
    public void Send()
    {
        _changes.Sort();
        for (int i = 0; i < _changes.Count; i++)
        {
            // Each key once, as changed last.
            if (i + 1 == _changes.Count || !_changes[i].Key.AsSpan().SequenceEqual(_changes[i + 1].Key))
                _keys.Add(_changes[i]);
        }

        _prefixes.AddRange(_firsts);
        _prefixes.Sort(static (x, y) => PrefixTable.Order.Compare(x.Key.Bytes, y.Key.Bytes));
        foreach ((TrackedPrefix prefix, int first) in _prefixes)
            Send(prefix, first);
        _changes.Clear();
        _keys.Clear();
        _firsts.Clear();
        // Clearing takes as long as the most prefixes that a batch has ever matched.
        if (_prefixes.Count > KeptPrefixes)
            _firsts.TrimExcess();
        _prefixes.Clear();
        _shared = null;
    }

    // A prefix that was added meanwhile is told of the changes since then.
    private void Send(TrackedPrefix prefix, int since)
    {
        (int First, int End) range = (FirstNotBelow(prefix.Bytes, 0, isPast: false), 0);
        range.End = FirstNotBelow(prefix.Bytes, range.First, isPast: true);
        bool hasAll = since == 0 || IsSince(range, since);
        foreach (ClientSession client in prefix.Clients)
        {
            bool isNoLoop = ((client.Tracking?.Modes ?? default) & TrackingModes.NoLoop) != 0;
            ClientSession? without = isNoLoop ? client : null;
            if ((hasAll && without is null ? Shared(range) : MessageOf(range, since, without)) is { } message)
                InvalidationSender.Send(client, message);
        }
    }

    private bool IsSince((int First, int End) range, int since)
    {
        for (int i = range.First; i < range.End; i++)
        {
            if (_keys[i].Order < since)
                return false;
        }

        return true;
    }

    private byte[]? Shared((int First, int End) range)
    {
        if (_shared is null || _sharedKeys != range)
            (_shared, _sharedKeys) = (MessageOf(range, since: 0, without: null), range);
        return _shared;
    }

    // The first key that is not before the keys with a prefix, or not before their end.
    private int FirstNotBelow(ReadOnlySpan<byte> prefix, int from, bool isPast)
    {
        int low = from;
        int high = _keys.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            ReadOnlySpan<byte> key = _keys[middle].Key;
            int order = key[..Math.Min(key.Length, prefix.Length)].SequenceCompareTo(prefix);
            if (order < 0 || (isPast && order == 0))
                low = middle + 1;
            else
                high = middle;
        }

        return low;
    }

    // Keys that were changed since a place, without those that a client has changed last. Null when no key is left.
    private byte[]? MessageOf((int First, int End) range, int since, ClientSession? without)
    {
        _named.Clear();
        for (int i = range.First; i < range.End; i++)
        {
            if (_keys[i].Order >= since && (without is null || _keys[i].By != without))
                _named.Add(_keys[i].Key);
        }

        return _named.Count == 0 ? null : InvalidationMessage.OfKeys(CollectionsMarshal.AsSpan(_named));
    }
}
