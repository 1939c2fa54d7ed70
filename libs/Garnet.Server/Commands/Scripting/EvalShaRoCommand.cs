// EVALSHA_RO sha1 numkeys [key ...] [arg ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Runs a script that only reads and that the server has.</summary>
internal static class EvalShaRoCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "EVALSHA_RO",
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
        Keys = [KeySpec.Counted(2, 0, 1, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        MakeHandler = static parts => EvalCall.Of(parts, byHash: true, isReadOnly: true).Execute,
        MakeFlags = static parts => new DeclaredScriptFlags(parts.Get<ServerScripts>()).Of,
    };
}
