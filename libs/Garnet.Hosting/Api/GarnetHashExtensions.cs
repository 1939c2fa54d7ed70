// The commands of hashes. Stateless; any thread.
using Garnet.Hosting.InProcess;

namespace Garnet;

/// <summary>Commands of hashes over <see cref="IGarnet"/>.</summary>
/// <remarks>
/// A key that is a <see cref="string"/> is encoded as UTF-8. <see cref="IGarnet"/> explains when to use the <c>Async</c> forms.
/// </remarks>
public static class GarnetHashExtensions
{
    /// <summary>HGET: a copy of a field of a hash, or null when there is no such field.</summary>
    public static byte[]? HashGet(this IGarnet garnet, ReadOnlySpan<byte> key, ReadOnlySpan<byte> field) =>
        garnet.Typed().HashGet(key, field);

    /// <inheritdoc cref="HashGet(IGarnet, ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    public static byte[]? HashGet(this IGarnet garnet, string key, string field) =>
        garnet
            .Typed()
            .HashGet(
                TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]),
                TypedCommands.Encode(field, stackalloc byte[TypedCommands.StackBytes])
            );

    /// <summary>As <see cref="HashGet(IGarnet, ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<byte[]?> HashGetAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> field,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().HashGetAsync(key, field, cancellationToken);

    /// <inheritdoc cref="HashGetAsync(IGarnet, ReadOnlyMemory{byte}, ReadOnlyMemory{byte}, CancellationToken)"/>
    public static ValueTask<byte[]?> HashGetAsync(
        this IGarnet garnet,
        string key,
        string field,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().HashGetAsync(TypedCommands.Encode(key), TypedCommands.Encode(field), cancellationToken);

    /// <summary>HSET of one field.</summary>
    /// <returns>True when the field is new.</returns>
    public static bool HashSet(this IGarnet garnet, ReadOnlySpan<byte> key, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value) =>
        garnet.Typed().HashSet(key, field, value);

    /// <inheritdoc cref="HashSet(IGarnet, ReadOnlySpan{byte}, ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    public static bool HashSet(this IGarnet garnet, string key, string field, ReadOnlySpan<byte> value) =>
        garnet
            .Typed()
            .HashSet(
                TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]),
                TypedCommands.Encode(field, stackalloc byte[TypedCommands.StackBytes]),
                value
            );

    /// <summary>As <see cref="HashSet(IGarnet, ReadOnlySpan{byte}, ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> HashSetAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> field,
        ReadOnlyMemory<byte> value,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().HashSetAsync(key, field, value, cancellationToken);

    /// <inheritdoc cref="HashSetAsync(IGarnet, ReadOnlyMemory{byte}, ReadOnlyMemory{byte}, ReadOnlyMemory{byte}, CancellationToken)"/>
    public static ValueTask<bool> HashSetAsync(
        this IGarnet garnet,
        string key,
        string field,
        ReadOnlyMemory<byte> value,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().HashSetAsync(TypedCommands.Encode(key), TypedCommands.Encode(field), value, cancellationToken);

    /// <summary>HSET of one field to a text's UTF-8 bytes.</summary>
    /// <returns>True when the field is new.</returns>
    public static bool HashSet(this IGarnet garnet, string key, string field, string value) =>
        garnet.HashSet(key, field, TypedCommands.Encode(value, stackalloc byte[TypedCommands.StackBytes]));

    /// <summary>As <see cref="HashSet(IGarnet, string, string, string)"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> HashSetAsync(
        this IGarnet garnet,
        string key,
        string field,
        string value,
        CancellationToken cancellationToken = default
    ) => garnet.HashSetAsync(key, field, TypedCommands.Encode(value), cancellationToken);

    /// <summary>HDEL of one field.</summary>
    /// <returns>False when there was no such field.</returns>
    public static bool HashDelete(this IGarnet garnet, ReadOnlySpan<byte> key, ReadOnlySpan<byte> field) =>
        garnet.Typed().HashDelete(key, field);

    /// <inheritdoc cref="HashDelete(IGarnet, ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    public static bool HashDelete(this IGarnet garnet, string key, string field) =>
        garnet
            .Typed()
            .HashDelete(
                TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]),
                TypedCommands.Encode(field, stackalloc byte[TypedCommands.StackBytes])
            );

    /// <summary>As <see cref="HashDelete(IGarnet, ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> HashDeleteAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> field,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().HashDeleteAsync(key, field, cancellationToken);

    /// <inheritdoc cref="HashDeleteAsync(IGarnet, ReadOnlyMemory{byte}, ReadOnlyMemory{byte}, CancellationToken)"/>
    public static ValueTask<bool> HashDeleteAsync(
        this IGarnet garnet,
        string key,
        string field,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().HashDeleteAsync(TypedCommands.Encode(key), TypedCommands.Encode(field), cancellationToken);
}
