// FUNCTION FLUSH [ASYNC | SYNC]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Removes all libraries; what they took is collected later in both modes.</summary>
internal sealed class FunctionFlushCommand(ServerScripts scripts)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "FLUSH",
        Arity = -2,
        Flags = CommandFlags.NoScript | CommandFlags.Write | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments,
        Since = "7.0.0",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
        MakeHandler = static parts => new FunctionFlushCommand(parts.Get<ServerScripts>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (context.Count > 3)
        {
            ArgumentText.WriteSubcommandError(ref context);
            return;
        }

        if (context.Count == 3 && !context.Is(2, "ASYNC"u8) && !context.Is(2, "SYNC"u8))
        {
            context.Reply.WriteError("ERR FUNCTION FLUSH only supports SYNC|ASYNC option"u8);
            return;
        }

        FunctionChange.Run(
            ref context,
            (ref CommandContext context) =>
            {
                scripts.Functions.Clear();
                context.Reply.WriteOk();
                return true;
            }
        );
    }
}
