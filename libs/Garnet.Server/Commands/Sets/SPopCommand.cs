// SPOP key [count]
using Garnet.Protocol;
using Garnet.Server.CommandModel;
using Garnet.Store;
using Garnet.Store.Collections.Sets;

namespace Garnet.Server.Commands.Sets;

/// <summary>
/// Removes random members of a set and replies with them. The effect is SREM of the members, or DEL of the key when all are asked for.
/// </summary>
internal static class SPopCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SPOP",
        Arity = -2,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.Set,
        Categories = AclCategories.Fast | AclCategories.Set | AclCategories.Write,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private const int MembersPerEffect = 1024;
    private const int RebuiltShare = 5;

    private static void Execute(ref CommandContext context)
    {
        if (context.Count == 2)
            PopOne(ref context);
        else if (context.Count > 3)
            context.Reply.WriteError(ErrorText.Syntax);
        else if (TryGetCount(ref context, out long count))
            PopSeveral(ref context, count);
    }

    private static bool TryGetCount(ref CommandContext context, out long count)
    {
        if (IntegerText.TryParse(context[2], out count) && count >= 0)
            return true;
        context.Reply.WriteError("ERR value is out of range, must be positive"u8);
        return false;
    }

    private static void PopOne(ref CommandContext context)
    {
        if (!SetKey.TryOpen(ref context, 1, out SetValue set))
            return;
        if (!set.TryPop(out ReadOnlySpan<byte> member))
        {
            context.Reply.WriteNull();
            return;
        }

        context.ReplaceEffect("SREM"u8, context[1], member);
        context.Reply.WriteBulk(member);
    }

    private static void PopSeveral(ref CommandContext context, long count)
    {
        if (!SetKey.TryOpen(ref context, 1, out SetValue set))
            return;
        int popped = checked((int)Math.Min(count, set.Length));
        context.Reply.WriteSet(popped);
        if (popped == 0)
            return;
        context.CountChanges(popped);
        if (popped == set.Length)
        {
            // To Valkey it is a union of one set, and that counts as a lookup.
            context.CountLookup(true);
            foreach (ReadOnlySpan<byte> member in set)
                context.Reply.WriteBulk(member);
            set.Record.Delete();
            context.ReplaceEffect("DEL"u8, context[1]);
            return;
        }

        for (int i = 0; i < popped; i++)
        {
            set.TryPop(out ReadOnlySpan<byte> member);
            if (context.HasSink)
            {
                if (i % MembersPerEffect == 0)
                    context.BeginEffect(2 + Math.Min(popped - i, MembersPerEffect)).Add("SREM"u8).Add(context[1]);
                context.Client.Effects.Add(member);
            }

            context.Reply.WriteBulk(member);
        }

        if (set.Length * RebuiltShare <= popped)
            Rebuild(ref context, ref set);
    }

    // Where only few are left, Valkey collects them in a new set; so a hashtable that has become small is a listpack again.
    private static void Rebuild(ref CommandContext context, scoped ref SetValue set)
    {
        var rest = SetValue.Detached(context.Store);
        if (!set.Encoding.SequenceEqual("intset"u8))
            rest.BecomeListPack(isAnyLength: false);
        foreach (ReadOnlySpan<byte> member in set)
            rest.AddNew(StoreSession.CopyToScratch(member));
        rest.StoreTo(ref set.Record, set.Record.ExpiresAtMs);
    }
}
