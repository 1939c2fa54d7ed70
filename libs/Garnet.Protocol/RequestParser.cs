// Frames requests: bytes of a receive buffer -> argument ranges. One parser per connection; one thread at a time.
using System.Buffers.Binary;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;

namespace Garnet.Protocol;

/// <summary>
/// A resumable parser of multibulk and inline requests. It accepts any split of the input and examines each byte a bounded number of times:
/// while a request is unfinished, the caller keeps its bytes and passes them again followed by more (at the same or another offset of any
/// buffer), and the parser continues where it stopped. A declared length or count allocates nothing.
/// </summary>
internal sealed class RequestParser
{
    /// <summary>The maximum length in bytes of an inline request and of a line with a count.</summary>
    public const int MaxLineBytes = 64 * 1024;

    /// <summary>The default of <see cref="MaxBulkBytes"/> (proto-max-bulk-len), in bytes.</summary>
    public const int DefaultMaxBulkBytes = 512 * 1024 * 1024;

    private const int UnauthenticatedArguments = 10;
    private const int UnauthenticatedBulkBytes = 16 * 1024;

    // Little-endian values of "*?\r\n", "$?\r\n" and "$??\r", the lines with one and two digits.
    private const uint OneDigitMask = 0xFFFF00FF;
    private const uint StarOneDigit = 0x0A0D002A;
    private const uint DollarOneDigit = 0x0A0D0024;
    private const uint TwoDigitMask = 0xFF0000FF;
    private const uint DollarTwoDigits = 0x0D000024;
    private const ushort LineEnd = 0x0A0D;

    // All offsets below are relative to the unfinished request's first byte, which is at _requestStart of the last buffer.
    private int _requestStart;
    private int _next;
    private int _scanned;
    private int _remaining;
    private int _bulkLength = -1;
    private bool _awaitsLineEnd;
    private bool _skipped;
    private int _argumentBase;
    private int _argumentCount;
    private int _detachedCount;
    private int _externalHandle;
    private byte _unexpected;

    /// <summary>The longest argument accepted (proto-max-bulk-len), in bytes; at least 99.</summary>
    public int MaxBulkBytes { get; set; } = DefaultMaxBulkBytes;

    /// <summary>
    /// True until the connection is authenticated: at most 10 arguments of 16384 bytes. While true the caller must execute each request
    /// before it parses the next, because that request may lift the limit.
    /// </summary>
    public bool IsRestricted { get; set; }

    /// <summary>
    /// Incomplete arguments of at least this many bytes are reported as <see cref="ParseStatus.PendingBulk"/>; the default reports none.
    /// </summary>
    public int PendingBulkThreshold { get; set; } = int.MaxValue;

    /// <summary>The large argument at which the last call stopped; valid after <see cref="ParseStatus.PendingBulk"/>.</summary>
    public PendingBulk Pending { get; private set; }

    /// <summary>The protocol violation; valid after <see cref="ParseStatus.Error"/>.</summary>
    public ProtocolError Error { get; private set; }

    /// <summary>True when a request has begun and is not complete.</summary>
    public bool IsMidRequest => _remaining != 0 || _scanned != 0;

    /// <summary>True when the header of an unfinished multibulk request has been read: only then can its arguments be detached.</summary>
    public bool IsInArguments => _remaining != 0;

    /// <summary>The error reply's text, with its code and without '-' and line end.</summary>
    public ReadOnlySpan<byte> ErrorText =>
        Error switch
        {
            ProtocolError.InvalidMultibulkLength => "ERR Protocol error: invalid multibulk length"u8,
            ProtocolError.MultibulkCountTooLong => "ERR Protocol error: too big mbulk count string"u8,
            ProtocolError.UnauthenticatedMultibulkLength => "ERR Protocol error: unauthenticated multibulk length"u8,
            ProtocolError.InvalidBulkLength => "ERR Protocol error: invalid bulk length"u8,
            ProtocolError.BulkCountTooLong => "ERR Protocol error: too big bulk count string"u8,
            ProtocolError.UnauthenticatedBulkLength => "ERR Protocol error: unauthenticated bulk length"u8,
            ProtocolError.ExpectedDollar => ExpectedDollarText(),
            ProtocolError.InvalidLineEnd => "ERR Protocol error: invalid CRLF in request"u8,
            ProtocolError.InlineTooLong => "ERR Protocol error: too big inline request"u8,
            ProtocolError.UnbalancedQuotes => "ERR Protocol error: unbalanced quotes in request"u8,
            _ => default,
        };

    /// <summary>
    /// True for the first words of an HTTP request (the line "POST ..." or the header "Host: ..."): a browser is being tricked into
    /// connecting to this port, and the connection must be dropped.
    /// </summary>
    public static bool IsCrossProtocol(ReadOnlySpan<byte> commandName) =>
        commandName.Length is 4 or 5 && (Ascii.EqualsIgnoreCase(commandName, "post"u8) || Ascii.EqualsIgnoreCase(commandName, "host:"u8));

    /// <summary>Parses one request. Empty requests (blank lines, *0) are skipped.</summary>
    /// <param name="buffer">The received bytes; at <paramref name="position"/> a request begins.</param>
    /// <param name="position">
    /// In: the start of the next, or the unfinished, request. Out: the end of a complete request, else the start of the unfinished one.
    /// </param>
    /// <param name="table">Receives the arguments; must be the same one as long as a request is unfinished.</param>
    /// <param name="request">The complete request's arguments in the table.</param>
    public ParseStatus Parse(ReadOnlySpan<byte> buffer, ref int position, ArgumentTable table, out RequestRange request)
    {
        while (_remaining == 0)
        {
            if ((uint)position >= (uint)buffer.Length)
            {
                request = default;
                return ParseStatus.NeedMore;
            }
            if (buffer[position] == (byte)'*')
            {
                if (!TryReadShortCount(buffer, position, out int count, out int headerBytes))
                {
                    ParseStatus status = ReadCount(buffer, position, out count, out headerBytes);
                    if (status != ParseStatus.Complete)
                    {
                        request = default;
                        return status;
                    }
                }
                BeginArguments(ref position, count, headerBytes, table);
            }
            else
            {
                ParseStatus status = ParseInline(buffer, ref position, table, out request);
                if (status != ParseStatus.Complete || request.ArgumentCount != 0)
                    return status;
                _skipped = true;
            }
        }
        if (position != _requestStart || table.Count != _argumentBase)
            Relocate(position, table);
        return ParseArguments(buffer, ref position, table, out request);
    }

    /// <summary>
    /// Passes every argument of the unfinished request parsed so far to the table's <see cref="ArgumentTable.External"/>, so that a request
    /// with many arguments is neither kept in the receive buffer as a whole nor scanned twice.
    /// </summary>
    /// <param name="buffer">The buffer of the last call of <see cref="Parse"/>.</param>
    /// <param name="table">The table of that call.</param>
    /// <returns>The position from which bytes are still needed: the next buffer starts with them, as if a request began there.</returns>
    public int Detach(ReadOnlySpan<byte> buffer, ArgumentTable table)
    {
        if (!IsInArguments)
            throw new InvalidOperationException("There is no unfinished multibulk request.");
        IExternalArguments keeper = table.External ?? throw new InvalidOperationException("The table has no store of external arguments.");
        foreach (ref ArgumentRange range in table.Slots.AsSpan(_argumentBase + _detachedCount, _argumentCount - _detachedCount))
        {
            if (range.IsInBuffer)
                range = ArgumentRange.External(keeper.Keep(buffer.Slice(range.Offset, range.Length)), range.Length);
        }
        _detachedCount = _argumentCount;
        _requestStart += _next;
        _scanned = Math.Max(0, _scanned - _next);
        _next = 0;
        return _requestStart;
    }

    /// <summary>
    /// After <see cref="Detach"/>: the caller itself receives the payload reported by <see cref="Pending"/>, and stores it under a handle
    /// of the table's <see cref="ArgumentTable.External"/>. The next buffer begins after the payload.
    /// </summary>
    public void TakePendingBulk(int handle)
    {
        if (_bulkLength < 0 || _awaitsLineEnd || _next != 0)
            throw new InvalidOperationException("No argument is pending, or the arguments before it are not detached.");
        _externalHandle = handle;
        _awaitsLineEnd = true;
    }

    /// <summary>After <see cref="Detach"/>: the state needed to parse the rest of the request once more.</summary>
    public ParserState Save() => new(_remaining, _bulkLength, _awaitsLineEnd, _externalHandle, _detachedCount, _skipped);

    /// <summary>
    /// Returns to a saved state. The detached arguments must still be the first ones of the table, which must have been cleared, and the
    /// bytes received since then must be passed again.
    /// </summary>
    public void Restore(in ParserState state)
    {
        Reset();
        _remaining = state.Remaining;
        _bulkLength = state.BulkLength;
        _awaitsLineEnd = state.AwaitsLineEnd;
        _externalHandle = state.ExternalHandle;
        _argumentCount = _detachedCount = state.ArgumentCount;
        _skipped = state.Skipped;
        _argumentBase = 0;
        _requestStart = 0;
    }

    /// <summary>
    /// Whether empty requests were skipped since the last call; a reset clears this, because their bytes are passed again.
    /// </summary>
    public bool TakeSkipped()
    {
        if (!_skipped)
            return false;
        _skipped = false;
        return true;
    }

    /// <summary>Discards an unfinished request and the error.</summary>
    public void Reset()
    {
        _skipped = false;
        _remaining = 0;
        _scanned = 0;
        _next = 0;
        _bulkLength = -1;
        _awaitsLineEnd = false;
        _argumentCount = 0;
        _detachedCount = 0;
        Pending = default;
        Error = ProtocolError.None;
    }

    private static bool TryReadShortCount(ReadOnlySpan<byte> buffer, int position, out int count, out int headerBytes)
    {
        headerBytes = 4;
        count = 0;
        if (buffer.Length - position < 4)
            return false;
        uint line = BinaryPrimitives.ReadUInt32LittleEndian(buffer.Slice(position, 4));
        uint digit = ((line >> 8) & 0xFF) - '0';
        count = (int)digit;
        return (line & OneDigitMask) == StarOneDigit && digit <= 9;
    }

    private ParseStatus ReadCount(ReadOnlySpan<byte> buffer, int position, out int count, out int headerBytes)
    {
        count = headerBytes = 0;
        _requestStart = position;
        if (!TryFindLine(buffer, position, ProtocolError.MultibulkCountTooLong, out int lineEnd, out ParseStatus status))
            return status;
        if (buffer[lineEnd + 1] != (byte)'\n')
            return Fail(ProtocolError.InvalidLineEnd);
        if (!IntegerText.TryParse(buffer[(position + 1)..lineEnd], out long declared) || declared > int.MaxValue)
            return Fail(ProtocolError.InvalidMultibulkLength);
        if (declared > UnauthenticatedArguments && IsRestricted)
            return Fail(ProtocolError.UnauthenticatedMultibulkLength);
        count = (int)Math.Max(declared, 0);
        headerBytes = lineEnd + 2 - position;
        return ParseStatus.Complete;
    }

    private void BeginArguments(ref int position, int count, int headerBytes, ArgumentTable table)
    {
        _scanned = 0;
        if (count == 0)
        {
            _skipped = true;
            position += headerBytes;
            return;
        }
        _requestStart = position;
        _next = headerBytes;
        _remaining = count;
        _bulkLength = -1;
        _argumentBase = table.Count;
        _argumentCount = 0;
        _detachedCount = 0;
    }

    // The unfinished request's bytes have moved, or the requests before it were removed from the table.
    private void Relocate(int position, ArgumentTable table)
    {
        int shift = position - _requestStart;
        ArgumentRange[] slots = table.Grow(Math.Max(table.Count, _argumentBase) + _argumentCount);
        Span<ArgumentRange> moved = slots.AsSpan(table.Count, _argumentCount);
        if (table.Count != _argumentBase)
            slots.AsSpan(_argumentBase, _argumentCount).CopyTo(moved);
        if (shift != 0)
        {
            foreach (ref ArgumentRange range in moved[_detachedCount..])
            {
                if (range.IsInBuffer)
                    range = new ArgumentRange(range.Offset + shift, range.Length);
            }
        }
        _requestStart = position;
        _argumentBase = table.Count;
    }

    private ParseStatus ParseArguments(ReadOnlySpan<byte> buffer, ref int position, ArgumentTable table, out RequestRange request)
    {
        request = default;
        int p = _requestStart + _next;
        if (_awaitsLineEnd && !TryFinishExternal(buffer, ref p, table, out ParseStatus status))
            return status;

        int length = _bulkLength;
        int slot = _argumentBase + _argumentCount;
        long end = (long)slot + _remaining; // a declared count may be as large as int.MaxValue
        ArgumentRange[] slots = table.Slots;
        while (slot < end)
        {
            // $<length>\r\n<payload>\r\n
            if (length < 0 && !TryReadShortLength(buffer, ref p, out length))
            {
                Save(p, -1, slot, end);
                status = ReadLength(buffer, ref p, out length);
                if (status != ParseStatus.Complete)
                    return status;
            }
            int payloadEnd = p + length;
            if (length > buffer.Length - p - 2)
            {
                Save(p, length, slot, end);
                return StopInPayload(buffer.Length - p);
            }
            if (BinaryPrimitives.ReadUInt16LittleEndian(buffer.Slice(payloadEnd, 2)) != LineEnd)
                return Fail(ProtocolError.InvalidLineEnd);
            if ((uint)slot >= (uint)slots.Length)
                slots = table.Grow(slot);
            slots[slot++] = new ArgumentRange(p, length);
            p = payloadEnd + 2;
            length = -1;
        }
        request = new RequestRange(_argumentBase, (int)end - _argumentBase);
        table.Commit(request.ArgumentCount);
        _remaining = 0;
        _scanned = 0;
        position = p;
        return ParseStatus.Complete;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryReadShortLength(ReadOnlySpan<byte> buffer, ref int p, out int length)
    {
        // Every complete argument has at least five bytes: the shortest is "$0\r\n\r\n".
        if (buffer.Length - p >= 5)
        {
            ReadOnlySpan<byte> line = buffer.Slice(p, 5);
            uint word = BinaryPrimitives.ReadUInt32LittleEndian(line);
            uint tens = ((word >> 8) & 0xFF) - '0';
            if ((word & OneDigitMask) == DollarOneDigit && tens <= 9)
            {
                length = (int)tens;
                p += 4;
                return true;
            }
            uint ones = ((word >> 16) & 0xFF) - '0';
            if ((word & TwoDigitMask) == DollarTwoDigits && tens - 1 <= 8 && ones <= 9 && line[4] == (byte)'\n')
            {
                length = (int)(tens * 10 + ones);
                p += 5;
                return true;
            }
            return TryReadMiddleLength(buffer, ref p, out length);
        }
        length = -1;
        return false;
    }

    // "$ddd\r\n" and "$dddd\r\n": lengths below every limit except a small MaxBulkBytes.
    private bool TryReadMiddleLength(ReadOnlySpan<byte> buffer, ref int p, out int length)
    {
        length = -1;
        if (buffer.Length - p < 7)
            return false;
        ReadOnlySpan<byte> line = buffer.Slice(p, 7);
        uint first = (uint)(line[1] - '0');
        uint second = (uint)(line[2] - '0');
        uint third = (uint)(line[3] - '0');
        if (line[0] != (byte)'$' || first - 1 > 8 || second > 9 || third > 9)
            return false;
        int value = (int)(first * 100 + second * 10 + third);
        int lineEnd = 4;
        uint fourth = (uint)(line[4] - '0');
        if (fourth <= 9)
        {
            value = value * 10 + (int)fourth;
            lineEnd = 5;
        }
        if (line[lineEnd] != (byte)'\r' || line[lineEnd + 1] != (byte)'\n' || value > MaxBulkBytes)
            return false;
        length = value;
        p += lineEnd + 2;
        return true;
    }

    private ParseStatus ReadLength(ReadOnlySpan<byte> buffer, ref int p, out int length)
    {
        length = -1;
        if (!TryFindLine(buffer, p, ProtocolError.BulkCountTooLong, out int lineEnd, out ParseStatus status))
            return status;
        if (buffer[p] != (byte)'$')
        {
            _unexpected = buffer[p];
            return Fail(ProtocolError.ExpectedDollar);
        }
        if (buffer[lineEnd + 1] != (byte)'\n')
            return Fail(ProtocolError.InvalidLineEnd);
        if (!IntegerText.TryParse(buffer[(p + 1)..lineEnd], out long declared) || declared < 0 || declared > MaxBulkBytes)
            return Fail(ProtocolError.InvalidBulkLength);
        if (declared > UnauthenticatedBulkBytes && IsRestricted)
            return Fail(ProtocolError.UnauthenticatedBulkLength);
        length = (int)declared;
        p = lineEnd + 2;
        return ParseStatus.Complete;
    }

    // Finds the CR of the line that begins at start, with at least one byte after it. Examines no byte twice.
    private bool TryFindLine(ReadOnlySpan<byte> buffer, int start, ProtocolError tooLong, out int lineEnd, out ParseStatus status)
    {
        int from = Math.Max(start, _requestStart + _scanned);
        int found = from < buffer.Length ? buffer[from..].IndexOf((byte)'\r') : -1;
        lineEnd = from + found;
        if (found >= 0 && lineEnd + 1 < buffer.Length)
        {
            status = ParseStatus.Complete;
            return true;
        }
        _scanned = (found >= 0 ? lineEnd : buffer.Length) - _requestStart;
        status = found < 0 && buffer.Length - start > MaxLineBytes ? Fail(tooLong) : ParseStatus.NeedMore;
        return false;
    }

    private void Save(int p, int length, int slot, long end)
    {
        _next = p - _requestStart;
        _bulkLength = length;
        _argumentCount = slot - _argumentBase;
        _remaining = (int)(end - slot);
    }

    private ParseStatus StopInPayload(int present)
    {
        if (_bulkLength < PendingBulkThreshold || present >= _bulkLength)
            return ParseStatus.NeedMore;
        Pending = new PendingBulk(_argumentCount, _bulkLength, _requestStart + _next, present);
        return ParseStatus.PendingBulk;
    }

    // The caller received the payload itself: only its line end is read here.
    private bool TryFinishExternal(ReadOnlySpan<byte> buffer, ref int p, ArgumentTable table, out ParseStatus status)
    {
        status = ParseStatus.NeedMore;
        if (buffer.Length - p < 2)
            return false;
        if (BinaryPrimitives.ReadUInt16LittleEndian(buffer.Slice(p, 2)) != LineEnd)
        {
            status = Fail(ProtocolError.InvalidLineEnd);
            return false;
        }
        int slot = _argumentBase + _argumentCount;
        table.Grow(slot)[slot] = ArgumentRange.External(_externalHandle, _bulkLength);
        _awaitsLineEnd = false;
        p += 2;
        Save(p, -1, slot + 1, (long)slot + _remaining);
        return true;
    }

    private ParseStatus ParseInline(ReadOnlySpan<byte> buffer, ref int position, ArgumentTable table, out RequestRange request)
    {
        request = default;
        int from = position + _scanned;
        int found = from < buffer.Length ? buffer[from..].IndexOfAny((byte)'\n', (byte)0) : -1;
        if (found < 0 || buffer[from + found] == 0)
        {
            // A NUL hides all later line ends, so such a request can only exceed the limit.
            _scanned = found < 0 ? buffer.Length - position : _scanned + found;
            return buffer.Length - position > MaxLineBytes ? Fail(ProtocolError.InlineTooLong) : ParseStatus.NeedMore;
        }
        int newline = from + found;
        int lineEnd = newline > position && buffer[newline - 1] == (byte)'\r' ? newline - 1 : newline;
        int count = InlineSplitter.Split(buffer, position, lineEnd, table);
        if (count < 0)
            return Fail(ProtocolError.UnbalancedQuotes);
        request = new RequestRange(table.Count, count);
        table.Commit(count);
        _scanned = 0;
        position = newline + 1;
        return ParseStatus.Complete;
    }

    private ParseStatus Fail(ProtocolError error)
    {
        Debug.Assert(error != ProtocolError.None);
        Error = error;
        return ParseStatus.Error;
    }

    private ReadOnlySpan<byte> ExpectedDollarText() => (byte[])[.. "ERR Protocol error: expected '$', got '"u8, _unexpected, (byte)'\''];
}
