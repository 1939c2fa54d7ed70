// MODULE LIST
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Modules;

namespace Garnet.Server.Commands.Modules;

/// <summary>Lists the loaded modules.</summary>
internal sealed class ModuleListCommand(ServerModules modules)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LIST",
        Arity = 2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript,
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Tips = ["nondeterministic_output_order"],
        MakeHandler = static parts => new ModuleListCommand(parts.Get<ServerModules>()).Execute,
    };

    private void Execute(ref CommandContext context) => Write(ref context, modules.All);

    /// <summary>Writes an array with a map for each module, as in MODULE LIST and HELLO.</summary>
    public static void Write(ref CommandContext context, IReadOnlyList<LoadedModule> modules)
    {
        context.Reply.WriteArray(modules.Count);
        foreach (LoadedModule module in modules)
        {
            context.Reply.WriteMap(4);
            context.Reply.WriteBulk("name"u8);
            context.Reply.WriteBulk(module.Name);
            context.Reply.WriteBulk("ver"u8);
            context.Reply.WriteInteger(module.Version);
            context.Reply.WriteBulk("path"u8);
            context.Reply.WriteBulk(module.Path);
            context.Reply.WriteBulk("args"u8);
            context.Reply.WriteArray(module.Arguments.Length);
            foreach (string argument in module.Arguments)
                context.Reply.WriteBulk(argument);
        }
    }
}
