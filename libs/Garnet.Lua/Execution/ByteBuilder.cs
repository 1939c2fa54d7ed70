// Builds strings of unknown length. Used by the thread that runs the state.
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>Growing bytes, counted by the heap before they are allocated. A state lends builders to library functions.</summary>
internal sealed class ByteBuilder(LuaHeap heap)
{
    private const int MaxKept = 64 * 1024;

    private byte[] _bytes = new byte[256];

    public int Length { get; private set; }

    /// <summary>The memory that it takes.</summary>
    public int Capacity => _bytes.Length;

    public ReadOnlySpan<byte> Span => _bytes.AsSpan(0, Length);

    public void Append(byte value)
    {
        if (Length == _bytes.Length)
            Grow(1);
        _bytes[Length++] = value;
    }

    public void Append(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > _bytes.Length - Length)
            Grow(bytes.Length);
        bytes.CopyTo(_bytes.AsSpan(Length));
        Length += bytes.Length;
    }

    public void Append(byte value, int count)
    {
        if (count > _bytes.Length - Length)
            Grow(count);
        _bytes.AsSpan(Length, count).Fill(value);
        Length += count;
    }

    /// <summary>Space for bytes that the caller writes; <see cref="Advance"/> adds them.</summary>
    public Span<byte> Reserve(int count)
    {
        if (count > _bytes.Length - Length)
            Grow(count);
        return _bytes.AsSpan(Length);
    }

    public void Advance(int count) => Length += count;

    public LuaString ToLuaString() => Length == 0 ? LuaString.Empty : heap.NewString(Span);

    /// <summary>Empties the builder for its next use.</summary>
    public void Reset()
    {
        Length = 0;
        if (_bytes.Length > MaxKept)
            _bytes = new byte[256];
    }

    private void Grow(int needed)
    {
        long length = Math.Max((long)Length + needed, Math.Min(_bytes.Length * 2L, LuaHeap.MaxStringBytes));
        if (length > LuaHeap.MaxStringBytes)
            throw new LuaException("not enough memory");
        heap.Charge(length);
        Array.Resize(ref _bytes, (int)length);
    }
}
