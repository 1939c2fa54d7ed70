// Notifies the clients of prefixes of the keys that a thread's commands have changed. One for each batch context; used by its thread.
using System.Runtime.InteropServices;
using Garnet.Server.Sessions;

namespace Garnet.Server.Tracking;

/// <summary>
/// Each changed key is kept once, however many prefixes match it. When the batch is over the keys are put in order, in which those of a
/// prefix are neighbours, and prefixes that match the same keys share one message: the work grows with the keys and with the bytes sent,
/// not with their product.
/// </summary>
internal sealed class PrefixBroadcast
{
    private readonly List<ChangedKey> _changes = [];
    private readonly List<ChangedKey> _keys = [];
    private readonly HashSet<TrackedPrefix> _found = [];
    private readonly List<TrackedPrefix> _prefixes = [];
    private readonly List<byte[]> _named = [];
    private byte[]? _shared;
    private (int First, int End) _sharedKeys;

    /// <summary>Whether nothing is to be sent.</summary>
    public bool IsEmpty => _changes.Count == 0;

    /// <summary>Adds a key that some prefix matches.</summary>
    public void Add(byte[] key, ClientSession? by) => _changes.Add(new ChangedKey(key, by, _changes.Count));

    /// <summary>Sends one message for each prefix, in their order, with its keys in order.</summary>
    public void Send(PrefixTable table)
    {
        _changes.Sort();
        for (int i = 0; i < _changes.Count; i++)
        {
            // Each key once, as changed last.
            if (i + 1 == _changes.Count || !_changes[i].Key.AsSpan().SequenceEqual(_changes[i + 1].Key))
                _keys.Add(_changes[i]);
        }

        FindPrefixes(table);
        foreach (TrackedPrefix prefix in _prefixes)
            Send(prefix);
        _changes.Clear();
        _keys.Clear();
        _prefixes.Clear();
        _shared = null;
    }

    // By the prefixes or by the keys, whichever are fewer.
    private void FindPrefixes(PrefixTable table)
    {
        if (table.Count <= (long)_keys.Count * table.Lengths.Length)
        {
            table.CopyTo(_prefixes);
        }
        else
        {
            foreach (ChangedKey changed in _keys)
                table.FindAll(changed.Key, _found);
            _prefixes.AddRange(_found);
            _found.Clear();
        }

        _prefixes.Sort(static (x, y) => PrefixTable.Order.Compare(x.Bytes, y.Bytes));
    }

    private void Send(TrackedPrefix prefix)
    {
        (int First, int End) range = (FirstNotBelow(prefix.Bytes, 0, isPast: false), 0);
        range.End = FirstNotBelow(prefix.Bytes, range.First, isPast: true);
        if (range.First == range.End)
            return;
        foreach (ClientSession client in prefix.Clients)
        {
            bool isNoLoop = ((client.Tracking?.Modes ?? default) & TrackingModes.NoLoop) != 0;
            if ((isNoLoop ? MessageOf(range, client) : Shared(range)) is { } message)
                InvalidationSender.Send(client, message);
        }
    }

    private byte[] Shared((int First, int End) range)
    {
        if (_shared is null || _sharedKeys != range)
            (_shared, _sharedKeys) = (MessageOf(range, null)!, range);
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

    // Without the keys that a client has changed last. Null when no key is left.
    private byte[]? MessageOf((int First, int End) range, ClientSession? without)
    {
        _named.Clear();
        for (int i = range.First; i < range.End; i++)
        {
            if (without is null || _keys[i].By != without)
                _named.Add(_keys[i].Key);
        }

        return _named.Count == 0 ? null : InvalidationMessage.OfKeys(CollectionsMarshal.AsSpan(_named));
    }
}
