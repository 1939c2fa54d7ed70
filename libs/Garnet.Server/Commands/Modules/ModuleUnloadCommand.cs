// MODULE UNLOAD name
using System.Text;
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Modules;

/// <summary>Unloads a module that was loaded from a file.</summary>
internal static class ModuleUnloadCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "UNLOAD",
        Arity = 3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.NoAsyncLoading | CommandFlags.WholeKeyspace,
        ProtectedBy = ProtectingOption.Module,
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => ModuleChange.Unload(ref context, Encoding.UTF8.GetString(context[2]));
}
