// SMEMBERS key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Replies with all members of a set.</summary>
internal static class SMembersCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SMEMBERS",
        Arity = 2,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Set,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output_order"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!SetKey.TryOpenForReading(ref context, 1, out SetValue set))
            return;
        if (context.MayReplyInPieces && set.TakeSnapshotIfLarge() is { } snapshot)
        {
            context.Suspend(new MemberPieces(snapshot, set.Length));
            return;
        }

        context.Reply.WriteSet(checked((int)set.Length));
        foreach (ReadOnlySpan<byte> member in set)
            context.Reply.WriteBulk(member);
    }
}
