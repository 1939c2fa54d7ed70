// FUNCTION DELETE library-name
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Removes a library and its functions.</summary>
internal static class FunctionDeleteCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DELETE",
        Arity = 3,
        Flags = CommandFlags.NoScript | CommandFlags.Write | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments,
        Since = "7.0.0",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) =>
        FunctionChange.Run(
            ref context,
            static (ref CommandContext context) =>
            {
                bool isDeleted = context.Server.Scripts.Functions.Delete(ArgumentText.Printable(context[2]));
                if (isDeleted)
                    context.Reply.WriteOk();
                else
                    context.Reply.WriteError("ERR Library not found"u8);
                return isDeleted;
            }
        );
}
