// EVALSHA sha1 numkeys [key ...] [arg ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Runs a script that the server has.</summary>
internal static class EvalShaCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "EVALSHA",
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
        Keys = [KeySpec.Counted(2, 0, 1, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update)],
        MakeHandler = static parts => EvalCall.Of(parts, byHash: true, isReadOnly: false).Execute,
        MakeFlags = static parts => new DeclaredScriptFlags(parts.Get<ServerScripts>()).Of,
    };
}
