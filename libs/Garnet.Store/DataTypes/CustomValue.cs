// The value of a custom type in its record. Lives on the stack, under the key's latch.
using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;

namespace Garnet.Store.DataTypes;

/// <summary>
/// Four zero bytes, where collections have their header (no entries: it points to no tree); eight bytes with the type's ID, little endian;
/// the payload.
/// </summary>
internal ref struct CustomValue(RecordHandle record)
{
    private const int IdAt = 4;

    /// <summary>Bytes of a value before the payload.</summary>
    public const int HeaderBytes = 12;

    private RecordHandle _record = record;

    /// <summary>Whether the key exists.</summary>
    public readonly bool Exists => _record.Exists;

    /// <summary>The payload; invalid after the next change.</summary>
    public readonly ReadOnlySpan<byte> Payload => PayloadOf(_record.Value);

    /// <summary>Whether the record's value is of this type.</summary>
    public readonly bool Is(CustomType type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return _record.Type == RecordType.Custom && CustomType.HaveOneName(IdOf(_record.Value), type.Id);
    }

    /// <summary>Creates or replaces the value; keeps the expiry of a key that exists.</summary>
    public void Set(CustomType type, scoped ReadOnlySpan<byte> payload)
    {
        ArgumentNullException.ThrowIfNull(type);
        Set(type, payload, _record.ExpiresAtMs);
    }

    /// <summary>Creates or replaces the value; <paramref name="expiresAtMs"/> replaces the expiry, -1 for none.</summary>
    public void Set(CustomType type, scoped ReadOnlySpan<byte> payload, long expiresAtMs)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(payload.Length, HybridLogStore.MaxStringBytes - HeaderBytes);
        byte[] rented = ArrayPool<byte>.Shared.Rent(HeaderBytes + payload.Length);
        Span<byte> value = rented.AsSpan(0, HeaderBytes + payload.Length);
        value[..IdAt].Clear();
        BinaryPrimitives.WriteUInt64LittleEndian(value[IdAt..], type.Id);
        payload.CopyTo(value[HeaderBytes..]);
        _record.Set(RecordType.Custom, value, expiresAtMs);
        ArrayPool<byte>.Shared.Return(rented);
    }

    /// <summary>Unix milliseconds of expiry; -1 for none.</summary>
    public readonly long ExpiresAtMs => _record.ExpiresAtMs;

    /// <summary>The payload of a value that exists, for changing in place.</summary>
    public Span<byte> Edit() => _record.Mutate()[HeaderBytes..];

    /// <summary>The record.</summary>
    [UnscopedRef]
    public ref RecordHandle Record => ref _record;

    internal static ulong IdOf(scoped ReadOnlySpan<byte> value) => BinaryPrimitives.ReadUInt64LittleEndian(value[IdAt..]);

    /// <summary>The payload in a record's value.</summary>
    public static ReadOnlySpan<byte> PayloadOf(ReadOnlySpan<byte> value) => value[HeaderBytes..];
}
