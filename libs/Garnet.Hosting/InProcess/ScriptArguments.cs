// The arguments of a script call. Used by the caller's thread.
using System.Buffers;
using System.Globalization;
using System.Text;

namespace Garnet.Hosting.InProcess;

/// <summary>
/// The arguments of EVAL after the command: texts and numbers are written side by side into rented memory, bytes are referred to. Valid
/// until it is disposed.
/// </summary>
internal struct ScriptArguments(int capacity) : IDisposable
{
    private const int ScratchBytes = 1024;
    private const int MaxNumberLength = 64;

    private readonly ReadOnlyMemory<byte>[] _values = ArrayPool<ReadOnlyMemory<byte>>.Shared.Rent(capacity);
    private readonly byte[] _scratch = ArrayPool<byte>.Shared.Rent(ScratchBytes);
    private int _count;
    private int _used;

    /// <summary>The arguments so far; they may be exchanged.</summary>
    public readonly Span<ReadOnlyMemory<byte>> Values => _values.AsSpan(0, _count);

    public void Add(ReadOnlyMemory<byte> bytes) => _values[_count++] = bytes;

    /// <summary>Adds the UTF-8 bytes of a text.</summary>
    public void Add(string text)
    {
        int length = Encoding.UTF8.GetByteCount(text);
        Memory<byte> place = length <= _scratch.Length - _used ? _scratch.AsMemory(_used, length) : new byte[length];
        Encoding.UTF8.GetBytes(text, place.Span);
        _used += length <= _scratch.Length - _used ? length : 0;
        Add(place);
    }

    /// <summary>Adds the digits of a number.</summary>
    public void Add<T>(T number)
        where T : IUtf8SpanFormattable
    {
        Memory<byte> place = MaxNumberLength <= _scratch.Length - _used ? _scratch.AsMemory(_used) : new byte[MaxNumberLength];
        number.TryFormat(place.Span, out int length, format: default, CultureInfo.InvariantCulture);
        _used += MaxNumberLength <= _scratch.Length - _used ? length : 0;
        Add(place[..length]);
    }

    public readonly void Dispose()
    {
        ArrayPool<ReadOnlyMemory<byte>>.Shared.Return(_values, clearArray: true);
        ArrayPool<byte>.Shared.Return(_scratch);
    }
}
