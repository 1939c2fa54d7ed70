// FUNCTION DELETE library-name
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Removes a library and its functions.</summary>
internal sealed class FunctionDeleteCommand(ServerScripts scripts)
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
        MakeHandler = static parts => new FunctionDeleteCommand(parts.Get<ServerScripts>()).Execute,
    };

    private void Execute(ref CommandContext context) =>
        FunctionChange.Run(
            ref context,
            (ref CommandContext context) =>
            {
                bool isDeleted = scripts.Functions.Delete(ArgumentText.Printable(context[2]));
                if (isDeleted)
                    context.Reply.WriteOk();
                else
                    context.Reply.WriteError("ERR Library not found"u8);
                return isDeleted;
            }
        );
}
