// Values of types that are not known, kept as the bytes in which they came. Immutable but for the number of its keys; any thread.
using System.Buffers.Binary;

namespace Garnet.Store.DataTypes;

/// <summary>
/// The type of all values whose own type no one has added. The payload is the ID of that type, eight bytes, little endian, and the items
/// of the saved value with their end tag, as they are in RDB data.
/// </summary>
internal sealed class KeptType : CustomType
{
    private const string ReservedName = "-missing-";
    private const int IdBytes = sizeof(ulong);

    /// <summary>The longest items that can be kept.</summary>
    public const int MaxItemBytes = HybridLogStore.MaxStringBytes - CustomValue.HeaderBytes - IdBytes;

    public KeptType()
        : base(ReservedName) { }

    /// <summary>The payload for a value.</summary>
    public static byte[] PayloadOf(ulong typeId, ReadOnlySpan<byte> items)
    {
        byte[] payload = GC.AllocateUninitializedArray<byte>(IdBytes + items.Length);
        BinaryPrimitives.WriteUInt64LittleEndian(payload, typeId);
        items.CopyTo(payload.AsSpan(IdBytes));
        return payload;
    }

    /// <summary>The ID of the value's own type.</summary>
    public static ulong TypeIdOf(ReadOnlySpan<byte> payload) => BinaryPrimitives.ReadUInt64LittleEndian(payload);

    /// <summary>The items of the saved value, with their end tag.</summary>
    public static ReadOnlySpan<byte> ItemsOf(ReadOnlySpan<byte> payload) => payload[IdBytes..];
}
