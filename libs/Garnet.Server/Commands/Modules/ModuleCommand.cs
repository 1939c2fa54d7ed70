// MODULE <subcommand> ...
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Modules;

/// <summary>The container of the MODULE subcommands.</summary>
internal static class ModuleCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "MODULE",
        Arity = -2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Help = new("5.0.0", ["LIST", "    Return a list of loaded modules."]),
        Subcommands = [ModuleListCommand.Descriptor],
    };
}
