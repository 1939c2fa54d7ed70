// Caches in a server that is reached by RESP, over one shared connection. Thread-safe.
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

    private readonly RespMultiplexer client = new(options);

    public byte[]? Get(ReadOnlyMemory<byte> key) => GetAsync(key, CancellationToken.None).AsTask().GetAwaiter().GetResult();

    public ValueTask<byte[]?> GetAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        BytesAsync(CallAsync([GetExWord, key, SlidingWord], cancellationToken));

    public bool TryGet(ReadOnlyMemory<byte> key, IBufferWriter<byte> destination) => TryGetAsync(key, destination, CancellationToken.None).AsTask().GetAwaiter().GetResult();

    public ValueTask<bool> TryGetAsync(ReadOnlyMemory<byte> key, IBufferWriter<byte> destination, CancellationToken cancellationToken) =>
        TryWriteAsync(CallAsync([GetExWord, key, SlidingWord], cancellationToken), destination);

    public ValueTask<byte[]?> PeekAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) => BytesAsync(CallAsync([GetWord, key], cancellationToken));

    public ValueTask<bool> TryPeekAsync(ReadOnlyMemory<byte> key, IBufferWriter<byte> destination, CancellationToken cancellationToken) =>
        TryWriteAsync(CallAsync([GetWord, key], cancellationToken), destination);

    public void Set(ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> value, CacheExpiry expiry) =>
        SetAsync(key, value, expiry, CancellationToken.None).AsTask().GetAwaiter().GetResult();

    public async ValueTask SetAsync(ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> value, CacheExpiry expiry, CancellationToken cancellationToken)
    {
        Task<RespValue> call = (expiry.Sliding, expiry.At) switch
        {
            ({ } sliding, { } at) => CallAsync([SetWord, key, value, SlidingWord, MillisecondsOf(sliding), AtWord, MillisecondsOf(at)], cancellationToken),
            ({ } sliding, null) => CallAsync([SetWord, key, value, SlidingWord, MillisecondsOf(sliding)], cancellationToken),
            (null, { } at) => CallAsync([SetWord, key, value, AtWord, MillisecondsOf(at)], cancellationToken),
            _ => CallAsync([SetWord, key, value], cancellationToken),
        };
        await call.ConfigureAwait(false);
    }

    public void Renew(ReadOnlyMemory<byte> key) => RenewAsync(key, CancellationToken.None).AsTask().GetAwaiter().GetResult();

    public async ValueTask RenewAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        await CallAsync([GetExWord, key, SlidingWord, TouchWord], cancellationToken).ConfigureAwait(false);

    public void Remove(ReadOnlyMemory<byte> key) => RemoveAsync(key, CancellationToken.None).AsTask().GetAwaiter().GetResult();

    public async ValueTask RemoveAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        await CallAsync([DelWord, key], cancellationToken).ConfigureAwait(false);

    public async ValueTask<RespValue> ExecuteAsync(string command, ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken) =>
        await CallAsync([Encoding.UTF8.GetBytes(command), .. arguments], cancellationToken).ConfigureAwait(false);

    public void Dispose() => client.Dispose();

    private static async ValueTask<byte[]?> BytesAsync(Task<RespValue> call)
    {
        RespValue reply = await call.ConfigureAwait(false);
        return reply.IsNull ? null : BytesOf(reply);
    }

    private static async ValueTask<bool> TryWriteAsync(Task<RespValue> call, IBufferWriter<byte> destination)
    {
        RespValue reply = await call.ConfigureAwait(false);
        if (reply.IsNull)
            return false;
        destination.Write(reply.Bytes.Span);
        return true;
    }

    private async Task<RespValue> ThrowIfErrorAsync(Task<RespValue> call)
    {
        RespValue reply = await call.ConfigureAwait(false);
        return reply.IsError ? throw new InvalidOperationException($"{options.EndPoint} answered: {reply.Text}") : reply;
    }

    private Task<RespValue> CallAsync(ReadOnlySpan<ReadOnlyMemory<byte>> arguments, CancellationToken cancellationToken) =>
        ThrowIfErrorAsync(client.CallAsync(arguments, cancellationToken));

    // The parser gives each string an array of its own.
    private static byte[] BytesOf(RespValue reply) =>
        MemoryMarshal.TryGetArray(reply.Bytes, out ArraySegment<byte> bytes) && bytes.Offset == 0 && bytes.Count == bytes.Array!.Length ? bytes.Array : reply.Bytes.ToArray();

    private static byte[] MillisecondsOf(TimeSpan span) => Text((long)Math.Ceiling(span.TotalMilliseconds));

    private static byte[] MillisecondsOf(DateTimeOffset time) => Text(time.ToUnixTimeMilliseconds());

    private static byte[] Text(long number) => Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture));
}
