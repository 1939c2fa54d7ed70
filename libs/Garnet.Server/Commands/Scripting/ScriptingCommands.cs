// The table of commands for scripts.
using Garnet.Engine.Execution;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Registers the commands for scripts.</summary>
internal static class ScriptingCommands
{
    public static CommandDescriptor[] All =>
        [
            EvalCommand.Descriptor,
            EvalShaCommand.Descriptor,
            EvalRoCommand.Descriptor,
            EvalShaRoCommand.Descriptor,
            ScriptCommand.Descriptor,
            FCallCommand.Descriptor,
            FCallRoCommand.Descriptor,
            FunctionCommand.Descriptor,
        ];
}
