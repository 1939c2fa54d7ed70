// Small buffers that reading collections needs: rendered integers, offsets, copies of elements. One a thread, used by it alone.
using System.Buffers.Text;
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections;

/// <summary>
/// Spans into it live for the rest of a command: rendered integers until 64 more were rendered, the arrays until the fourth next was taken.
/// Nothing here survives an await, so a thread's own buffers are enough.
/// </summary>
internal sealed class ElementScratch
{
    private const int Texts = 64;
    private const int TextBytes = 24;
    private const int Arrays = 4;
    private const int MaxKeptBytes = 1 << 20;

    [ThreadStatic]
    private static ElementScratch? t_current;
    private readonly byte[] _texts = new byte[Texts * TextBytes];
    private readonly int[][] _offsets = new int[Arrays][];
    private readonly byte[]?[] _copies = new byte[Arrays][];
    private readonly byte[] _treeLinks = new byte[PackedForm.TreeBytes];
    private readonly byte[] _idKey = new byte[IdOrder.IdBytes];
    private byte[] _work = [];
    private byte[] _fields = new byte[256];
    private int _fieldBytes;
    private byte[] _code = new byte[256];
    private byte[] _entry = new byte[256];
    private int _nextText;
    private int _nextOffsets;

    /// <summary>The calling thread's.</summary>
    public static ElementScratch Current => t_current ??= new ElementScratch();

    /// <summary>What chooses random elements; tests put one in its place whose seed they know.</summary>
    public Random Random { get; set; } = new();

    /// <summary>Room for a value that leads to trees.</summary>
    public Span<byte> TreeLinks => _treeLinks;

    /// <summary>Room for the ID of a stream's entry.</summary>
    public Span<byte> IdKey => _idKey;

    /// <summary>The codes of an entry that is being made: names and values in turn.</summary>
    public ReadOnlySpan<byte> Fields => _fields.AsSpan(0, _fieldBytes);

    /// <summary>Begins an entry.</summary>
    public void ClearFields() => _fieldBytes = 0;

    /// <summary>Adds a name or a value to the entry that is being made.</summary>
    public void AddField(in ElementCode code)
    {
        int needed = checked(_fieldBytes + code.Size);
        if (_fields.Length < needed)
        {
            Array.Resize(ref _fields, Math.Max(needed, _fields.Length * 2));
        }

        code.WriteTo(_fields.AsSpan(_fieldBytes));
        _fieldBytes = needed;
    }

    /// <summary>Gives up a buffer that one huge entry has left.</summary>
    public void TrimFields()
    {
        _fieldBytes = 0;
        if (_fields.Length > MaxKeptBytes)
        {
            _fields = new byte[256];
        }
    }

    /// <summary>An element's code, until the next one.</summary>
    public ReadOnlySpan<byte> Encode(scoped in ElementCode code)
    {
        Span<byte> room = EnsureCapacity(ref _code, code.Size);
        code.WriteTo(room);
        return room;
    }

    /// <summary>Room for an entry of a tree, until the next one.</summary>
    public Span<byte> TakeEntry(int length) => EnsureCapacity(ref _entry, length);

    /// <summary>An integer's decimal text.</summary>
    public ReadOnlySpan<byte> Render(long value)
    {
        Span<byte> text = _texts.AsSpan((_nextText++ & (Texts - 1)) * TextBytes, TextBytes);
        Utf8Formatter.TryFormat(value, text, out int length);
        return text[..length];
    }

    /// <summary>An array of at least so many numbers.</summary>
    public int[] TakeOffsets(int count)
    {
        ref int[] offsets = ref _offsets[_nextOffsets++ & (Arrays - 1)];
        if (offsets == null || offsets.Length < count)
        {
            offsets = new int[Math.Max(count, 64)];
        }

        return offsets;
    }

    /// <summary>A copy of some bytes, until the next copy into the same slot (0 to 3). The buffer of a huge one is not kept.</summary>
    public ReadOnlySpan<byte> Copy(scoped ReadOnlySpan<byte> bytes, int slot)
    {
        if (bytes.Length > MaxKeptBytes)
        {
            return bytes.ToArray();
        }

        ref byte[]? copy = ref _copies[slot];
        if (copy == null || copy.Length < bytes.Length)
        {
            copy = new byte[Math.Max(bytes.Length, 64)];
        }

        bytes.CopyTo(copy);
        return copy.AsSpan(0, bytes.Length);
    }

    /// <summary>A copy of a value that is about to be written anew; until the next one.</summary>
    public ReadOnlySpan<byte> CopyValue(ReadOnlySpan<byte> bytes)
    {
        Span<byte> room = EnsureCapacity(ref _work, bytes.Length);
        bytes.CopyTo(room);
        return room;
    }

    /// <summary>Room for a value that is being made; until the next copy of a value.</summary>
    public Span<byte> TakeValue(int length) => EnsureCapacity(ref _work, length);

    private static Span<byte> EnsureCapacity(ref byte[] buffer, int length)
    {
        if (length > MaxKeptBytes)
        {
            return GC.AllocateUninitializedArray<byte>(length);
        }

        if (buffer.Length < length)
        {
            buffer = new byte[Math.Max(length, 1024)];
        }

        return buffer.AsSpan(0, length);
    }
}
