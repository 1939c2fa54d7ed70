// The commands of keys with values of any type. Stateless; any thread.
using Garnet.Hosting.InProcess;

namespace Garnet;

/// <summary>Commands of keys over <see cref="IGarnet"/>, whatever their values are.</summary>
/// <remarks>
/// A key that is a <see cref="string"/> is encoded as UTF-8. <see cref="IGarnet"/> explains when to use the <c>Async</c> forms.
/// </remarks>
public static class GarnetKeyExtensions
{
    /// <summary>DEL: removes a key.</summary>
    /// <returns>False when there was no such key.</returns>
    public static bool Delete(this IGarnet garnet, ReadOnlySpan<byte> key) => garnet.Typed().Integer(KeyCommand.Del, key) != 0;

    /// <inheritdoc cref="Delete(IGarnet,ReadOnlySpan{byte})"/>
    public static bool Delete(this IGarnet garnet, string key) =>
        garnet.Typed().Integer(KeyCommand.Del, TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes])) != 0;

    /// <summary>As <see cref="Delete(IGarnet,ReadOnlySpan{byte})"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> DeleteAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        CancellationToken cancellationToken = default
    ) => IsNotZeroAsync(garnet.Typed().IntegerAsync(KeyCommand.Del, key, null, cancellationToken));

    /// <inheritdoc cref="DeleteAsync(IGarnet,ReadOnlyMemory{byte},CancellationToken)"/>
    public static ValueTask<bool> DeleteAsync(this IGarnet garnet, string key, CancellationToken cancellationToken = default) =>
        IsNotZeroAsync(garnet.Typed().IntegerAsync(KeyCommand.Del, TypedCommands.Encode(key), null, cancellationToken));

    /// <summary>EXISTS: whether there is such a key.</summary>
    public static bool Exists(this IGarnet garnet, ReadOnlySpan<byte> key) => garnet.Typed().Integer(KeyCommand.Exists, key) != 0;

    /// <inheritdoc cref="Exists(IGarnet,ReadOnlySpan{byte})"/>
    public static bool Exists(this IGarnet garnet, string key) =>
        garnet.Typed().Integer(KeyCommand.Exists, TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes])) != 0;

    /// <summary>As <see cref="Exists(IGarnet,ReadOnlySpan{byte})"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> ExistsAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        CancellationToken cancellationToken = default
    ) => IsNotZeroAsync(garnet.Typed().IntegerAsync(KeyCommand.Exists, key, null, cancellationToken));

    /// <inheritdoc cref="ExistsAsync(IGarnet,ReadOnlyMemory{byte},CancellationToken)"/>
    public static ValueTask<bool> ExistsAsync(this IGarnet garnet, string key, CancellationToken cancellationToken = default) =>
        IsNotZeroAsync(garnet.Typed().IntegerAsync(KeyCommand.Exists, TypedCommands.Encode(key), null, cancellationToken));

    /// <summary>PEXPIRE: makes a key expire after a time, rounded up to milliseconds. A time of zero or less removes the key.</summary>
    /// <returns>False when there is no such key.</returns>
    public static bool Expire(this IGarnet garnet, ReadOnlySpan<byte> key, TimeSpan after) =>
        garnet.Typed().Integer(KeyCommand.PExpire, key, Milliseconds.RoundUp(after)) != 0;

    /// <inheritdoc cref="Expire(IGarnet,ReadOnlySpan{byte},TimeSpan)"/>
    public static bool Expire(this IGarnet garnet, string key, TimeSpan after) =>
        garnet
            .Typed()
            .Integer(KeyCommand.PExpire, TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]), Milliseconds.RoundUp(after))
        != 0;

    /// <summary>As <see cref="Expire(IGarnet,ReadOnlySpan{byte},TimeSpan)"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> ExpireAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        TimeSpan after,
        CancellationToken cancellationToken = default
    ) => IsNotZeroAsync(garnet.Typed().IntegerAsync(KeyCommand.PExpire, key, Milliseconds.RoundUp(after), cancellationToken));

    /// <inheritdoc cref="ExpireAsync(IGarnet,ReadOnlyMemory{byte},TimeSpan,CancellationToken)"/>
    public static ValueTask<bool> ExpireAsync(
        this IGarnet garnet,
        string key,
        TimeSpan after,
        CancellationToken cancellationToken = default
    ) =>
        IsNotZeroAsync(
            garnet.Typed().IntegerAsync(KeyCommand.PExpire, TypedCommands.Encode(key), Milliseconds.RoundUp(after), cancellationToken)
        );

    /// <summary>PEXPIREAT: makes a key expire at a time. A time in the past removes the key.</summary>
    /// <returns>False when there is no such key.</returns>
    public static bool ExpireAt(this IGarnet garnet, ReadOnlySpan<byte> key, DateTimeOffset at) =>
        garnet.Typed().Integer(KeyCommand.PExpireAt, key, at.ToUnixTimeMilliseconds()) != 0;

    /// <inheritdoc cref="ExpireAt(IGarnet,ReadOnlySpan{byte},DateTimeOffset)"/>
    public static bool ExpireAt(this IGarnet garnet, string key, DateTimeOffset at) =>
        garnet
            .Typed()
            .Integer(
                KeyCommand.PExpireAt,
                TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]),
                at.ToUnixTimeMilliseconds()
            ) != 0;

    /// <summary>As <see cref="ExpireAt(IGarnet,ReadOnlySpan{byte},DateTimeOffset)"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> ExpireAtAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        DateTimeOffset at,
        CancellationToken cancellationToken = default
    ) => IsNotZeroAsync(garnet.Typed().IntegerAsync(KeyCommand.PExpireAt, key, at.ToUnixTimeMilliseconds(), cancellationToken));

    /// <inheritdoc cref="ExpireAtAsync(IGarnet,ReadOnlyMemory{byte},DateTimeOffset,CancellationToken)"/>
    public static ValueTask<bool> ExpireAtAsync(
        this IGarnet garnet,
        string key,
        DateTimeOffset at,
        CancellationToken cancellationToken = default
    ) =>
        IsNotZeroAsync(
            garnet.Typed().IntegerAsync(KeyCommand.PExpireAt, TypedCommands.Encode(key), at.ToUnixTimeMilliseconds(), cancellationToken)
        );

    /// <summary>PERSIST: removes a key's expiry.</summary>
    /// <returns>False when it had none, or there is no such key.</returns>
    public static bool Persist(this IGarnet garnet, ReadOnlySpan<byte> key) => garnet.Typed().Integer(KeyCommand.Persist, key) != 0;

    /// <inheritdoc cref="Persist(IGarnet,ReadOnlySpan{byte})"/>
    public static bool Persist(this IGarnet garnet, string key) =>
        garnet.Typed().Integer(KeyCommand.Persist, TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes])) != 0;

    /// <summary>As <see cref="Persist(IGarnet,ReadOnlySpan{byte})"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> PersistAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        CancellationToken cancellationToken = default
    ) => IsNotZeroAsync(garnet.Typed().IntegerAsync(KeyCommand.Persist, key, null, cancellationToken));

    /// <inheritdoc cref="PersistAsync(IGarnet,ReadOnlyMemory{byte},CancellationToken)"/>
    public static ValueTask<bool> PersistAsync(this IGarnet garnet, string key, CancellationToken cancellationToken = default) =>
        IsNotZeroAsync(garnet.Typed().IntegerAsync(KeyCommand.Persist, TypedCommands.Encode(key), null, cancellationToken));

    /// <summary>PTTL: the remaining time to live of a key.</summary>
    /// <returns>Null when there is no such key; <see cref="Timeout.InfiniteTimeSpan"/> when it does not expire.</returns>
    public static TimeSpan? GetTimeToLive(this IGarnet garnet, ReadOnlySpan<byte> key) =>
        TimeToLive(garnet.Typed().Integer(KeyCommand.PTtl, key));

    /// <inheritdoc cref="GetTimeToLive(IGarnet,ReadOnlySpan{byte})"/>
    public static TimeSpan? GetTimeToLive(this IGarnet garnet, string key) =>
        TimeToLive(garnet.Typed().Integer(KeyCommand.PTtl, TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes])));

    /// <summary>As <see cref="GetTimeToLive(IGarnet,ReadOnlySpan{byte})"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<TimeSpan?> GetTimeToLiveAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        CancellationToken cancellationToken = default
    ) => TimeToLiveAsync(garnet.Typed().IntegerAsync(KeyCommand.PTtl, key, null, cancellationToken));

    /// <inheritdoc cref="GetTimeToLiveAsync(IGarnet,ReadOnlyMemory{byte},CancellationToken)"/>
    public static ValueTask<TimeSpan?> GetTimeToLiveAsync(this IGarnet garnet, string key, CancellationToken cancellationToken = default) =>
        TimeToLiveAsync(garnet.Typed().IntegerAsync(KeyCommand.PTtl, TypedCommands.Encode(key), null, cancellationToken));

    /// <summary>GETEX SLIDING TOUCH: renews a sliding expiry.</summary>
    /// <returns>False when there is no such key.</returns>
    public static bool Renew(this IGarnet garnet, ReadOnlySpan<byte> key) => garnet.Typed().Renew(key);

    /// <inheritdoc cref="Renew(IGarnet,ReadOnlySpan{byte})"/>
    public static bool Renew(this IGarnet garnet, string key) =>
        garnet.Typed().Renew(TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]));

    /// <summary>As <see cref="Renew(IGarnet,ReadOnlySpan{byte})"/>, without occupying a thread while it waits.</summary>
    public static ValueTask<bool> RenewAsync(
        this IGarnet garnet,
        ReadOnlyMemory<byte> key,
        CancellationToken cancellationToken = default
    ) => garnet.Typed().RenewAsync(key, cancellationToken);

    /// <inheritdoc cref="RenewAsync(IGarnet,ReadOnlyMemory{byte},CancellationToken)"/>
    public static ValueTask<bool> RenewAsync(this IGarnet garnet, string key, CancellationToken cancellationToken = default) =>
        garnet.Typed().RenewAsync(TypedCommands.Encode(key), cancellationToken);

    // Most calls complete synchronously and then need no state machine.
    private static ValueTask<bool> IsNotZeroAsync(ValueTask<long> call)
    {
        return call.IsCompletedSuccessfully ? new ValueTask<bool>(call.Result != 0) : WaitAsync(call);

        static async ValueTask<bool> WaitAsync(ValueTask<long> call) => await call.ConfigureAwait(false) != 0;
    }

    private static ValueTask<TimeSpan?> TimeToLiveAsync(ValueTask<long> call)
    {
        return call.IsCompletedSuccessfully ? new ValueTask<TimeSpan?>(TimeToLive(call.Result)) : WaitAsync(call);

        static async ValueTask<TimeSpan?> WaitAsync(ValueTask<long> call) => TimeToLive(await call.ConfigureAwait(false));
    }

    // -2: no key; -1: no expiry.
    private static TimeSpan? TimeToLive(long milliseconds) =>
        milliseconds switch
        {
            -2 => null,
            -1 => Timeout.InfiniteTimeSpan,
            _ => Milliseconds.ToTimeSpan(milliseconds),
        };
}
