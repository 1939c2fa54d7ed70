// HPERSIST key FIELDS numfields field [field ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>
/// Removes the expiry of fields; the reply for each is -2 if the field does not exist, -1 if it had no expiry, otherwise 1.
/// </summary>
internal static class HPersistCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HPERSIST",
        Arity = -5,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Hash,
        Traits = CommandTraits.NeedsNewReplicas,
        Since = "9.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!FieldArguments.TryParse(ref context, out FieldArguments fields) || !HashKey.TryOpen(ref context, out HashValue hash))
            return;
        int persisted = 0;
        context.Reply.WriteArray(fields.Count);
        for (int i = fields.First; i < context.Count; i++)
        {
            bool isFound = hash.TryGet(context[i], out _, out long expiresAtMs);
            if (isFound && expiresAtMs >= 0)
            {
                hash.SetExpiry(context[i], -1);
                persisted++;
            }

            context.Reply.WriteInteger(
                !isFound ? -2
                : expiresAtMs < 0 ? -1
                : 1
            );
        }

        if (persisted > 0)
        {
            context.Client.Propagation.NeedsNewReplicas = context.HasSink;
            context.Notify(HashEvents.Persist, 1);
        }

        context.CountChanges(persisted);
    }
}
