// MODULE HELP
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Modules;

/// <summary>Lists the subcommands.</summary>
internal static class ModuleHelpCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HELP",
        Arity = 2,
        Flags = CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Categories = AclCategories.Slow,
        Since = "5.0.0",
        Handler = Execute,
    };

    private static readonly string[] Lines = ["LIST", "    Return a list of loaded modules."];

    private static void Execute(ref CommandContext context) => HelpReply.Write(ref context, Lines);
}
