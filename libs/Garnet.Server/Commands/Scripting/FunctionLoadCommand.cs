// FUNCTION LOAD [REPLACE] function-code
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Loads a library, and replies with its name.</summary>
internal sealed class FunctionLoadCommand(ServerScripts scripts)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LOAD",
        Arity = -3,
        Flags = CommandFlags.NoScript | CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments,
        Since = "7.0.0",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
        MakeHandler = static parts => new FunctionLoadCommand(parts.Get<ServerScripts>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        for (int i = 2; i < context.Count - 1; i++)
        {
            if (context.Is(i, "REPLACE"u8))
                continue;
            ArgumentText.WriteError(ref context, "ERR Unknown option given: " + ArgumentText.Printable(context[i]));
            return;
        }

        FunctionChange.Run(ref context, Load);
    }

    private bool Load(ref CommandContext context)
    {
        byte[] source = context[context.Count - 1].ToArray();
        bool replaces = context.Count > 3;
        bool isTrusted = context.Client.Origin.IsReplay;
        if (scripts.Functions.Load(source, replaces, isTrusted, out string name) is { } problem)
        {
            ArgumentText.WriteError(ref context, "ERR " + problem);
            return false;
        }

        ArgumentText.WriteBulk(ref context, name);
        return true;
    }
}
