// Effects of the current command as RESP bytes, until the dispatcher passes them to the write sink. One per session, allocated on first
// use.
using System.Buffers.Text;
using System.Runtime.CompilerServices;

namespace Garnet.Engine.Requests;

/// <summary>Collects the effects of a write as RESP arrays of bulk strings.</summary>
internal sealed class EffectBuffer
{
    /// <summary>
    /// Size up to which the effects of a request, or of a transaction's requests, are guaranteed to fit one array: their overhead (headers,
    /// MULTI and EXEC, expiries as absolute times) is far below the remaining sixteenth.
    /// </summary>
    public const long MaxRequestBytes = 0x7FFFFFC7L / 16 * 15; // Array.MaxLength

    /// <summary>Most bytes that an argument takes besides its own.</summary>
    public const int ArgumentOverheadBytes = MaxHeaderBytes + 2;

    private const int InitialBytes = 256;
    private const int KeptBytes = 64 * 1024;

    // A sign, the digits of an int and CR LF.
    private const int MaxHeaderBytes = 13;

    private byte[] _bytes = new byte[InitialBytes];
    private int _used;

    /// <summary>The effects so far.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _used);

    /// <summary>As <see cref="Written"/>, for a stream.</summary>
    public ReadOnlyMemory<byte> WrittenMemory => _bytes.AsMemory(0, _used);

    /// <summary>Their size.</summary>
    public int Bytes => _used;

    /// <summary>Number of effects begun.</summary>
    public int Count { get; private set; }

    /// <summary>Begins an effect with this many arguments, including the command's name.</summary>
    public EffectBuffer Begin(int argumentCount)
    {
        Count++;
        Reserve(MaxHeaderBytes);
        Header((byte)'*', argumentCount);
        return this;
    }

    /// <summary>Adds an argument.</summary>
    public EffectBuffer Add(ReadOnlySpan<byte> argument)
    {
        Reserve(MaxHeaderBytes + argument.Length + 2L);
        Header((byte)'$', argument.Length);
        argument.CopyTo(_bytes.AsSpan(_used));
        _used += argument.Length;
        _bytes[_used++] = (byte)'\r';
        _bytes[_used++] = (byte)'\n';
        return this;
    }

    /// <summary>Adds an integer as decimal digits.</summary>
    public EffectBuffer Add(long value)
    {
        Span<byte> digits = stackalloc byte[20];
        value.TryFormat(digits, out int length);
        return Add(digits[..length]);
    }

    /// <summary>Adds an argument that is encoded as RESP already.</summary>
    public EffectBuffer AddEncoded(ReadOnlySpan<byte> argument)
    {
        Reserve(argument.Length);
        argument.CopyTo(_bytes.AsSpan(_used));
        _used += argument.Length;
        return this;
    }

    /// <summary>Adds all effects of another buffer.</summary>
    public void Append(EffectBuffer other)
    {
        AddEncoded(other.Written);
        Count += other.Count;
    }

    /// <summary>Wraps the collected effects in MULTI and EXEC, so that a reader applies all of them or none.</summary>
    public void WrapInMultiExec()
    {
        ReadOnlySpan<byte> multi = "*1\r\n$5\r\nMULTI\r\n"u8;
        ReadOnlySpan<byte> exec = "*1\r\n$4\r\nEXEC\r\n"u8;
        Reserve(multi.Length + exec.Length);
        _bytes.AsSpan(0, _used).CopyTo(_bytes.AsSpan(multi.Length));
        multi.CopyTo(_bytes);
        _used += multi.Length;
        exec.CopyTo(_bytes.AsSpan(_used));
        _used += exec.Length;
    }

    /// <summary>Takes back the effects that were added since the buffer had this size and count.</summary>
    public void Truncate(int bytes, int count)
    {
        _used = bytes;
        Count = count;
    }

    /// <summary>Clears the content; keeps the memory unless it has grown large.</summary>
    public void Clear()
    {
        Count = 0;
        _used = 0;
        if (_bytes.Length > KeptBytes)
            _bytes = new byte[InitialBytes];
    }

    // Nearly all numbers are lengths of one or two digits.
    private void Header(byte kind, int number)
    {
        Span<byte> span = _bytes.AsSpan(_used, MaxHeaderBytes);
        span[0] = kind;
        int length;
        if (number < 10)
        {
            span[1] = (byte)('0' + number);
            length = 2;
        }
        else
        {
            Utf8Formatter.TryFormat(number, span[1..], out int digits);
            length = 1 + digits;
        }

        span[length] = (byte)'\r';
        span[length + 1] = (byte)'\n';
        _used += length + 2;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Reserve(long more)
    {
        if (_bytes.Length - _used < more)
            Grow(more);
    }

    private void Grow(long more) =>
        Array.Resize(ref _bytes, (int)Math.Max(Math.Min(_bytes.Length * 2L, Array.MaxLength), checked((int)(_used + more))));
}
