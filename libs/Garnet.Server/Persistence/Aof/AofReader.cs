// Reads append-only files of Redis and Valkey. One thread.
using System.Buffers.Text;
using System.Text;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Files;

namespace Garnet.Server.Persistence.Aof;

/// <summary>
/// A file is an RDB file, or a sequence of requests, or both in this order. Lines that begin with # are annotations. A transaction counts
/// as one unit: a file that ends inside one, or inside a request, has lost its end, which is accepted for the last file if
/// <c>aof-load-truncated</c> is set. Anything else that is not a request is damage.
/// </summary>
/// <param name="loadSnapshot">Loads an RDB file from the beginning of a stream, and returns its length.</param>
/// <param name="openReader">Creates the applier for the effects of one file; the selected database is 0.</param>
/// <param name="mayTruncate">Whether the last file may lack its end.</param>
internal sealed class AofReader(Func<AofFile, Stream, long> loadSnapshot, Func<IEffectApplier> openReader, bool mayTruncate)
{
    private const int InitialBytes = 8 << 20;
    private const string RepairAdvice =
        "Repair a copy of it with the tool of the server that wrote it (valkey-check-aof, redis-check-aof), or restore it from a copy";

    private byte[] _buffer = [];
    private AofFile _file;
    private long _origin;
    private int _end;

    /// <summary>Bytes read of all files.</summary>
    public long ReadBytes { get; private set; }

    /// <summary>The lost end, or null.</summary>
    public LogTruncation? Truncation { get; private set; }

    /// <summary>Reads a whole file.</summary>
    /// <exception cref="AppendOnlyLogException">It is damaged.</exception>
    public void Read(AofFile file)
    {
        _file = file;
        try
        {
            using FileStream stream = RegularFile.OpenStream(file.Path);
            _origin = SkipSnapshot(stream);
            ReadBytes += _origin;
            if (_origin < stream.Length)
                ReadRequests(stream);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new AppendOnlyLogException(file.Path, 0, e.Message, "Put the file back, or restore it from a copy");
        }
    }

    private long SkipSnapshot(FileStream stream)
    {
        byte[] opening = new byte[6];
        int read = stream.ReadAtLeast(opening, opening.Length, throwOnEndOfStream: false);
        stream.Position = 0;
        bool isSnapshot =
            read == opening.Length && (opening.AsSpan().SequenceEqual("REDIS0"u8) || opening.AsSpan().SequenceEqual("VALKEY"u8));
        return isSnapshot ? loadSnapshot(_file, stream) : 0;
    }

    private void ReadRequests(FileStream stream)
    {
        IEffectApplier applier = openReader();
        using var ending = applier as IDisposable;
        stream.Position = _origin;
        if (_buffer.Length == 0)
            _buffer = GC.AllocateUninitializedArray<byte>(InitialBytes);
        _end = 0;
        while (true)
        {
            int read = stream.Read(_buffer, _end, _buffer.Length - _end);
            _end += read;
            int whole = FindEndOfWhole(out int requests);
            if (requests > 0)
            {
                applier.Apply(new ArraySegment<byte>(_buffer, 0, requests), _file.Path, _origin);
                applier.Settle();
            }

            if (whole > 0)
            {
                _buffer.AsSpan(whole, _end - whole).CopyTo(_buffer);
                _end -= whole;
                _origin += whole;
                ReadBytes += whole;
            }

            if (read == 0)
                break;
            if (_end == _buffer.Length)
                Grow();
        }

        if (_end > 0)
            EndInside();
    }

    private void Grow()
    {
        if (_buffer.Length == Array.MaxLength)
            throw new AppendOnlyLogException(_file.Path, _origin, "a request or a transaction is longer than 2 GiB", RepairAdvice);
        Array.Resize(ref _buffer, (int)Math.Min(_buffer.Length * 2L, Array.MaxLength));
    }

    // The file ends inside a request or a transaction.
    private void EndInside()
    {
        const string Problem = "the file ends inside a request or a transaction";
        if (!_file.IsLast)
            throw new AppendOnlyLogException(_file.Path, _origin, Problem + ", and is not the last one", RepairAdvice);
        if (!mayTruncate)
        {
            throw new AppendOnlyLogException(
                _file.Path,
                _origin,
                Problem,
                "Set aof-load-truncated to yes to continue with the data before it"
            );
        }

        Truncation = new LogTruncation(_file.Path, _origin, _end);
    }

    // The end of the last whole request or annotation outside of an unfinished transaction, and the end of the last such request: effect
    // appliers skip empty lines before a request, and expect one after them.
    private int FindEndOfWhole(out int requests)
    {
        int at = 0;
        int whole = 0;
        requests = 0;
        bool isInTransaction = false;
        while (at < _end)
        {
            int start = at;
            if (!TrySkip(ref at, out ReadOnlySpan<byte> name, out bool isAnnotation))
                break;
            if (Ascii.EqualsIgnoreCase(name, "MULTI"u8))
                isInTransaction = true;
            else if (Ascii.EqualsIgnoreCase(name, "EXEC"u8))
                isInTransaction = false;
            // Effect appliers do not support annotations.
            if (isAnnotation)
                _buffer.AsSpan(start, at - start).Fill((byte)'\n');
            if (isInTransaction)
                continue;
            whole = at;
            if (!isAnnotation)
                requests = at;
        }

        return whole;
    }

    // False when the request or annotation is incomplete. Empty lines count as annotations.
    private bool TrySkip(ref int at, out ReadOnlySpan<byte> name, out bool isAnnotation)
    {
        name = default;
        int start = at;
        isAnnotation = _buffer[at] is (byte)'#' or (byte)'\r' or (byte)'\n';
        if (isAnnotation)
        {
            int line = _buffer.AsSpan(at, _end - at).IndexOf((byte)'\n');
            at += line + 1;
            return line >= 0;
        }

        if (!TryReadNumber(ref at, (byte)'*', start, out long count))
            return false;
        if (count < 1)
            throw Damage(start, "a request has no arguments");
        for (long i = 0; i < count; i++)
        {
            if (!TryReadNumber(ref at, (byte)'$', start, out long length))
                return false;
            if (length is < 0 or > int.MaxValue - 2)
                throw Damage(start, "an argument has no length");
            if (_end - at < length + 2)
                return false;
            if (i == 0)
                name = _buffer.AsSpan(at, (int)length);
            at += (int)length + 2;
        }

        return true;
    }

    private bool TryReadNumber(ref int at, byte mark, int start, out long number)
    {
        const int MaxDigits = 21;
        number = 0;
        if (at >= _end)
            return false;
        ReadOnlySpan<byte> rest = _buffer.AsSpan(at, _end - at);
        if (rest[0] != mark)
            throw Damage(start, $"{(char)mark} is expected at byte {_origin + at}");
        int end = rest[..Math.Min(rest.Length, MaxDigits + 3)].IndexOf("\r\n"u8);
        if (end < 0 && rest.Length <= MaxDigits)
            return false;
        if (end < 0 || !Utf8Parser.TryParse(rest[1..end], out number, out int used) || used != end - 1)
            throw Damage(start, $"a number is expected at byte {_origin + at + 1}");
        at += end + 2;
        return true;
    }

    private AppendOnlyLogException Damage(int start, string problem) =>
        new(_file.Path, _origin + start, "this is not a request: " + problem, RepairAdvice);
}
