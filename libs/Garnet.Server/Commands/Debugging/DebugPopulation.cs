// DEBUG POPULATE count [prefix] [size]. Stateless.
using System.Globalization;
using Garnet.Commands.Strings;
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Server.Commands.Debugging;

/// <summary>
/// Creates string keys <c>prefix:0</c>, <c>prefix:1</c> and so on, and keeps keys that exist. Each key is written like a separate command:
/// it reserves memory, is logged, and lets other clients run afterwards; inside a transaction all keys are written together.
/// </summary>
internal static class DebugPopulation
{
    // Maximum length of a number and the word before it.
    private const int NumberBytes = 32;

    // Memory per key for the index entry and the record header.
    private const int OverheadBytes = 24;

    public static void Execute(ref CommandContext context)
    {
        long size = 0;
        if (
            !BoundedArgument.TryGetNatural(ref context, 2, out long keys)
            || (context.Count == 5 && !BoundedArgument.TryGetNatural(ref context, 4, out size))
        )
        {
            return;
        }

        if (size > StringGrowth.Limit(in context))
        {
            context.Reply.WriteError("ERR string exceeds maximum allowed size (proto-max-bulk-len)"u8);
            return;
        }

        ReadOnlySpan<byte> prefix = context.Count == 3 ? "key"u8 : context[3];
        long bytesEach = OverheadBytes + prefix.Length + Math.Max(size, NumberBytes);
        if (keys > GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / bytesEach)
        {
            context.Reply.WriteError("ERR OOM in dbExpand"u8);
            return;
        }

        byte[] key = new byte[prefix.Length + NumberBytes];
        prefix.CopyTo(key);
        ":"u8.CopyTo(key.AsSpan(prefix.Length));
        byte[] value = new byte[Math.Max(size, NumberBytes)];
        "value:"u8.CopyTo(value);
        int keyDigits = prefix.Length + 1;
        int valueDigits = "value:"u8.Length;
        for (long number = 0; number < keys && !context.Client.End.IsForced; number++)
        {
            if (!context.Store.Memory.TryReserve(bytesEach))
            {
                context.Reply.WriteError(ErrorText.OutOfMemory);
                return;
            }

            number.TryFormat(key.AsSpan(keyDigits), out int digits, provider: CultureInfo.InvariantCulture);
            number.TryFormat(value.AsSpan(valueDigits), out _, provider: CultureInfo.InvariantCulture);
            if (!context.Client.Executor.TryContinue(ref context))
                return;
            Create(ref context, key.AsSpan(0, keyDigits + digits), value.AsSpan(0, size == 0 ? valueDigits + digits : (int)size));
        }

        // As in Valkey, these changes do not count towards a scheduled save.
        context.CountChanges(0);
        context.Reply.WriteOk();
    }

    private static void Create(ref CommandContext context, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        RecordHandle record = context.Store.Open(key, context.Store.Hash(key));
        if (!record.Exists)
        {
            record.Set(value);
            context.ReplaceEffect("SET"u8, key, value);
        }

        if (context.Client.Transactions.IsExecuting)
            return;
        context.Client.Propagation.Commit(context.Client, context.Store.Database);
        context.Store.EndCommand();
    }
}
