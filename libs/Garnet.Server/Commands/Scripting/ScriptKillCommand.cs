// SCRIPT KILL
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Ends the running script if it has not written.</summary>
internal static class ScriptKillCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "KILL",
        Arity = 2,
        Flags = CommandFlags.NoScript | CommandFlags.AllowBusy,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments,
        Since = "2.6.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Server.Scripts.Kill(isFunction: false) is { } problem)
            context.Reply.WriteError(problem);
        else
            context.Reply.WriteOk();
    }
}
