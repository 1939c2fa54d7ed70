// Typed commands of transactions. Stateless; as thread-safe as the transaction.
using Garnet.Hosting.InProcess;

namespace Garnet;

/// <summary>Commands with typed arguments over <see cref="IGarnetTransaction"/>. Strings are encoded as UTF-8.</summary>
public static class GarnetTransactionExtensions
{
    /// <inheritdoc cref="IGarnetTransaction.Watch"/>
    public static void Watch(this IGarnetTransaction transaction, string key)
    {
        ArgumentNullException.ThrowIfNull(transaction);
        transaction.Watch(TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]));
    }

    /// <summary>Queues a SET.</summary>
    /// <inheritdoc cref="IGarnetTransaction.Queue(string, ReadOnlySpan{string})"/>
    public static void Set(
        this IGarnetTransaction transaction,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        in SetOptions options = default
    )
    {
        ArgumentNullException.ThrowIfNull(transaction);
        if (transaction is InProcessTransaction own)
            own.Set(key, value, options);
        else
            transaction.Queue("SET", [key.ToArray(), value.ToArray(), .. SetArguments.Of(options)]);
    }

    /// <inheritdoc cref="Set(IGarnetTransaction, ReadOnlySpan{byte}, ReadOnlySpan{byte}, in SetOptions)"/>
    public static void Set(this IGarnetTransaction transaction, string key, ReadOnlySpan<byte> value, in SetOptions options = default) =>
        transaction.Set(TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]), value, options);

    /// <summary>Queues a SET of a text's UTF-8 bytes.</summary>
    /// <inheritdoc cref="IGarnetTransaction.Queue(string, ReadOnlySpan{string})"/>
    public static void Set(this IGarnetTransaction transaction, string key, string value, in SetOptions options = default) =>
        transaction.Set(
            TypedCommands.Encode(key, stackalloc byte[TypedCommands.StackBytes]),
            TypedCommands.Encode(value, stackalloc byte[TypedCommands.StackBytes]),
            options
        );
}
