// SCRIPT DEBUG YES | SYNC | NO [engine]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Scripting;

/// <summary>There is no debugger for scripts.</summary>
internal static class ScriptDebugCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DEBUG",
        Arity = -3,
        Flags = CommandFlags.NoScript,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments,
        Since = "3.2.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Is(2, "NO"u8))
            context.Reply.WriteOk();
        else
            context.Reply.WriteError("ERR The debugger for scripts is not supported by this server"u8);
    }
}
