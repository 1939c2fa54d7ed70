// GETDEL key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Replies with the string at a key and removes the key.</summary>
internal static class GetDelCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GETDEL",
        Arity = 2,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.String,
        Since = "6.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        RecordHandle record = context.Open(1);
        if (GetSetCommand.TryReplyWithOld(ref context, ref record) && record.Delete())
            context.ReplaceEffect("DEL"u8, context[1]);
    }
}
