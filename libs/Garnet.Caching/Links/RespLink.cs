// A cache's link to a server elsewhere: one RESP3 connection for calls and messages. Thread-safe.
using System.Collections.Concurrent;
using System.Text;
using Garnet.Client;

namespace Garnet.Caching.Links;

/// <summary>Messages come over the connection that carries the calls, so losing them and losing it are one event.</summary>
internal sealed class RespLink : ICacheLink
{
    // Of commands, which are few.
    private static readonly ConcurrentDictionary<string, byte[]> Names = new(StringComparer.Ordinal);
    private static readonly byte[] GetWord = "GET"u8.ToArray();
    private static readonly byte[] PttlWord = "PTTL"u8.ToArray();

    private readonly RespMultiplexer _client;
    private int _losses;

    public RespLink(RespMultiplexerOptions options, IReadOnlyList<string> channels) =>
        _client = new RespMultiplexer(
            options,
            new ConnectionHooks
            {
                Greeting =
                [
                    ["HELLO", "3"],
                ],
                Channels = channels,
                Pushed = OnPush,
                Ended = OnEnd,
            }
        );

    public IGarnet? Here => null;

    public int Losses => Volatile.Read(ref _losses);

    public Action<ReadOnlyMemory<byte>>? Received { get; set; }

    public Action? Lost { get; set; }

    public void Subscribe()
    {
        // Every connection begins with a subscription.
    }

    public async ValueTask<RespValue> CallAsync(
        string command,
        ReadOnlyMemory<byte>[] arguments,
        CancellationToken cancellationToken = default
    )
    {
        byte[] name = Names.GetOrAdd(command, static command => Encoding.ASCII.GetBytes(command));
        return await _client.CallAsync([name, .. arguments], cancellationToken).ConfigureAwait(false);
    }

    public RespValue? CallHere(string command, ReadOnlyMemory<byte>[] arguments) => null;

    public async ValueTask<StoredBytes> ReadAsync(ReadOnlyMemory<byte> key)
    {
        Task<RespValue> left = _client.CallAsync([PttlWord, key]);
        Task<RespValue> value = _client.CallAsync([GetWord, key]);
        return Stored(await left.ConfigureAwait(false), await value.ConfigureAwait(false));
    }

    public async ValueTask<StoredBytes[]> ReadManyAsync(ReadOnlyMemory<byte>[] keys)
    {
        var calls = new Task<RespValue>[2 * keys.Length];
        for (int i = 0; i < keys.Length; i++)
        {
            calls[2 * i] = _client.CallAsync([PttlWord, keys[i]]);
            calls[(2 * i) + 1] = _client.CallAsync([GetWord, keys[i]]);
        }

        RespValue[] replies = await Task.WhenAll(calls).ConfigureAwait(false);
        var read = new StoredBytes[keys.Length];
        for (int i = 0; i < read.Length; i++)
            read[i] = Stored(replies[2 * i], replies[(2 * i) + 1]);
        return read;
    }

    public ValueTask DisposeAsync() => _client.DisposeAsync();

    // What was set between the two commands counts as not there yet, since its time to live is not known.
    private static StoredBytes Stored(RespValue left, RespValue value) =>
        value.IsNull || left.AsInt64() == StoredBytes.None.LeftMs ? StoredBytes.None : new StoredBytes(value.Bytes, left.AsInt64());

    // ["message", channel, payload]; others are confirmations.
    private void OnPush(RespValue push)
    {
        if (push.Children is [{ } word, _, { } payload] && word.Bytes.Span.SequenceEqual("message"u8))
            Received?.Invoke(payload.Bytes);
    }

    private void OnEnd()
    {
        Interlocked.Increment(ref _losses);
        Lost?.Invoke();
    }
}
