// A latched stream. Lives on the stack of one call.
using Garnet.Commands.Streams;
using Garnet.Modules.Running;
using Garnet.Store.Collections.Streams;

namespace Garnet.Modules;

/// <summary>
/// A key that holds a stream or does not exist, latched until the command ends. The key is created with its first entry, and remains
/// when the last is removed. Writing needs a command with <see cref="CommandFlags.Write"/>.
/// </summary>
public ref struct StreamKey
{
    private const long MaxEntryBytes = 1L << 30;

    private readonly ref byte _context;
    private StreamValue _value;
    private bool _mayAlias; // the module may hold spans of the value, which are not to be passed to the store
    private long _fields;
    private long _bytes;

    internal StreamKey(ref byte context, StreamValue value)
    {
        _context = ref context;
        _value = value;
    }

    /// <summary>Whether the key exists.</summary>
    public readonly bool Exists => _value.Exists;

    /// <summary>The number of entries.</summary>
    public readonly long Length => _value.Length;

    /// <summary>Unix time in milliseconds at which the key expires; -1 when it does not.</summary>
    public long ExpiresAtMs => _value.Record.ExpiresAtMs;

    /// <summary>The greatest ID that was ever added; 0-0 when there is none.</summary>
    public readonly StreamEntryId LastId => StreamEntryId.Of(_value.View.LastId);

    /// <summary>The ID that an entry added now would get from XADD with <c>*</c>.</summary>
    /// <param name="nowMs">The time, <see cref="ModuleContext.NowMs"/>.</param>
    public readonly StreamEntryId NextId(long nowMs) =>
        (ulong)nowMs > LastId.Milliseconds ? new StreamEntryId((ulong)nowMs, 0) : StreamEntryId.Of(StreamIdText.Next(_value.View.LastId));

    /// <summary>
    /// Adds a field to a new entry, which <see cref="EndEntry"/> completes. Nothing else may be done with the key in between.
    /// </summary>
    /// <exception cref="ArgumentException">The entry is longer than a gigabyte.</exception>
    /// <exception cref="InvalidOperationException">The command does not have the flag Write; as for every change.</exception>
    public void AddField(scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> value)
    {
        KeyRules.CheckWrite(ref _context);
        if (_bytes + name.Length + value.Length > MaxEntryBytes)
            throw new ArgumentException("The entry is too long.");
        if (_fields++ == 0)
            _value.BeginEntry();
        _bytes += name.Length + value.Length;
        _value.AddField(KeyRules.Argument(name, _mayAlias), KeyRules.Argument(value, _mayAlias));
    }

    /// <summary>Adds the entry whose fields were added.</summary>
    /// <param name="id">Its ID, above <see cref="LastId"/>.</param>
    /// <exception cref="ArgumentOutOfRangeException">The ID is not above the last one.</exception>
    /// <exception cref="InvalidOperationException">The entry has no field.</exception>
    public void EndEntry(StreamEntryId id)
    {
        KeyRules.CheckWrite(ref _context);
        if (_fields == 0)
            throw new InvalidOperationException("The entry has no field.");
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(id, LastId);
        (_fields, _bytes) = (0, 0);
        _value.EndEntry(id.Inner);
    }

    /// <summary>Removes an entry; false when there is none.</summary>
    public bool Remove(StreamEntryId id)
    {
        KeyRules.CheckWrite(ref _context);
        return Exists && _value.Delete(id.Inner);
    }

    /// <summary>Removes the oldest entries until no more than a number are left. Returns how many were removed.</summary>
    public long TrimToLength(long length)
    {
        KeyRules.CheckWrite(ref _context);
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        return Exists ? _value.TrimToLength(length, isApproximate: false) : 0;
    }

    /// <summary>The entries from one ID to another, both included. The stream must not be changed meanwhile.</summary>
    /// <param name="start">The lowest ID.</param>
    /// <param name="end">The greatest ID.</param>
    /// <param name="isReverse">Whether the greatest ID is the first.</param>
    public StreamEntries Range(StreamEntryId start, StreamEntryId end, bool isReverse = false)
    {
        _mayAlias = true;
        return Exists ? new StreamEntries(_value.View.Range(start.Inner, end.Inner, isReverse)) : new StreamEntries(isEmpty: true);
    }

    /// <summary>All entries, for <c>foreach</c>.</summary>
    public StreamEntries GetEnumerator() => Range(default, StreamEntryId.Max);

    /// <summary>Sets the expiry of the key, if it exists.</summary>
    /// <param name="expiresAtMs">Unix time in milliseconds; -1 for never.</param>
    public void SetExpiry(long expiresAtMs) => KeyRules.SetExpiry(ref _context, ref _value.Record, expiresAtMs);

    /// <summary>Deletes the key; false when it does not exist.</summary>
    public bool Delete() => KeyRules.Delete(ref _context, ref _value.Record);
}
