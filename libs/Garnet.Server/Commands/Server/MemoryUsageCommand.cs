// MEMORY USAGE key [SAMPLES count]
using Garnet.Server.Commands.Keys;
using Garnet.Store;

namespace Garnet.Server.Commands.Server;

/// <summary>Estimates what a key takes: its record or blocks, and its share of the index.</summary>
internal static class MemoryUsageCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "USAGE",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Server,
        Categories = AclCategories.Read | AclCategories.Slow,
        Since = "4.0.0",
        Keys = [KeySpec.Range(2, 0, 1, KeySpecFlags.RO)],
        Handler = Execute,
    };

    // Header of a record; expiry when there is one; the length of a long key; an index entry with its share of a bucket and of free room.
    private const int HeaderBytes = 8;
    private const int ExpiryBytes = 8;
    private const int LongKeyBytes = 4;
    private const int LongKey = 255;
    private const int IndexBytes = 16;

    private static void Execute(ref CommandContext context)
    {
        for (int i = 3; i < context.Count; i += 2)
        {
            if (!context.Is(i, "SAMPLES"u8) || i + 1 == context.Count)
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return;
            }

            if (!context.TryGetInteger(i + 1, out long samples))
                return;
            if (samples < 0)
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return;
            }
        }

        RecordInfoReader reader = default;
        if (context.Store.ReadAny(context[2], context.Hash(2), ref reader) != ReadOutcome.Found)
        {
            context.Reply.WriteNull();
            return;
        }

        int keyBytes = context[2].Length;
        long bytes = HeaderBytes + (reader.Info.ExpiresAtMs >= 0 ? ExpiryBytes : 0) + (keyBytes >= LongKey ? LongKeyBytes : 0) + keyBytes + (long)reader.Length;
        context.Reply.WriteInteger(((bytes + 7) & ~7L) + IndexBytes);
    }
}
