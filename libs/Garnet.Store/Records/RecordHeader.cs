// The layout of a record: one header word, then optional expiry, key, value, slack. Pure functions of a header's value.
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Garnet.Store.Log;
using Garnet.Store.Memory;
using Garnet.Store.Tiering;

namespace Garnet.Store.Records;

/// <summary>
/// The header's bits: 0-3 form (0-7 the type; 8 and 9 strings with a history); 4-7 flags; 8-15 checkpoint version; 16-23 access byte (byte
/// 2 of the record, written on its own); 24-31 physical database; 32-43 allocated size in units of eight bytes; 44-51 key length (255: a
/// 4-byte length precedes the key; with <see cref="BlockKey"/>: 8); 52-63 slack bytes at the end. Then: expiry in Unix milliseconds (8
/// bytes, if flagged), key length (4 bytes, for long keys), key (or the pointer to its block), value (or the pointer to its block), slack.
/// A sliding expiry has the highest bit of the expiry word set; the last <see cref="SlidingBytes"/> of the slack then hold the sliding time
/// and its limit, so that no other field moves.
/// </summary>
internal static unsafe class RecordHeader
{
    /// <summary>
    /// The form of a string that was changed in place: Valkey then keeps it raw until it is set again, and OBJECT ENCODING reports that.
    /// </summary>
    public const ulong Edited = 8;

    /// <summary>The form of a string that is the result of a computation: Valkey keeps it as text even if it reads as an integer.</summary>
    public const ulong Computed = 9;

    public const ulong FormMask = 15;

    public const ulong Expiry = 1 << 4;
    public const ulong BlockValue = 1 << 5;
    public const ulong BlockKey = 1 << 6;
    public const ulong Dead = 1 << 7;
    public const ulong FlagMask = 0xF0;
    public const int MaxUnits = 4095;
    public const int MaxSlack = 4095;
    public const int LongKey = 255;

    /// <summary>Longer keys are stored in blocks.</summary>
    public const int MaxInlineKey = 7 * 1024;

    public const int AccessOffset = 2;

    /// <summary>Bytes that a sliding expiry takes at the end of a record.</summary>
    public const int SlidingBytes = 16;

    private const long SlidingMark = 1L << 63;

    /// <summary>The header of a dead record or of unused space.</summary>
    public static ulong Filler(int units) => Dead | ((ulong)units << 32);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Build(ulong form, ulong flags, byte version, byte access, int physical, int units, int keyField, int slack)
    {
        Debug.Assert(
            (uint)units <= MaxUnits && (uint)keyField <= LongKey && (uint)slack <= MaxSlack,
            "A field of the record header overflows."
        );
        return form
            | flags
            | ((ulong)version << 8)
            | ((ulong)access << 16)
            | ((ulong)(uint)physical << 24)
            | ((ulong)(uint)units << 32)
            | ((ulong)(uint)keyField << 44)
            | ((ulong)(uint)slack << 52);
    }

    /// <summary>
    /// Maximum spare capacity that a record may request in addition to its bytes in use: an allocation may be up to a sixteenth larger than
    /// requested (<see cref="RecordLog.Allocate"/>), and the slack must still fit into its header field.
    /// </summary>
    public static int MaxSpare(int used) => MaxSlack - (4 * SlidingBytes) - ((used + MaxSlack) >> 4);

    // Branchless: a string's history bit clears the others, which leaves the type string.
    public static RecordType Type(ulong header) => (RecordType)(header & 7 & (((header >> 3) & 1) - 1));

    public static byte Version(ulong header) => (byte)(header >> 8);

    public static ulong WithVersion(ulong header, byte version) => (header & ~0xFF00UL) | ((ulong)version << 8);

    public static byte Access(ulong header) => (byte)(header >> 16);

    public static int Physical(ulong header) => (byte)(header >> 24);

    public static int Units(ulong header) => (int)(header >> 32) & 0xFFF;

    public static int KeyField(ulong header) => (byte)(header >> 44);

    public static int Slack(ulong header) => (int)(header >> 52);

    public static ulong WithSlack(ulong header, int slack) => (header & 0x000F_FFFF_FFFF_FFFF) | ((ulong)(uint)slack << 52);

    /// <summary>Offset of the key (or of the pointer to it).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int KeyOffset(ulong header) => 8 + ((header & Expiry) != 0 ? 8 : 0) + (KeyField(header) == LongKey ? 4 : 0);

    /// <summary>
    /// Size of the key (or of the pointer to it). May be wrong, though within the record, when the record is changed concurrently.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int KeyBytes(byte* record, ulong header)
    {
        int length = KeyField(header);
        if (length != LongKey)
            return length;

        int offset = KeyOffset(header);
        int most = (Units(header) * 8) - offset;
        return (int)Math.Min(*(uint*)(record + offset - 4), (uint)most);
    }

    /// <summary>Offset of the value (or of the pointer to its block).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ValueOffset(byte* record, ulong header) => KeyOffset(header) + KeyBytes(record, header);

    /// <summary>The inline value, clamped to the record.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Span<byte> InlineValue(byte* record, ulong header)
    {
        int offset = ValueOffset(record, header);
        return new Span<byte>(record + offset, Math.Max(0, (Units(header) * 8) - offset - Slack(header)));
    }

    /// <summary>Unix milliseconds of expiry, -1 for none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long ExpiresAt(byte* record, ulong header) => (header & Expiry) != 0 ? *(long*)(record + 8) & ~SlidingMark : -1;

    /// <summary>Bytes of the slack that hold a sliding expiry; 0 when the record has none.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int SlidingBytesOf(byte* record, ulong header) => (header & Expiry) != 0 && *(long*)(record + 8) < 0 ? SlidingBytes : 0;

    /// <summary>The sliding expiry; <c>default</c> when there is none.</summary>
    public static SlidingExpiry Sliding(byte* record, ulong header)
    {
        if (SlidingBytesOf(record, header) == 0)
            return default;

        long* place = (long*)(record + (Units(header) * 8) - SlidingBytes);
        return new SlidingExpiry(place[0], place[1]);
    }

    /// <summary>Writes the expiry of a record that has space for it, including its sliding part.</summary>
    public static void WriteExpiry(byte* record, int units, long expiresAtMs, in SlidingExpiry sliding)
    {
        *(long*)(record + 8) = expiresAtMs | (sliding.Slides ? SlidingMark : 0);
        if (sliding.Slides)
        {
            long* place = (long*)(record + (units * 8) - SlidingBytes);
            place[0] = sliding.Milliseconds;
            place[1] = sliding.LimitMs;
        }
    }

    /// <summary>Writes the key, with its length if the header cannot hold it; or the pointer to its block.</summary>
    public static void WriteKey(byte* record, int keyOffset, int keyField, nint keyBlock, ReadOnlySpan<byte> key)
    {
        if (keyBlock != 0)
        {
            Unsafe.WriteUnaligned(record + keyOffset, keyBlock);
            return;
        }

        if (keyField == LongKey)
            Unsafe.WriteUnaligned(record + keyOffset - 4, key.Length);

        key.CopyTo(new Span<byte>(record + keyOffset, key.Length));
    }

    /// <summary>The block of the value, or a <see cref="ColdLocator"/>; only under the bucket's latch, or verified before use.</summary>
    public static BlockHeader* ValueBlockOf(byte* record, ulong header) =>
        (BlockHeader*)Unsafe.ReadUnaligned<nint>(record + ValueOffset(record, header));

    /// <summary>The block of the key; only under the bucket's latch.</summary>
    public static BlockHeader* KeyBlockOf(byte* record, ulong header) =>
        (BlockHeader*)Unsafe.ReadUnaligned<nint>(record + KeyOffset(header));

    /// <summary>The key; only under the bucket's latch.</summary>
    public static ReadOnlySpan<byte> Key(byte* record, ulong header)
    {
        if ((header & BlockKey) == 0)
            return new ReadOnlySpan<byte>(record + KeyOffset(header), KeyBytes(record, header));

        BlockHeader* block = KeyBlockOf(record, header);
        return new ReadOnlySpan<byte>(block->Data, block->Length);
    }

    /// <summary>The value, inline or in its block; only under the bucket's latch.</summary>
    public static Span<byte> Value(byte* record, ulong header)
    {
        if ((header & BlockValue) == 0)
            return InlineValue(record, header);

        BlockHeader* block = ValueBlockOf(record, header);
        if (ColdLocator.IsLocator((long)block))
            ThrowCold();

        return new Span<byte>(block->Data, block->Length);
    }

    [DoesNotReturn]
    private static void ThrowCold() => throw new ColdValueException("nothing has read it for this command");

    /// <summary>
    /// The header bits (database, liveness and key length) of records that may have a key; compare under <see cref="ShapeMask"/>. Keys in
    /// blocks match no shape and need <see cref="Key"/>.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ShapeOf(int physical, int keyLength) =>
        ((ulong)(uint)physical << 24) | ((ulong)Math.Min((uint)keyLength, LongKey) << 44);

    public const ulong ShapeMask = Dead | BlockKey | (0xFFUL << 24) | (0xFFUL << 44);

    /// <summary>True when a record whose shape matched has the key. Reads only within the record, whatever happens concurrently.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool KeyEquals(byte* record, ulong header, ReadOnlySpan<byte> key) =>
        new ReadOnlySpan<byte>(record + KeyOffset(header), KeyBytes(record, header)).SequenceEqual(key);
}
