// SET key value
using Garnet.Store;

namespace Garnet.Server.Commands.Strings;

/// <summary>Sets a key to a string.</summary>
internal static class SetCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SET",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.String,
        Categories = AclCategories.Slow | AclCategories.String | AclCategories.Write,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update | KeySpecFlags.VariableFlags, notes: "RW and ACCESS due to the optional `GET` argument")],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Count != 3)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return;
        }

        RecordHandle record = context.Open(1);
        record.Set(context[2]);
        context.Reply.WriteOk();
    }
}
