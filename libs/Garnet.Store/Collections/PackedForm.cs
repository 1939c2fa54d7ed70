// The header of every collection's value: form of the data, reported encoding, number of elements. Pure functions of the bytes.
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections;

/// <summary>
/// Four bytes: form in the low 8 bits, number of elements (fields, members, ...) in the upper 24. Form: bits 0-1 kind of data, bit 2
/// reported encoding, bit 3 field expiries, bits 4-5 width of integers, bit 6 lists only. A hash with field expiries continues with the
/// number of fields that have one (4 bytes) and a lower bound of the earliest (8 bytes); a list with the size that Valkey's listpack would
/// have (2 bytes) and the node limit in force when it began to report quicklist (2 bytes, signed). Then follow the entries
/// (<see cref="PackedEntries"/>), or integers in ascending order. A large collection has the form and seven zero bytes, then the addresses
/// of its tree and, if it has one, of a second tree.
/// </summary>
internal static class PackedForm
{
    public const int Entries = 0;
    public const int Integers = 1;
    public const int Tree = 2;
    public const int KindMask = 3;

    /// <summary>
    /// The reported encoding is the large one: hashtable, skiplist or quicklist. It stays so until the key is removed (only lists may
    /// return to the small one).
    /// </summary>
    public const int IsLarge = 4;

    /// <summary>Each field of the hash has a third entry, its expiry.</summary>
    public const int HasExpiries = 8;

    /// <summary>Compression was enabled when the list began to report quicklist.</summary>
    public const int IsCompressedList = 64;

    public const int WidthShift = 4;
    public const int HeaderBytes = 4;
    public const int ListHeaderBytes = 8;
    public const int ExpiryHeaderBytes = 16;
    public const int TreeBytes = 24;

    /// <summary>
    /// A collection that reports its large encoding becomes a tree above this size; one that reports its small encoding has to preserve its
    /// order and stays packed.
    /// </summary>
    public const int MaxPackedBytes = 2048;

    public const int MaxCount = (1 << 24) - 1;

    public static int FormOf(ReadOnlySpan<byte> value) => value.IsEmpty ? 0 : value[0];

    public static bool IsTree(ReadOnlySpan<byte> value) => Kind(value) == Tree && value.Length == TreeBytes;

    /// <summary>The address of a collection's tree.</summary>
    public static unsafe TreeHeader* TreeOf(ReadOnlySpan<byte> value) =>
        (TreeHeader*)(nint)BinaryPrimitives.ReadInt64LittleEndian(value[8..]);

    /// <summary>
    /// The address of the second tree: a sorted set's fingerprints, a hash's expiries, a stream's groups; null when there is none.
    /// </summary>
    public static unsafe TreeHeader* SecondTreeOf(ReadOnlySpan<byte> value) =>
        (TreeHeader*)(nint)BinaryPrimitives.ReadInt64LittleEndian(value[16..]);

    public static unsafe void WriteTrees(Span<byte> value, int form, TreeHeader* tree, TreeHeader* second)
    {
        BinaryPrimitives.WriteInt64LittleEndian(value, form & ~KindMask | Tree);
        BinaryPrimitives.WriteInt64LittleEndian(value[8..], (nint)tree);
        BinaryPrimitives.WriteInt64LittleEndian(value[16..], (nint)second);
    }

    public static int Kind(ReadOnlySpan<byte> value) => FormOf(value) & KindMask;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Count(ReadOnlySpan<byte> value) =>
        value.Length < HeaderBytes ? 0 : (int)(BinaryPrimitives.ReadUInt32LittleEndian(value) >> 8);

    public static void Write(Span<byte> value, int form, int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, MaxCount);
        BinaryPrimitives.WriteUInt32LittleEndian(value, (uint)form | ((uint)count << 8));
    }

    public static void SetCount(Span<byte> value, int count) => Write(value, value[0], count);

    /// <summary>Offset of the first entry of a hash.</summary>
    public static int HashStart(ReadOnlySpan<byte> value) => (FormOf(value) & HasExpiries) != 0 ? ExpiryHeaderBytes : HeaderBytes;

    public static int ExpiringFields(ReadOnlySpan<byte> value) => BinaryPrimitives.ReadInt32LittleEndian(value[4..]);

    public static long EarliestExpiry(ReadOnlySpan<byte> value) => BinaryPrimitives.ReadInt64LittleEndian(value[8..]);

    public static void WriteExpiries(Span<byte> value, int expiringFields, long earliestMs)
    {
        BinaryPrimitives.WriteInt32LittleEndian(value[4..], expiringFields);
        BinaryPrimitives.WriteInt64LittleEndian(value[8..], earliestMs);
    }

    public static long ListBytes(ReadOnlySpan<byte> value) => BinaryPrimitives.ReadUInt16LittleEndian(value[4..]);

    public static void SetListBytes(Span<byte> value, long bytes) =>
        BinaryPrimitives.WriteUInt16LittleEndian(value[4..], checked((ushort)bytes));

    public static short ListSetting(ReadOnlySpan<byte> value) => BinaryPrimitives.ReadInt16LittleEndian(value[6..]);

    public static void SetListSetting(Span<byte> value, short setting) => BinaryPrimitives.WriteInt16LittleEndian(value[6..], setting);
}
