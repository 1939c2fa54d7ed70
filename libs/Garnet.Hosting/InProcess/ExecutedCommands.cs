// The typed commands on any IGarnet, by its Execute. Immutable; any thread.
using System.Buffers;
using System.Globalization;
using System.Text;
using Garnet.Client;

namespace Garnet.Hosting.InProcess;

/// <summary>
/// For implementations that are not the server's own, such as an application's decorators and fakes: arguments become arrays, and results
/// are read from the reply.
/// </summary>
internal sealed class ExecutedCommands(IGarnet garnet) : ITypedCommands
{
    private static readonly ReadOnlyMemory<byte> Sliding = "SLIDING"u8.ToArray();
    private static readonly ReadOnlyMemory<byte> Touch = "TOUCH"u8.ToArray();
    private static readonly ReadOnlyMemory<byte> IfEqual = "IFEQ"u8.ToArray();

    public byte[]? Get(ReadOnlySpan<byte> key) => BytesOf(Execute("GET", [key.ToArray()]));

    public int Get(ReadOnlySpan<byte> key, Span<byte> destination) => Copy(Execute("GET", [key.ToArray()]), destination);

    public bool TryGet(ReadOnlySpan<byte> key, IBufferWriter<byte> destination) => Write(Execute("GET", [key.ToArray()]), destination);

    public bool Read<TState>(ReadOnlySpan<byte> key, TState state, ValueReader<TState> reader)
        where TState : allows ref struct
    {
        ArgumentNullException.ThrowIfNull(reader);
        RespValue reply = Execute("GET", [key.ToArray()]);
        if (reply.IsNull)
            return false;
        reader(reply.Bytes.Span, state);
        return true;
    }

    public async ValueTask<byte[]?> GetAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        BytesOf(await garnet.ExecuteAsync("GET", [key], cancellationToken).ConfigureAwait(false));

    public async ValueTask<int> GetAsync(ReadOnlyMemory<byte> key, Memory<byte> destination, CancellationToken cancellationToken) =>
        Copy(await garnet.ExecuteAsync("GET", [key], cancellationToken).ConfigureAwait(false), destination.Span);

    public async ValueTask<bool> TryGetAsync(
        ReadOnlyMemory<byte> key,
        IBufferWriter<byte> destination,
        CancellationToken cancellationToken
    ) => Write(await garnet.ExecuteAsync("GET", [key], cancellationToken).ConfigureAwait(false), destination);

    public async ValueTask<bool> ReadAsync<TState>(
        ReadOnlyMemory<byte> key,
        TState state,
        ValueReader<TState> reader,
        CancellationToken cancellationToken
    )
    {
        RespValue reply = await garnet.ExecuteAsync("GET", [key], cancellationToken).ConfigureAwait(false);
        if (reply.IsNull)
            return false;
        reader(reply.Bytes.Span, state);
        return true;
    }

    public byte[]? GetAndRenew(ReadOnlySpan<byte> key) => BytesOf(Execute("GETEX", [key.ToArray(), Sliding]));

    public bool TryGetAndRenew(ReadOnlySpan<byte> key, IBufferWriter<byte> destination) =>
        Write(Execute("GETEX", [key.ToArray(), Sliding]), destination);

    public bool Renew(ReadOnlySpan<byte> key) => IsTrue(Execute("GETEX", [key.ToArray(), Sliding, Touch]));

    public async ValueTask<byte[]?> GetAndRenewAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        BytesOf(await garnet.ExecuteAsync("GETEX", [key, Sliding], cancellationToken).ConfigureAwait(false));

    public async ValueTask<bool> TryGetAndRenewAsync(
        ReadOnlyMemory<byte> key,
        IBufferWriter<byte> destination,
        CancellationToken cancellationToken
    ) => Write(await garnet.ExecuteAsync("GETEX", [key, Sliding], cancellationToken).ConfigureAwait(false), destination);

    public async ValueTask<bool> RenewAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        IsTrue(await garnet.ExecuteAsync("GETEX", [key, Sliding, Touch], cancellationToken).ConfigureAwait(false));

    public bool Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, in SetOptions options) =>
        !Execute("SET", [key.ToArray(), value.ToArray(), .. SetArguments.Of(options)]).IsNull;

    public bool SetIfEqual(ReadOnlySpan<byte> key, ReadOnlySpan<byte> comparand, ReadOnlySpan<byte> value, in SetOptions options) =>
        !Execute("SET", [key.ToArray(), value.ToArray(), IfEqual, comparand.ToArray(), .. Unconditional(options)]).IsNull;

    public async ValueTask<bool> SetAsync(
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> value,
        SetOptions options,
        CancellationToken cancellationToken
    ) => !(await garnet.ExecuteAsync("SET", [key, value, .. SetArguments.Of(options)], cancellationToken).ConfigureAwait(false)).IsNull;

    public async ValueTask<bool> SetIfEqualAsync(
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> comparand,
        ReadOnlyMemory<byte> value,
        SetOptions options,
        CancellationToken cancellationToken
    )
    {
        ReadOnlyMemory<byte>[] arguments = [key, value, IfEqual, comparand, .. Unconditional(options)];
        return !(await garnet.ExecuteAsync("SET", arguments, cancellationToken).ConfigureAwait(false)).IsNull;
    }

    public long Integer(KeyCommand command, ReadOnlySpan<byte> key) => Execute(NameOf(command), [key.ToArray()]).AsInt64();

    public long Integer(KeyCommand command, ReadOnlySpan<byte> key, long number) =>
        Execute(NameOf(command), [key.ToArray(), Text(number)]).AsInt64();

    public async ValueTask<long> IntegerAsync(
        KeyCommand command,
        ReadOnlyMemory<byte> key,
        long? number,
        CancellationToken cancellationToken
    )
    {
        ReadOnlyMemory<byte>[] arguments = number is { } given ? [key, Text(given)] : [key];
        return (await garnet.ExecuteAsync(NameOf(command), arguments, cancellationToken).ConfigureAwait(false)).AsInt64();
    }

    public byte[]? HashGet(ReadOnlySpan<byte> key, ReadOnlySpan<byte> field) => BytesOf(Execute("HGET", [key.ToArray(), field.ToArray()]));

    public bool HashSet(ReadOnlySpan<byte> key, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value) =>
        IsTrue(Execute("HSET", [key.ToArray(), field.ToArray(), value.ToArray()]));

    public bool HashDelete(ReadOnlySpan<byte> key, ReadOnlySpan<byte> field) => IsTrue(Execute("HDEL", [key.ToArray(), field.ToArray()]));

    public async ValueTask<byte[]?> HashGetAsync(
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> field,
        CancellationToken cancellationToken
    ) => BytesOf(await garnet.ExecuteAsync("HGET", [key, field], cancellationToken).ConfigureAwait(false));

    public async ValueTask<bool> HashSetAsync(
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> field,
        ReadOnlyMemory<byte> value,
        CancellationToken cancellationToken
    ) => IsTrue(await garnet.ExecuteAsync("HSET", [key, field, value], cancellationToken).ConfigureAwait(false));

    public async ValueTask<bool> HashDeleteAsync(
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> field,
        CancellationToken cancellationToken
    ) => IsTrue(await garnet.ExecuteAsync("HDEL", [key, field], cancellationToken).ConfigureAwait(false));

    private RespValue Execute(string command, ReadOnlySpan<ReadOnlyMemory<byte>> arguments) => garnet.Execute(command, arguments);

    private static ReadOnlyMemory<byte>[] Unconditional(in SetOptions options) =>
        SetArguments.Of(options with { Condition = SetCondition.Always });

    private static string NameOf(KeyCommand command) => command.ToString().ToUpperInvariant();

    private static ReadOnlyMemory<byte> Text(long number) => Encoding.ASCII.GetBytes(number.ToString(CultureInfo.InvariantCulture));

    private static bool IsTrue(RespValue reply) => reply.AsInt64() != 0;

    private static byte[]? BytesOf(RespValue reply) => reply.IsNull ? null : reply.Bytes.ToArray();

    private static int Copy(RespValue reply, Span<byte> destination)
    {
        if (reply.IsNull)
            return -1;
        reply.Bytes.Span.TryCopyTo(destination);
        return reply.Bytes.Length;
    }

    private static bool Write(RespValue reply, IBufferWriter<byte> destination)
    {
        if (reply.IsNull)
            return false;
        destination.Write(reply.Bytes.Span);
        return true;
    }
}
