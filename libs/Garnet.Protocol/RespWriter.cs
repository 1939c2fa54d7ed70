// Replies as RESP bytes, over one cached span of the connection's output. Lives on the stack of one batch; one thread.
using System.Buffers;
using System.Buffers.Binary;
using System.Buffers.Text;
using System.Runtime.CompilerServices;
using System.Text;

namespace Garnet.Protocol;

/// <summary>
/// Writes replies in the connection's protocol version: types that RESP2 lacks are written in their RESP2 equivalents. Bytes go straight
/// into the output's own memory; <see cref="Flush"/> (or <see cref="Complete"/>) must be called before the output is used otherwise. Pass
/// the writer by reference: a copy would overwrite the original's bytes.
/// </summary>
internal ref struct RespWriter
{
    /// <summary>The maximum payload that <see cref="BeginBulk"/> returns in one span, in bytes.</summary>
    public const int MaxReservedBulkBytes = 64 * 1024;

    // "$" and ten digits and CR LF.
    private const int MaxHeaderBytes = 13;
    private const int MinRefillBytes = 512;

    // Payloads up to this size are written contiguously when the cached span is too short; longer ones fill the span first.
    private const int WholePayloadBytes = 1024;

    [ThreadStatic]
    private static byte[]? t_discarded;

    private readonly IBufferWriter<byte> _output;
    private Span<byte> _span;
    private int _used;
    private int _reservedStart;
    private int _reservedEnd;
    private long _flushed;
    private bool _suppressed;

    /// <summary>A writer to an output, which is accessed only when something is written.</summary>
    public RespWriter(IBufferWriter<byte> output, int protocolVersion)
    {
        _output = output;
        _span = default;
        _reservedEnd = -1;
        ProtocolVersion = protocolVersion;
    }

    /// <summary>2 or 3; HELLO changes it between replies.</summary>
    public int ProtocolVersion { get; set; }

    /// <summary>The number of error replies written, including suppressed ones.</summary>
    public int ErrorCount { get; private set; }

    /// <summary>Receives every error reply; null for none.</summary>
    public IErrorObserver? ErrorObserver { get; init; }

    /// <summary>Bytes written so far by this writer, flushed or not; suppressed ones do not count.</summary>
    public readonly long BytesWritten => _suppressed ? _flushed : _flushed + _used;

    /// <summary>While true all output is discarded (CLIENT REPLY OFF and SKIP). Change it only between replies.</summary>
    public bool Suppressed
    {
        readonly get => _suppressed;
        set
        {
            if (value == _suppressed)
                return;
            Flush();
            _suppressed = value;
        }
    }

    /// <summary>Passes the written bytes to the output. The writer may be used afterwards.</summary>
    public void Flush()
    {
        if (!_suppressed && _used != 0)
        {
            _output.Advance(_used);
            _flushed += _used;
        }
        _used = 0;
        _span = default;
        _reservedEnd = -1;
    }

    /// <summary>As <see cref="Flush"/>, at the end of a batch.</summary>
    public void Complete() => Flush();

    /// <summary>+OK</summary>
    public void WriteOk()
    {
        // "+OK\r" as one little-endian word.
        Span<byte> span = Reserve(5);
        BinaryPrimitives.WriteUInt32LittleEndian(span, 0x0D4B4F2B);
        span[4] = (byte)'\n';
        _used += 5;
    }

    /// <summary>+text; the text must have no CR or LF.</summary>
    public void WriteSimpleString(scoped ReadOnlySpan<byte> text) => WriteLine((byte)'+', text);

    /// <summary>-text, code first ("ERR syntax error"). CR and LF at the ends are dropped, others become spaces.</summary>
    public void WriteError(scoped ReadOnlySpan<byte> text)
    {
        text = text.Trim("\r\n"u8);
        ErrorCount++;
        ErrorObserver?.OnError(text);
        Span<byte> span = Reserve(text.Length + 3);
        span[0] = (byte)'-';
        Span<byte> body = span.Slice(1, text.Length);
        text.CopyTo(body);
        body.Replace((byte)'\r', (byte)' ');
        body.Replace((byte)'\n', (byte)' ');
        WriteLineEnd(span, text.Length + 1);
        _used += text.Length + 3;
    }

    /// <summary>As <see cref="WriteError(ReadOnlySpan{byte})"/>, the text as UTF-8.</summary>
    public void WriteError(string text)
    {
        byte[] rented = ArrayPool<byte>.Shared.Rent(Encoding.UTF8.GetMaxByteCount(text.Length));
        int length = Encoding.UTF8.GetBytes(text, rented);
        WriteError(rented.AsSpan(0, length));
        ArrayPool<byte>.Shared.Return(rented);
    }

    /// <summary>:value</summary>
    public void WriteInteger(long value) => WriteNumberLine((byte)':', value);

    /// <summary>$length and the payload.</summary>
    public void WriteBulk(scoped ReadOnlySpan<byte> payload)
    {
        int total = payload.Length + MaxHeaderBytes + 2;
        if (total > _span.Length - _used && payload.Length > WholePayloadBytes)
        {
            WriteNumberLine((byte)'$', payload.Length);
            WriteRaw(payload);
            WriteRaw("\r\n"u8);
            return;
        }
        Span<byte> span = Reserve(total);
        int header = FormatHeader(span, (byte)'$', payload.Length);
        payload.CopyTo(span[header..]);
        WriteLineEnd(span, header + payload.Length);
        _used += header + payload.Length + 2;
    }

    /// <summary>A bulk string of a text's UTF-8 bytes.</summary>
    public void WriteBulk(string text)
    {
        int length = Encoding.UTF8.GetByteCount(text);
        Span<byte> span = Reserve(length + MaxHeaderBytes + 2);
        int header = FormatHeader(span, (byte)'$', length);
        Encoding.UTF8.GetBytes(text, span[header..]);
        WriteLineEnd(span, header + length);
        _used += header + length + 2;
    }

    /// <summary>A bulk string of a number's digits.</summary>
    public void WriteBulkInteger(long value)
    {
        Span<byte> text = stackalloc byte[IntegerText.MaxLength];
        WriteBulk(text[..IntegerText.Format(value, text)]);
    }

    /// <summary>A bulk string of a double's text in both protocol versions.</summary>
    public void WriteBulkDouble(double value)
    {
        Span<byte> text = stackalloc byte[DoubleText.MaxLength];
        WriteBulk(text[..DoubleText.Format(value, text)]);
    }

    /// <summary>,value in RESP3; a bulk string of its text in RESP2.</summary>
    public void WriteDouble(double value)
    {
        Span<byte> text = stackalloc byte[DoubleText.MaxLength];
        text = text[..DoubleText.Format(value, text)];
        if (ProtocolVersion >= 3)
            WriteLine((byte)',', text);
        else
            WriteBulk(text);
    }

    /// <summary>_ in RESP3, $-1 in RESP2.</summary>
    public void WriteNull() => WriteRaw(ProtocolVersion >= 3 ? "_\r\n"u8 : "$-1\r\n"u8);

    /// <summary>_ in RESP3, *-1 in RESP2.</summary>
    public void WriteNullArray() => WriteRaw(ProtocolVersion >= 3 ? "_\r\n"u8 : "*-1\r\n"u8);

    /// <summary>#t or #f in RESP3, :1 or :0 in RESP2.</summary>
    public void WriteBool(bool value)
    {
        if (ProtocolVersion >= 3)
            WriteRaw(value ? "#t\r\n"u8 : "#f\r\n"u8);
        else
            WriteRaw(value ? ":1\r\n"u8 : ":0\r\n"u8);
    }

    /// <summary>*count; as many replies must follow.</summary>
    public void WriteArray(int count) => WriteNumberLine((byte)'*', count);

    /// <summary>%pairs in RESP3, an array of twice as many in RESP2; keys and values must follow alternately.</summary>
    public void WriteMap(int pairs)
    {
        if (ProtocolVersion >= 3)
            WriteNumberLine((byte)'%', pairs);
        else
            WriteNumberLine((byte)'*', 2L * pairs);
    }

    /// <summary>~count in RESP3, an array in RESP2.</summary>
    public void WriteSet(int count) => WriteNumberLine(ProtocolVersion >= 3 ? (byte)'~' : (byte)'*', count);

    /// <summary>&gt;count in RESP3, an array in RESP2 (pub/sub messages).</summary>
    public void WritePush(int count) => WriteNumberLine(ProtocolVersion >= 3 ? (byte)'>' : (byte)'*', count);

    /// <summary>|pairs, before the reply it describes. RESP2 has none: only for RESP3 connections.</summary>
    public void WriteAttribute(int pairs)
    {
        if (ProtocolVersion < 3)
            throw new InvalidOperationException("RESP2 has no attributes.");
        WriteNumberLine((byte)'|', pairs);
    }

    /// <summary>=length with a three-letter format ("txt", "mkd") and the text in RESP3; a bulk string of the text in RESP2.</summary>
    public void WriteVerbatim(scoped ReadOnlySpan<byte> format, scoped ReadOnlySpan<byte> text)
    {
        if (format.Length != 3)
            throw new ArgumentException("A verbatim string's format has three letters.", nameof(format));
        if (ProtocolVersion < 3)
        {
            WriteBulk(text);
            return;
        }
        WriteNumberLine((byte)'=', text.Length + 4);
        WriteRaw(format);
        WriteRaw(":"u8);
        WriteRaw(text);
        WriteRaw("\r\n"u8);
    }

    /// <summary>(digits in RESP3; a bulk string in RESP2.</summary>
    public void WriteBigNumber(scoped ReadOnlySpan<byte> digits)
    {
        if (ProtocolVersion >= 3)
            WriteLine((byte)'(', digits);
        else
            WriteBulk(digits);
    }

    /// <summary>Raw RESP bytes. Split over several spans when there are many.</summary>
    public void WriteRaw(scoped ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > _span.Length - _used)
        {
            Span<byte> rest = _span[_used..];
            bytes[..rest.Length].CopyTo(rest);
            _used = _span.Length;
            bytes = bytes[rest.Length..];
            Refill(Math.Min(bytes.Length, MaxReservedBulkBytes));
        }
        bytes.CopyTo(_span[_used..]);
        _used += bytes.Length;
    }

    /// <summary>
    /// Writes the header of a bulk string and returns the span for its payload, which counts as written only after <see cref="EndBulk"/>:
    /// calling this again before that starts over, so that an optimistic copy whose value changed can be retried with another length, or
    /// abandoned for another reply.
    /// </summary>
    /// <param name="length">Exact length of the payload, at most <see cref="MaxReservedBulkBytes"/>.</param>
    public Span<byte> BeginBulk(int length)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)length, (uint)MaxReservedBulkBytes, nameof(length));
        Span<byte> span = Reserve(length + MaxHeaderBytes + 2);
        int header = FormatHeader(span, (byte)'$', length);
        _reservedStart = _used;
        _reservedEnd = _used + header + length;
        return span.Slice(header, length);
    }

    /// <summary>Completes the current bulk string, whose payload has been filled in.</summary>
    public void EndBulk()
    {
        if (_reservedEnd < 0 || _reservedStart != _used)
            throw new InvalidOperationException("No bulk string has been begun.");
        WriteLineEnd(_span, _reservedEnd);
        _used = _reservedEnd + 2;
        _reservedEnd = -1;
    }

    /// <summary>
    /// Writes only the header of a bulk string; its payload and CR LF follow with <see cref="WriteRaw"/> or, after <see cref="Flush"/>, by
    /// other means.
    /// </summary>
    public void WriteBulkHeader(int length) => WriteNumberLine((byte)'$', length);

    /// <summary>Counts payload bytes that reached the output without this writer.</summary>
    public void CountExternal(long bytes) => _flushed += bytes;

    private void WriteLine(byte type, scoped ReadOnlySpan<byte> text)
    {
        Span<byte> span = Reserve(text.Length + 3);
        span[0] = type;
        text.CopyTo(span[1..]);
        WriteLineEnd(span, text.Length + 1);
        _used += text.Length + 3;
    }

    private void WriteNumberLine(byte type, long value)
    {
        Span<byte> span = Reserve(IntegerText.MaxLength + 3);
        _used += FormatHeader(span, type, value);
    }

    // <type><value>\r\n; the span fits the longest.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int FormatHeader(Span<byte> span, byte type, long value)
    {
        if ((ulong)value <= 9)
        {
            BinaryPrimitives.WriteUInt32LittleEndian(span, 0x0A0D3000u + ((uint)value << 8) + type);
            return 4;
        }
        return FormatLongHeader(span, type, value);
    }

    private static int FormatLongHeader(Span<byte> span, byte type, long value)
    {
        span[0] = type;
        int end = 3;
        if ((ulong)value <= 99)
        {
            (ulong tens, ulong ones) = Math.DivRem((ulong)value, 10);
            span[1] = (byte)('0' + tens);
            span[2] = (byte)('0' + ones);
        }
        else
        {
            Utf8Formatter.TryFormat(value, span[1..], out int written);
            end = written + 1;
        }
        WriteLineEnd(span, end);
        return end + 2;
    }

    private static void WriteLineEnd(Span<byte> span, int offset) =>
        BinaryPrimitives.WriteUInt16LittleEndian(span.Slice(offset, 2), 0x0A0D);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Span<byte> Reserve(int length)
    {
        if (length > _span.Length - _used)
            Refill(length);
        return _span[_used..];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Refill(int length)
    {
        int wanted = Math.Max(length, MinRefillBytes);
        Flush();
        if (!_suppressed)
        {
            _span = _output.GetSpan(wanted);
            return;
        }
        if (t_discarded is null || t_discarded.Length < wanted)
            t_discarded = new byte[Math.Max(wanted, 4096)];
        _span = t_discarded;
    }
}
