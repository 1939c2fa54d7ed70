// EVAL_RO script numkeys [key ...] [arg ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Runs a script that only reads.</summary>
internal static class EvalRoCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "EVAL_RO",
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
        MakeHandler = static parts => EvalCall.Of(parts, byHash: false, isReadOnly: true).Execute,
        MakeFlags = static parts => new DeclaredScriptFlags(parts.Get<ServerScripts>()).Of,
    };
}
