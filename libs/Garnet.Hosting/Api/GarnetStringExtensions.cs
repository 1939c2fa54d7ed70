// The commands of strings. Stateless; any thread.
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text;
using Garnet.Hosting.InProcess;

namespace Garnet;

/// <summary>Commands of strings over <see cref="IGarnet"/>.</summary>
/// <remarks>
/// A key that is a <see cref="string"/> is encoded as UTF-8. <see cref="IGarnet"/> explains when to use the <c>Async</c> forms.
/// </remarks>
public static class GarnetStringExtensions
{
    /// <summary>GET: a copy of the string under a key, or null when there is no such key.</summary>
    public static byte[]? Get(this IGarnet garnet, ReadOnlySpan<byte> key) => garnet.Typed().Get(key);

    /// <inheritdoc cref="Get(IGarnet,ReadOnlySpan{byte})"/>
    public static byte[]? Get(this IGarnet garnet, string key) =>
        garnet.Typed().Get(TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]));

    /// <summary>As <see cref="Get(IGarnet,ReadOnlySpan{byte})"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<byte[]?> GetAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().GetAsync(key, cancellationToken);

    /// <inheritdoc cref="GetAsync(IGarnet,ReadOnlyMemory{byte},CancellationToken)"/>
    public static ValueTask<byte[]?> GetAsync(this IGarnet garnet, string key, CancellationToken cancellationToken = default) =>
        garnet.Typed().GetAsync(TypedCommands.Encode(key), cancellationToken);

    /// <summary>GET into the caller's buffer. Nothing is copied if it is shorter than the string.</summary>
    /// <returns>The string's length, or -1 when there is no such key.</returns>
    public static int Get(this IGarnet garnet, ReadOnlySpan<byte> key, Span<byte> destination) => garnet.Typed().Get(key, destination);

    /// <inheritdoc cref="Get(IGarnet,ReadOnlySpan{byte},Span{byte})"/>
    public static int Get(this IGarnet garnet, string key, Span<byte> destination) =>
        garnet.Typed().Get(TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]), destination);

    /// <summary>As <see cref="Get(IGarnet,ReadOnlySpan{byte},Span{byte})"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<int> GetAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().GetAsync(key, destination, cancellationToken);

    /// <inheritdoc cref="GetAsync(IGarnet,ReadOnlyMemory{byte},Memory{byte},CancellationToken)"/>
    public static ValueTask<int> GetAsync(
        this IGarnet garnet,
        string key,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().GetAsync(TypedCommands.Encode(key), destination, cancellationToken);

    /// <summary>GET into a writer.</summary>
    /// <returns>False when there is no such key.</returns>
    public static bool TryGet(this IGarnet garnet, ReadOnlySpan<byte> key, IBufferWriter<byte> destination) =>
        garnet.Typed().TryGet(key, destination);

    /// <inheritdoc cref="TryGet(IGarnet,ReadOnlySpan{byte},IBufferWriter{byte})"/>
    public static bool TryGet(this IGarnet garnet, string key, IBufferWriter<byte> destination) =>
        garnet.Typed().TryGet(TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]), destination);

    /// <summary>As <see cref="TryGet(IGarnet,ReadOnlySpan{byte},IBufferWriter{byte})"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> TryGetAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        IBufferWriter<byte> destination,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().TryGetAsync(key, destination, cancellationToken);

    /// <inheritdoc cref="TryGetAsync(IGarnet,ReadOnlyMemory{byte},IBufferWriter{byte},CancellationToken)"/>
    public static ValueTask<bool> TryGetAsync(
        this IGarnet garnet,
        string key,
        IBufferWriter<byte> destination,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().TryGetAsync(TypedCommands.Encode(key), destination, cancellationToken);

    /// <summary>GET: the string under a key as text, read as UTF-8, or null when there is no such key.</summary>
    public static string? GetString(this IGarnet garnet, ReadOnlySpan<byte> key)
    {
        string? text = null;
        garnet.Typed().Read(key, new TextTarget(ref text), static (value, target) => target.Text = Encoding.UTF8.GetString(value));
        return text;
    }

    /// <inheritdoc cref="GetString(IGarnet, ReadOnlySpan{byte})"/>
    public static string? GetString(this IGarnet garnet, string key) =>
        garnet.GetString(TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]));

    /// <summary>As <see cref="GetString(IGarnet, ReadOnlySpan{byte})"/>, without occupying a thread while it waits.</summary>
    public static async ValueTask<string?> GetStringAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        CancellationToken cancellationToken = default
    )
    {
        StrongBox<string?> text = new();
        await garnet
            .Typed()
            .ReadAsync(key, text, static (value, target) => target.Value = Encoding.UTF8.GetString(value), cancellationToken)
            .ConfigureAwait(false);
        return text.Value;
    }

    /// <inheritdoc cref="GetStringAsync(IGarnet, ReadOnlyMemory{byte}, CancellationToken)"/>
    public static ValueTask<string?> GetStringAsync(this IGarnet garnet, string key, CancellationToken cancellationToken = default) =>
        garnet.GetStringAsync(TypedCommands.Encode(key), cancellationToken);

    /// <summary>
    /// GET without an array: the reader is called once, with a consistent view of the value. Values of 16 KiB and more are read in
    /// place; they stay unchanged until the reader returns, and no client waits for it. The reader may call this server.
    /// </summary>
    /// <returns>False, without a call, when there is no such key.</returns>
    public static bool Read<TState>(this IGarnet garnet, ReadOnlySpan<byte> key, TState state, ValueReader<TState> reader)
        where TState : allows ref struct => garnet.Typed().Read(key, state, reader);

    /// <inheritdoc cref="Read{TState}(IGarnet,ReadOnlySpan{byte},TState,ValueReader{TState})"/>
    public static bool Read<TState>(this IGarnet garnet, string key, TState state, ValueReader<TState> reader)
        where TState : allows ref struct =>
        garnet.Typed().Read(TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]), state, reader);

    /// <summary>As <see cref="Read{TState}(IGarnet,ReadOnlySpan{byte},TState,ValueReader{TState})"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> ReadAsync<TState>(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        TState state,
        ValueReader<TState> reader,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().ReadAsync(key, state, reader, cancellationToken);

    /// <inheritdoc cref="ReadAsync{TState}(IGarnet,ReadOnlyMemory{byte},TState,ValueReader{TState},CancellationToken)"/>
    public static ValueTask<bool> ReadAsync<TState>(
        this IGarnet garnet,
        string key,
        TState state,
        ValueReader<TState> reader,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().ReadAsync(TypedCommands.Encode(key), state, reader, cancellationToken);

    /// <summary>GETEX SLIDING: as GET, and renews a sliding expiry.</summary>
    public static byte[]? GetAndRenew(this IGarnet garnet, ReadOnlySpan<byte> key) => garnet.Typed().GetAndRenew(key);

    /// <inheritdoc cref="GetAndRenew(IGarnet,ReadOnlySpan{byte})"/>
    public static byte[]? GetAndRenew(this IGarnet garnet, string key) =>
        garnet.Typed().GetAndRenew(TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]));

    /// <summary>As <see cref="GetAndRenew(IGarnet,ReadOnlySpan{byte})"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<byte[]?> GetAndRenewAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().GetAndRenewAsync(key, cancellationToken);

    /// <inheritdoc cref="GetAndRenewAsync(IGarnet,ReadOnlyMemory{byte},CancellationToken)"/>
    public static ValueTask<byte[]?> GetAndRenewAsync(this IGarnet garnet, string key, CancellationToken cancellationToken = default) =>
        garnet.Typed().GetAndRenewAsync(TypedCommands.Encode(key), cancellationToken);

    /// <summary>GETEX SLIDING: as GET into a writer, and renews a sliding expiry.</summary>
    /// <returns>False when there is no such key.</returns>
    public static bool TryGetAndRenew(this IGarnet garnet, ReadOnlySpan<byte> key, IBufferWriter<byte> destination) =>
        garnet.Typed().TryGetAndRenew(key, destination);

    /// <inheritdoc cref="TryGetAndRenew(IGarnet,ReadOnlySpan{byte},IBufferWriter{byte})"/>
    public static bool TryGetAndRenew(this IGarnet garnet, string key, IBufferWriter<byte> destination) =>
        garnet.Typed().TryGetAndRenew(TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]), destination);

    /// <summary>As <see cref="TryGetAndRenew(IGarnet,ReadOnlySpan{byte},IBufferWriter{byte})"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> TryGetAndRenewAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        IBufferWriter<byte> destination,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().TryGetAndRenewAsync(key, destination, cancellationToken);

    /// <inheritdoc cref="TryGetAndRenewAsync(IGarnet,ReadOnlyMemory{byte},IBufferWriter{byte},CancellationToken)"/>
    public static ValueTask<bool> TryGetAndRenewAsync(
        this IGarnet garnet,
        string key,
        IBufferWriter<byte> destination,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().TryGetAndRenewAsync(TypedCommands.Encode(key), destination, cancellationToken);

    /// <summary>SET with its options.</summary>
    /// <returns>False when their condition was not met and nothing was changed.</returns>
    public static bool Set(this IGarnet garnet, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, in SetOptions options = default) =>
        garnet.Typed().Set(key, value, options);

    /// <inheritdoc cref="Set(IGarnet,ReadOnlySpan{byte},ReadOnlySpan{byte},in SetOptions)"/>
    public static bool Set(this IGarnet garnet, string key, ReadOnlySpan<byte> value, in SetOptions options = default) =>
        garnet.Typed().Set(TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]), value, options);

    /// <summary>As <see cref="Set(IGarnet,ReadOnlySpan{byte},ReadOnlySpan{byte},in SetOptions)"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> SetAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> value,
        SetOptions options = default,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().SetAsync(key, value, options, cancellationToken);

    /// <inheritdoc cref="SetAsync(IGarnet,ReadOnlyMemory{byte},ReadOnlyMemory{byte},SetOptions,CancellationToken)"/>
    public static ValueTask<bool> SetAsync(
        this IGarnet garnet,
        string key,
        ReadOnlyMemory<byte> value,
        SetOptions options = default,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().SetAsync(TypedCommands.Encode(key), value, options, cancellationToken);

    /// <summary>SET of a text's UTF-8 bytes.</summary>
    /// <returns>False when the condition in the options was not met and nothing was changed.</returns>
    public static bool Set(this IGarnet garnet, string key, string value, in SetOptions options = default) =>
        garnet
            .Typed()
            .Set(
                TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]),
                TypedCommands.Encode(value, stackalloc byte[TypedCommands.StackBytes]),
                options
            );

    /// <summary>As <see cref="Set(IGarnet, string, string, in SetOptions)"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> SetAsync(
        this IGarnet garnet,
        string key,
        string value,
        SetOptions options = default,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().SetAsync(TypedCommands.Encode(key), TypedCommands.Encode(value), options, cancellationToken);

    /// <summary>SET IFEQ: sets a key only when it holds exactly these bytes. The condition in the options is ignored.</summary>
    /// <returns>False when it holds others, or there is no such key.</returns>
    public static bool SetIfEqual(
        this IGarnet garnet,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> comparand,
        ReadOnlySpan<byte> value,
        in SetOptions options = default
    ) => garnet.Typed().SetIfEqual(key, comparand, value, options);

    /// <inheritdoc cref="SetIfEqual(IGarnet,ReadOnlySpan{byte},ReadOnlySpan{byte},ReadOnlySpan{byte},in SetOptions)"/>
    public static bool SetIfEqual(
        this IGarnet garnet,
        string key,
        ReadOnlySpan<byte> comparand,
        ReadOnlySpan<byte> value,
        in SetOptions options = default
    ) => garnet.Typed().SetIfEqual(TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]), comparand, value, options);

    /// <summary>As <see cref="SetIfEqual(IGarnet,ReadOnlySpan{byte},ReadOnlySpan{byte},ReadOnlySpan{byte},in SetOptions)"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> SetIfEqualAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> comparand,
        ReadOnlyMemory<byte> value,
        SetOptions options = default,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().SetIfEqualAsync(key, comparand, value, options, cancellationToken);

    /// <inheritdoc cref="SetIfEqualAsync(IGarnet,ReadOnlyMemory{byte},ReadOnlyMemory{byte},ReadOnlyMemory{byte},SetOptions,CancellationToken)"/>
    public static ValueTask<bool> SetIfEqualAsync(
        this IGarnet garnet,
        string key,
        ReadOnlyMemory<byte> comparand,
        ReadOnlyMemory<byte> value,
        SetOptions options = default,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().SetIfEqualAsync(TypedCommands.Encode(key), comparand, value, options, cancellationToken);

    /// <summary>INCRBY: adds to the number under a key; a missing key counts as 0.</summary>
    /// <returns>The new number.</returns>
    public static long Increment(this IGarnet garnet, ReadOnlySpan<byte> key, long by = 1) =>
        garnet.Typed().Integer(KeyCommand.IncrBy, key, by);

    /// <inheritdoc cref="Increment(IGarnet,ReadOnlySpan{byte},long)"/>
    public static long Increment(this IGarnet garnet, string key, long by = 1) =>
        garnet.Typed().Integer(KeyCommand.IncrBy, TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]), by);

    /// <summary>As <see cref="Increment(IGarnet,ReadOnlySpan{byte},long)"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<long> IncrementAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        long by = 1,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().IntegerAsync(KeyCommand.IncrBy, key, by, cancellationToken);

    /// <inheritdoc cref="IncrementAsync(IGarnet,ReadOnlyMemory{byte},long,CancellationToken)"/>
    public static ValueTask<long> IncrementAsync(
        this IGarnet garnet,
        string key,
        long by = 1,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().IntegerAsync(KeyCommand.IncrBy, TypedCommands.Encode(key), by, cancellationToken);

    private ref struct TextTarget(ref string? text)
    {
        private ref string? _text = ref text;

        public string? Text
        {
            readonly get => _text;
            set => _text = value;
        }
    }
}
