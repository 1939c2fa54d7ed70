// SMISMEMBER key member [member ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Replies for each argument whether it is a member of a set.</summary>
internal static class SMIsMemberCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SMISMEMBER",
        Arity = -3,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Set,
        Since = "6.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!SetKey.TryOpenForReading(ref context, 1, out SetValue set))
            return;
        context.Reply.WriteArray(context.Count - 2);
        for (int i = 2; i < context.Count; i++)
            context.Reply.WriteInteger(set.Contains(context[i]) ? 1 : 0);
    }
}
