// HDEL key field [field ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Removes fields of a hash, and the key if none are left, and replies with the number of fields removed.</summary>
internal static class HDelCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HDEL",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Since = "2.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!HashKey.TryOpen(ref context, out HashValue hash))
            return;
        if (context.HasSink && hash.EarliestExpiryMs < context.Store.Expiry.NowMs)
            ReplaceEffect(ref context, hash);
        int removed = 0;
        for (int i = 2; i < context.Count && hash.Exists; i++)
        {
            // Expired fields are left to expiry and not counted, as in Valkey.
            if ((hash.ExpiringFields == 0 || hash.Contains(context[i])) && hash.Remove(context[i]))
                removed++;
        }

        if (removed > 0)
            context.Notify(HashEvents.Del, 1);
        context.CountChanges(removed);
        context.Reply.WriteInteger(removed);
    }

    // A replica, and a replay of the log, do not know which fields had expired, and would remove them: the effect does not name them.
    private static void ReplaceEffect(ref CommandContext context, HashValue hash)
    {
        int present = 0;
        for (int i = 2; i < context.Count; i++)
            present += hash.Contains(context[i]) ? 1 : 0;
        if (present == context.Count - 2 || present == 0)
            return;
        EffectBuffer effect = context.BeginEffect(2 + present).Add("HDEL"u8).Add(context[1]);
        for (int i = 2; i < context.Count; i++)
        {
            if (hash.Contains(context[i]))
                effect.Add(context[i]);
        }
    }
}
