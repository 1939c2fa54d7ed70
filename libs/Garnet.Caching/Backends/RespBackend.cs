// Caches in a remote server, reached over one shared RESP connection. Thread-safe.
using System.Buffers;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;
using Garnet.Client;

namespace Garnet.Caching.Backends;

/// <summary>Each operation is one command, pipelined with those of other callers.</summary>
internal sealed class RespBackend(RespMultiplexerOptions options) : ICacheBackend
{
    private static readonly byte[] GetWord = "GET"u8.ToArray();
    private static readonly byte[] GetExWord = "GETEX"u8.ToArray();
    private static readonly byte[] SlidingWord = "SLIDING"u8.ToArray();
    private static readonly byte[] TouchWord = "TOUCH"u8.ToArray();
    private static readonly byte[] SetWord = "SET"u8.ToArray();
    private static readonly byte[] AtWord = "PXAT"u8.ToArray();
    private static readonly byte[] DelWord = "DEL"u8.ToArray();

    private readonly RespMultiplexer _client = new(options);

    public byte[]? Get(ReadOnlyMemory<byte> key) => GetAsync(key, CancellationToken.None).AsTask().GetAwaiter().GetResult();

    public async ValueTask<byte[]?> GetAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        BytesOf(await _client.TryCallAsync([GetExWord, key, SlidingWord], cancellationToken).ConfigureAwait(false));

    public bool TryGet(ReadOnlyMemory<byte> key, IBufferWriter<byte> destination) =>
        TryGetAsync(key, destination, CancellationToken.None).AsTask().GetAwaiter().GetResult();

    public async ValueTask<bool> TryGetAsync(
        ReadOnlyMemory<byte> key,
        IBufferWriter<byte> destination,
        CancellationToken cancellationToken
    ) => TryWrite(await _client.TryCallAsync([GetExWord, key, SlidingWord], cancellationToken).ConfigureAwait(false), destination);

    public async ValueTask<byte[]?> PeekAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        BytesOf(await _client.TryCallAsync([GetWord, key], cancellationToken).ConfigureAwait(false));

    public async ValueTask<bool> TryPeekAsync(
        ReadOnlyMemory<byte> key,
        IBufferWriter<byte> destination,
        CancellationToken cancellationToken
    ) => TryWrite(await _client.TryCallAsync([GetWord, key], cancellationToken).ConfigureAwait(false), destination);

    public void Set(ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> value, CacheExpiry expiry) =>
        SetAsync(key, value, expiry, CancellationToken.None).AsTask().GetAwaiter().GetResult();

    public async ValueTask SetAsync(
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> value,
        CacheExpiry expiry,
        CancellationToken cancellationToken
    )
    {
        Task<RespValue> call = (expiry.Sliding, expiry.At) switch
        {
            ({ } sliding, { } at) => _client.TryCallAsync(
                [SetWord, key, value, SlidingWord, MillisecondsOf(sliding), AtWord, MillisecondsOf(at)],
                cancellationToken
            ),
            ({ } sliding, null) => _client.TryCallAsync([SetWord, key, value, SlidingWord, MillisecondsOf(sliding)], cancellationToken),
            (null, { } at) => _client.TryCallAsync([SetWord, key, value, AtWord, MillisecondsOf(at)], cancellationToken),
            _ => _client.TryCallAsync([SetWord, key, value], cancellationToken),
        };
        Checked(await call.ConfigureAwait(false));
    }

    public void Renew(ReadOnlyMemory<byte> key) => RenewAsync(key, CancellationToken.None).AsTask().GetAwaiter().GetResult();

    public async ValueTask RenewAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        Checked(await _client.TryCallAsync([GetExWord, key, SlidingWord, TouchWord], cancellationToken).ConfigureAwait(false));

    public void Remove(ReadOnlyMemory<byte> key) => RemoveAsync(key, CancellationToken.None).AsTask().GetAwaiter().GetResult();

    public async ValueTask RemoveAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        Checked(await _client.TryCallAsync([DelWord, key], cancellationToken).ConfigureAwait(false));

    public async ValueTask<RespValue> ExecuteAsync(string command, ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken) =>
        Checked(await _client.TryCallAsync([Encoding.UTF8.GetBytes(command), .. arguments], cancellationToken).ConfigureAwait(false));

    public void Dispose() => _client.Dispose();

    private RespValue Checked(RespValue reply) =>
        reply.IsError ? throw new InvalidOperationException($"{options.EndPointText} answered: {reply.ErrorMessage}") : reply;

    private bool TryWrite(RespValue reply, IBufferWriter<byte> destination)
    {
        if (Checked(reply).IsNull)
            return false;
        destination.Write(reply.Bytes.Span);
        return true;
    }

    // The parser gives each string an array of its own.
    private byte[]? BytesOf(RespValue reply)
    {
        if (Checked(reply).IsNull)
            return null;
        return
            MemoryMarshal.TryGetArray(reply.Bytes, out ArraySegment<byte> bytes) && bytes.Offset == 0 && bytes.Count == bytes.Array!.Length
            ? bytes.Array
            : reply.Bytes.ToArray();
    }

    private static byte[] MillisecondsOf(TimeSpan span) => Text((long)Math.Ceiling(span.TotalMilliseconds));

    private static byte[] MillisecondsOf(DateTimeOffset time) => Text(time.ToUnixTimeMilliseconds());

    private static byte[] Text(long number) => Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture));
}
