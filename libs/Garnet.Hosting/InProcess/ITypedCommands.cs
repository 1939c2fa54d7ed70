// What the typed extension methods of IGarnet call. Implementations are thread-safe.
using System.Buffers;

namespace Garnet.Hosting.InProcess;

/// <summary>
/// Commands with typed arguments and results, without an array for what comes and goes. Internal, so that it may grow; a server in this
/// process implements it, and <see cref="ExecutedCommands"/> does for any other <see cref="IGarnet"/>.
/// </summary>
internal interface ITypedCommands
{
    byte[]? Get(ReadOnlySpan<byte> key);

    int Get(ReadOnlySpan<byte> key, Span<byte> destination);

    bool TryGet(ReadOnlySpan<byte> key, IBufferWriter<byte> destination);

    bool Read<TState>(ReadOnlySpan<byte> key, TState state, ValueReader<TState> reader)
        where TState : allows ref struct;

    ValueTask<byte[]?> GetAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken);

    ValueTask<int> GetAsync(ReadOnlyMemory<byte> key, Memory<byte> destination, CancellationToken cancellationToken);

    ValueTask<bool> TryGetAsync(ReadOnlyMemory<byte> key, IBufferWriter<byte> destination, CancellationToken cancellationToken);

    ValueTask<bool> ReadAsync<TState>(
        ReadOnlyMemory<byte> key,
        TState state,
        ValueReader<TState> reader,
        CancellationToken cancellationToken
    );

    byte[]? GetAndRenew(ReadOnlySpan<byte> key);

    bool TryGetAndRenew(ReadOnlySpan<byte> key, IBufferWriter<byte> destination);

    bool Renew(ReadOnlySpan<byte> key);

    ValueTask<byte[]?> GetAndRenewAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken);

    ValueTask<bool> TryGetAndRenewAsync(ReadOnlyMemory<byte> key, IBufferWriter<byte> destination, CancellationToken cancellationToken);

    ValueTask<bool> RenewAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken);

    bool Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, in SetOptions options);

    bool SetIfEqual(ReadOnlySpan<byte> key, ReadOnlySpan<byte> comparand, ReadOnlySpan<byte> value, in SetOptions options);

    ValueTask<bool> SetAsync(ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> value, SetOptions options, CancellationToken cancellationToken);

    ValueTask<bool> SetIfEqualAsync(
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> comparand,
        ReadOnlyMemory<byte> value,
        SetOptions options,
        CancellationToken cancellationToken
    );

    /// <summary>The number that a command replies with.</summary>
    long Integer(KeyCommand command, ReadOnlySpan<byte> key);

    /// <summary>The same, of a command that takes a number.</summary>
    long Integer(KeyCommand command, ReadOnlySpan<byte> key, long number);

    /// <summary>As <see cref="Integer(KeyCommand, ReadOnlySpan{byte})"/>; without a number when that is null.</summary>
    ValueTask<long> IntegerAsync(KeyCommand command, ReadOnlyMemory<byte> key, long? number, CancellationToken cancellationToken);

    byte[]? HashGet(ReadOnlySpan<byte> key, ReadOnlySpan<byte> field);

    bool HashSet(ReadOnlySpan<byte> key, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value);

    bool HashDelete(ReadOnlySpan<byte> key, ReadOnlySpan<byte> field);

    ValueTask<byte[]?> HashGetAsync(ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> field, CancellationToken cancellationToken);

    ValueTask<bool> HashSetAsync(
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> field,
        ReadOnlyMemory<byte> value,
        CancellationToken cancellationToken
    );

    ValueTask<bool> HashDeleteAsync(ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> field, CancellationToken cancellationToken);
}
