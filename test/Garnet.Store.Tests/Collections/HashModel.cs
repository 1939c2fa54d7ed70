// A reference model of a hash: a list of fields in order of insertion. For tests.
using Garnet.Store.Collections.Hashes;

namespace Garnet.Store.Tests.Collections;

/// <summary>The simplest hash with field expiries.</summary>
internal sealed class HashModel
{
    private readonly Dictionary<byte[], Entry> _byField = new(ByteArrayComparer.Instance);

    public List<Entry> Entries { get; } = [];

    /// <summary>Whether Valkey would report a hashtable.</summary>
    public bool IsLarge { get; private set; }

    public static bool IsExpired(Entry entry, long nowMs) => entry.ExpiresAtMs >= 0 && nowMs > entry.ExpiresAtMs;

    public Entry? Find(byte[] field, long nowMs) =>
        _byField.TryGetValue(field, out Entry? entry) && !IsExpired(entry, nowMs) ? entry : null;

    public bool Set(byte[] field, byte[] value, long expiresAtMs, long nowMs)
    {
        bool isVisible = Find(field, nowMs) is not null;
        if (!_byField.TryGetValue(field, out Entry? entry))
        {
            entry = new Entry(field);
            Entries.Add(entry);
            _byField[field] = entry;
        }

        entry.Value = value;
        entry.ExpiresAtMs =
            expiresAtMs != HashValue.KeepExpiry ? expiresAtMs
            : isVisible ? entry.ExpiresAtMs
            : -1;
        IsLarge |= field.Length > 64 || value.Length > 64 || Entries.Count > 512 || expiresAtMs >= 0;
        return !isVisible;
    }

    public bool SetExpiry(byte[] field, long expiresAtMs, long nowMs)
    {
        Entry? entry = Find(field, nowMs);
        if (entry is null)
            return false;

        entry.ExpiresAtMs = expiresAtMs;
        IsLarge |= expiresAtMs >= 0;
        return true;
    }

    public bool Remove(byte[] field, long nowMs)
    {
        if (!_byField.Remove(field, out Entry? entry))
            return false;

        Entries.Remove(entry);
        IsLarge &= Entries.Count > 0;
        return !IsExpired(entry, nowMs);
    }

    public List<byte[]> RemoveExpired(long nowMs)
    {
        var expired = Entries.Where(each => IsExpired(each, nowMs)).Select(each => each.Field).ToList();
        expired.ForEach(field => Remove(field, nowMs));
        return expired;
    }

    /// <summary>The number of fields that expire, and when the first of them does; the greatest number for none.</summary>
    public (int Count, long EarliestMs) Expiries()
    {
        int count = 0;
        long earliestMs = long.MaxValue;
        foreach (Entry entry in Entries)
        {
            if (entry.ExpiresAtMs < 0)
                continue;
            count++;
            earliestMs = Math.Min(earliestMs, entry.ExpiresAtMs);
        }

        return (count, earliestMs);
    }

    internal sealed record Entry(byte[] Field)
    {
        public byte[] Value { get; set; } = [];

        public long ExpiresAtMs { get; set; } = -1;
    }
}
