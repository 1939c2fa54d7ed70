// FCALL_RO function numkeys [key ...] [arg ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Calls a function that only reads.</summary>
internal static class FCallRoCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "FCALL_RO",
        Arity = -3,
        Flags =
            CommandFlags.NoScript
            | CommandFlags.SkipMonitor
            | CommandFlags.NoMandatoryKeys
            | CommandFlags.Stale
            | CommandFlags.ReadOnly
            | CommandFlags.MovableKeys,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.RunsScript | CommandTraits.TakesLongArguments,
        Since = "7.0.0",
        Keys =
        [
            KeySpec.Counted(
                2,
                0,
                1,
                1,
                KeySpecFlags.RO | KeySpecFlags.Access,
                notes: "We cannot tell how the keys will be used so we assume the worst, RO and ACCESS"
            ),
        ],
        MakeHandler = static parts => FunctionCall.Of(parts, isReadOnly: true).Execute,
        MakeFlags = static parts => new DeclaredScriptFlags(parts.Get<ServerScripts>()).Of,
    };
}
