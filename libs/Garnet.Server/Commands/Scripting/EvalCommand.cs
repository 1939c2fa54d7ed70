// EVAL script numkeys [key ...] [arg ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Runs a script.</summary>
internal static class EvalCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "EVAL",
        Arity = -3,
        Flags =
            CommandFlags.NoScript
            | CommandFlags.SkipMonitor
            | CommandFlags.MayReplicate
            | CommandFlags.NoMandatoryKeys
            | CommandFlags.Stale
            | CommandFlags.MovableKeys,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.RunsScript | CommandTraits.TakesLongArguments,
        Since = "2.6.0",
        Keys =
        [
            KeySpec.Counted(
                2,
                0,
                1,
                1,
                KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update,
                notes: "We cannot tell how the keys will be used so we assume the worst, RW and UPDATE"
            ),
        ],
        MakeHandler = static parts => EvalCall.Of(parts, byHash: false, isReadOnly: false).Execute,
        MakeFlags = static parts => new DeclaredScriptFlags(parts.Get<ServerScripts>()).Of,
    };
}
