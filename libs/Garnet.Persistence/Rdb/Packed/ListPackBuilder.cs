// Builds a listpack. Keeps its memory; one thread at a time.
using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Garnet.Persistence.Rdb.Packed;

/// <summary>Appends elements to a listpack, numbers in their compact encodings; see <see cref="ListPack"/> for the layout.</summary>
internal sealed class ListPackBuilder
{
    private const int HeaderBytes = 6;
    private const int MaxFrame = 9 + 5;
    private const int KeptBytes = 64 * 1024;
    private byte[] _bytes = new byte[4096];
    private int _length = HeaderBytes;
    private int _count;

    /// <summary>Starts over.</summary>
    public void Clear()
    {
        _length = HeaderBytes;
        _count = 0;
        if (_bytes.Length > KeptBytes)
            _bytes = new byte[KeptBytes];
    }

    /// <summary>Adds stored elements; returns how many.</summary>
    public int Add(Store.Collections.PackedRun elements)
    {
        int before = _count;
        foreach (Store.Collections.PackedElement element in elements)
            Add(element);
        return _count - before;
    }

    /// <summary>Adds a stored element.</summary>
    public void Add(in Store.Collections.PackedElement element)
    {
        if (element.IsInteger)
            Add(element.Integer);
        else
            Add(element.Span);
    }

    /// <summary>Adds a text, as a number if it represents one.</summary>
    public void Add(ReadOnlySpan<byte> text)
    {
        if (Store.Collections.PackedElement.TryReadInteger(text, out long number))
            Add(number);
        else if (text.Length < 1 << 6)
            AddShort(text);
        else
            AddLong(text);
    }

    // The common text: one byte before and one after it.
    private void AddShort(ReadOnlySpan<byte> text)
    {
        Span<byte> room = Reserve(text.Length)[..(text.Length + 2)];
        room[0] = (byte)(0x80 | text.Length);
        text.CopyTo(room[1..]);
        room[^1] = (byte)(text.Length + 1);
        _length += room.Length;
        _count++;
    }

    private void AddLong(ReadOnlySpan<byte> text)
    {
        Span<byte> room = Reserve(text.Length);
        int header;
        if (text.Length < 1 << 12)
        {
            room[0] = (byte)(0xE0 | (text.Length >> 8));
            room[1] = (byte)text.Length;
            header = 2;
        }
        else
        {
            room[0] = 0xF0;
            BinaryPrimitives.WriteInt32LittleEndian(room[1..], text.Length);
            header = 5;
        }

        text.CopyTo(room[header..]);
        End(room, header + text.Length);
    }

    /// <summary>Adds a number.</summary>
    public void Add(long number)
    {
        Span<byte> room = Reserve(0);
        switch (number)
        {
            case >= 0 and < 1 << 7:
                room[0] = (byte)number;
                End(room, 1);
                break;
            case >= -(1 << 12) and < 1 << 12:
                room[0] = (byte)(0xC0 | ((number >> 8) & 0x1F));
                room[1] = (byte)number;
                End(room, 2);
                break;
            case >= short.MinValue and <= short.MaxValue:
                room[0] = 0xF1;
                BinaryPrimitives.WriteInt16LittleEndian(room[1..], (short)number);
                End(room, 3);
                break;
            case >= -(1 << 23) and < 1 << 23:
                room[0] = 0xF2;
                BinaryPrimitives.WriteInt32LittleEndian(room[1..], (int)number);
                End(room, 4);
                break;
            case >= int.MinValue and <= int.MaxValue:
                room[0] = 0xF3;
                BinaryPrimitives.WriteInt32LittleEndian(room[1..], (int)number);
                End(room, 5);
                break;
            default:
                room[0] = 0xF4;
                BinaryPrimitives.WriteInt64LittleEndian(room[1..], number);
                End(room, 9);
                break;
        }
    }

    /// <summary>The listpack; valid until the next change.</summary>
    public ReadOnlySpan<byte> Finish()
    {
        Reserve(1)[0] = 0xFF;
        BinaryPrimitives.WriteInt32LittleEndian(_bytes, _length + 1);
        BinaryPrimitives.WriteUInt16LittleEndian(_bytes.AsSpan(4), (ushort)Math.Min(_count, ushort.MaxValue));
        return _bytes.AsSpan(0, _length + 1);
    }

    private Span<byte> Reserve(int bytes)
    {
        int wanted = checked(_length + bytes + MaxFrame);
        if (wanted > _bytes.Length)
            Grow(wanted);
        return _bytes.AsSpan(_length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int wanted) => Array.Resize(ref _bytes, (int)Math.Max(wanted, Math.Min(_bytes.Length * 2L, Array.MaxLength)));

    // Appends the element's own length: 7 bits a byte, highest first; all bytes but the first have the high bit set.
    private void End(Span<byte> room, int length)
    {
        if (length < 1 << 7)
        {
            room[length] = (byte)length;
            _length += length + 1;
            _count++;
            return;
        }

        int bytes = length switch
        {
            < 1 << 14 => 2,
            < 1 << 21 => 3,
            < 1 << 28 => 4,
            _ => 5,
        };
        int rest = length;
        for (int i = bytes - 1; i >= 0; i--)
        {
            room[length + i] = (byte)((rest & 0x7F) | (i == 0 ? 0 : 0x80));
            rest >>= 7;
        }

        _length += length + bytes;
        _count++;
    }
}
