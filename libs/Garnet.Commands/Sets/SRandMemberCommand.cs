// SRANDMEMBER key [count]
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>
/// Replies with a random member of a set, with a number of distinct random members, or, for a negative count, with possible repetitions.
/// </summary>
internal static class SRandMemberCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SRANDMEMBER",
        Arity = -2,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Set,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Count == 2)
            ReplyWithOne(ref context);
        else if (context.Count > 3)
            context.Reply.WriteError(ErrorText.Syntax);
        else if (RandomCount.TryParse(ref context, 2, out RandomCount count))
            ReplyWithSeveral(ref context, count);
    }

    private static void ReplyWithOne(ref CommandContext context)
    {
        if (!SetKey.TryOpenForReading(ref context, 1, out SetValue set))
            return;
        foreach (ReadOnlySpan<byte> member in set.Sample(1, isDistinct: false))
        {
            context.Reply.WriteBulk(member);
            return;
        }

        context.Reply.WriteNull();
    }

    private static void ReplyWithSeveral(ref CommandContext context, RandomCount count)
    {
        if (
            !SetKey.TryOpenForReading(ref context, 1, out SetValue set)
            || !count.TryGetReplies(ref context, set.Length, set.Record.Contents.MemoryBytes, out int replies)
        )
        {
            return;
        }

        context.Reply.WriteArray(replies);
        if (count.IsDistinct && replies == set.Length)
        {
            foreach (ReadOnlySpan<byte> member in set)
                context.Reply.WriteBulk(member);
            return;
        }

        foreach (ReadOnlySpan<byte> member in set.Sample(replies, count.IsDistinct))
            context.Reply.WriteBulk(member);
    }
}
