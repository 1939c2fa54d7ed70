// MODULE LIST
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Modules;

/// <summary>Lists the loaded modules, of which there are none.</summary>
internal static class ModuleListCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LIST",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript,
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Tips = ["nondeterministic_output_order"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => context.Reply.WriteArray(0);
}
