// A latched key: its record's value, expiry and type, and every change to them. Valid until the session's EndCommand.
namespace Garnet.Store;

/// <summary>
/// The record under a latched key, or the place where it would be. Spans it returned are void after the next call that changes the record.
/// Never copy a handle and use both copies.
/// </summary>
public ref struct RecordHandle
{
    /// <summary>True when a live record exists.</summary>
    public readonly bool Exists => throw new NotImplementedException();

    /// <summary>The record's type; meaningless when absent.</summary>
    public readonly RecordType Type => throw new NotImplementedException();

    /// <summary>The value's bytes; empty when absent.</summary>
    public readonly ReadOnlySpan<byte> Value => throw new NotImplementedException();

    /// <summary>The value's length in bytes.</summary>
    public readonly int Length => throw new NotImplementedException();

    /// <summary>Unix milliseconds of expiry, -1 for none.</summary>
    public readonly long ExpiresAtMs => throw new NotImplementedException();

    /// <summary>The access byte (LRU/LFU state).</summary>
    public readonly byte Access => throw new NotImplementedException();

    /// <summary>Creates or replaces the record with a string value; <paramref name="expiresAtMs"/> replaces the expiry, -1 for none.</summary>
    public void Set(ReadOnlySpan<byte> value, long expiresAtMs = -1) => throw new NotImplementedException();

    /// <summary>Creates or replaces the record with a value of a given type.</summary>
    public void Set(RecordType type, ReadOnlySpan<byte> value, long expiresAtMs) => throw new NotImplementedException();

    /// <summary>Creates or replaces the record with a block made by the caller (a large value received in place); takes over the caller's reference.</summary>
    public void SetBlock(ValueBlock block, long expiresAtMs = -1) => throw new NotImplementedException();

    /// <summary>Makes the value writable with a new length, in place where it fits; keeps the old bytes up to the shorter length, fills growth with zeros, keeps the expiry. Creates a string when absent.</summary>
    public Span<byte> Resize(int length) => throw new NotImplementedException();

    /// <summary>The value's bytes for changing in place, same length.</summary>
    public Span<byte> Mutate() => throw new NotImplementedException();

    /// <summary>Sets or removes (-1) the expiry.</summary>
    public void SetExpiry(long expiresAtMs) => throw new NotImplementedException();

    /// <summary>Writes the access byte without counting as a change of the value.</summary>
    public readonly void SetAccess(byte access) => throw new NotImplementedException();

    /// <summary>Removes the record; true when there was one.</summary>
    public bool Delete() => throw new NotImplementedException();

    /// <summary>A counted reference to the value's block for sending without a copy; false when the value lies inline.</summary>
    public readonly bool TryReferenceBlock(out ValueBlock block) => throw new NotImplementedException();
}
