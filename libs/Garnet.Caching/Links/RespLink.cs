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

    public ValueTask<RespValue> CallAsync(string command, ReadOnlyMemory<byte>[] arguments, CancellationToken cancellationToken = default)
    {
        return new ValueTask<RespValue>(_client.CallAsync([NameOf(command), .. arguments], cancellationToken));
    }

    public ValueTask<RespValue[]> CallAllAsync(CacheCommand[] commands, CancellationToken cancellationToken = default)
    {
        var requests = new ReadOnlyMemory<byte>[commands.Length][];
        for (int i = 0; i < commands.Length; i++)
            requests[i] = [NameOf(commands[i].Name), .. commands[i].Arguments];
        Task<RespValue[]> replies = _client.CallAllAsync(requests);
        return new ValueTask<RespValue[]>(cancellationToken.CanBeCanceled ? replies.WaitAsync(cancellationToken) : replies);
    }

    public RespValue? CallHere(string command, ReadOnlyMemory<byte>[] arguments) => null;

    public async ValueTask<StoredBytes> ReadAsync(ReadOnlyMemory<byte> key, bool withTime)
    {
        if (!withTime)
        {
            RespValue value = await _client.CallAsync([GetWord, key]).ConfigureAwait(false);
            return value.IsNull ? StoredBytes.None : new StoredBytes(value.Bytes, -1);
        }

        RespValue[] replies = await _client
            .CallAllAsync([
                [PttlWord, key],
                [GetWord, key],
            ])
            .ConfigureAwait(false);
        return Stored(replies[0], replies[1]);
    }

    public async ValueTask<StoredBytes[]> ReadManyAsync(ReadOnlyMemory<byte>[] keys)
    {
        if (keys.Length == 0)
            return [];
        var requests = new ReadOnlyMemory<byte>[2 * keys.Length][];
        for (int i = 0; i < keys.Length; i++)
        {
            requests[2 * i] = [PttlWord, keys[i]];
            requests[(2 * i) + 1] = [GetWord, keys[i]];
        }

        RespValue[] replies = await _client.CallAllAsync(requests).ConfigureAwait(false);
        var read = new StoredBytes[keys.Length];
        for (int i = 0; i < read.Length; i++)
            read[i] = Stored(replies[2 * i], replies[(2 * i) + 1]);
        return read;
    }

    public ValueTask DisposeAsync() => _client.DisposeAsync();

    private static byte[] NameOf(string command) => Names.GetOrAdd(command, static command => Encoding.ASCII.GetBytes(command));

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
