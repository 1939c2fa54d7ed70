// Small buffers used while reading collections: rendered integers, offsets, copies of elements. One per thread, used only by that thread.
using System.Buffers.Text;
using Garnet.Store.Collections.Trees;

namespace Garnet.Store.Collections;

/// <summary>
/// Spans into it stay valid for part of a command: rendered integers until 64 more have been rendered, arrays until the fourth one after
/// them is taken. Nothing here lives across an await, so per-thread buffers suffice.
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

    /// <summary>The calling thread's instance.</summary>
    public static ElementScratch Current => t_current ??= new ElementScratch();

    /// <summary>Source of random elements; tests replace it with a seeded one.</summary>
    public Random Random { get; set; } = new();

    /// <summary>Buffer for a value that points to trees.</summary>
    public Span<byte> TreeLinks => _treeLinks;

    /// <summary>Buffer for the ID of a stream entry.</summary>
    public Span<byte> IdKey => _idKey;

    /// <summary>The codes of the stream entry being built: names and values in turn.</summary>
    public ReadOnlySpan<byte> Fields => _fields.AsSpan(0, _fieldBytes);

    /// <summary>Starts a new entry.</summary>
    public void ClearFields() => _fieldBytes = 0;

    /// <summary>Adds a name or a value to the entry being built.</summary>
    public void AddField(in ElementCode code)
    {
        int needed = checked(_fieldBytes + code.Size);
        if (_fields.Length < needed)
            Array.Resize(ref _fields, Math.Max(needed, _fields.Length * 2));

        code.WriteTo(_fields.AsSpan(_fieldBytes));
        _fieldBytes = needed;
    }

    /// <summary>Drops the large buffer left by one huge entry.</summary>
    public void TrimFields()
    {
        _fieldBytes = 0;
        if (_fields.Length > MaxKeptBytes)
            _fields = new byte[256];
    }

    /// <summary>An element's code as bytes, valid until the next call.</summary>
    public ReadOnlySpan<byte> Encode(scoped in ElementCode code)
    {
        Span<byte> buffer = EnsureCapacity(ref _code, code.Size);
        code.WriteTo(buffer);
        return buffer;
    }

    /// <summary>Buffer for a tree entry, valid until the next call.</summary>
    public Span<byte> TakeEntry(int length) => EnsureCapacity(ref _entry, length);

    /// <summary>An integer's decimal text.</summary>
    public ReadOnlySpan<byte> Render(long value)
    {
        Span<byte> text = _texts.AsSpan((_nextText++ & (Texts - 1)) * TextBytes, TextBytes);
        Utf8Formatter.TryFormat(value, text, out int length);
        return text[..length];
    }

    /// <summary>An array of at least <paramref name="count"/> numbers.</summary>
    public int[] TakeOffsets(int count)
    {
        ref int[] offsets = ref _offsets[_nextOffsets++ & (Arrays - 1)];
        if (offsets is null || offsets.Length < count)
            offsets = new int[Math.Max(count, 64)];

        return offsets;
    }

    /// <summary>
    /// A copy of some bytes, such as of an element that is added to one collection while the one it came from changes; valid on this thread
    /// until the next copy into the same slot (0 to 3), never across an await. The buffer of a huge copy is not kept.
    /// </summary>
    public ReadOnlySpan<byte> Copy(scoped ReadOnlySpan<byte> bytes, int slot = 0)
    {
        if (bytes.Length > MaxKeptBytes)
            return bytes.ToArray();

        ref byte[]? copy = ref _copies[slot];
        if (copy is null || copy.Length < bytes.Length)
            copy = new byte[Math.Max(bytes.Length, 64)];

        bytes.CopyTo(copy);
        return copy.AsSpan(0, bytes.Length);
    }

    /// <summary>A copy of a value that is about to be rewritten, valid until the next call.</summary>
    public ReadOnlySpan<byte> CopyValue(ReadOnlySpan<byte> bytes)
    {
        Span<byte> buffer = EnsureCapacity(ref _work, bytes.Length);
        bytes.CopyTo(buffer);
        return buffer;
    }

    /// <summary>Buffer for a value being built, valid until the next copy of a value.</summary>
    public Span<byte> TakeValue(int length) => EnsureCapacity(ref _work, length);

    private static Span<byte> EnsureCapacity(ref byte[] buffer, int length)
    {
        if (length > MaxKeptBytes)
            return GC.AllocateUninitializedArray<byte>(length);

        if (buffer.Length < length)
            buffer = new byte[Math.Max(length, 1024)];

        return buffer.AsSpan(0, length);
    }
}
