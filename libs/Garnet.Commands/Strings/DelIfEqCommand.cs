// DELIFEQ key value
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Removes a key if it holds the given string.</summary>
internal static class DelIfEqCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DELIFEQ",
        Arity = 3,
        Flags = CommandFlags.Fast | CommandFlags.Write,
        Group = CommandGroup.String,
        Traits = CommandTraits.NeedsNewReplicas | CommandTraits.Compares,
        Since = "9.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RM | KeySpecFlags.Delete)],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        RecordHandle record = context.Open(1);
        if (record.Exists && record.Type != RecordType.String)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            return;
        }

        bool equal = record.Exists && record.Value.SequenceEqual(context[2]);
        if (equal)
        {
            record.Delete();
            context.ReplaceEffect("DEL"u8, context[1]);
        }

        context.Reply.WriteInteger(equal ? 1 : 0);
    }
}
