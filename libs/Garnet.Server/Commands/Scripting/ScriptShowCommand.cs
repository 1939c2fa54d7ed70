// SCRIPT SHOW sha1
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Replies with the source of a script.</summary>
internal sealed class ScriptShowCommand(ServerScripts scripts)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SHOW",
        Arity = 3,
        Flags = CommandFlags.NoScript | CommandFlags.Stale,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments,
        Since = "8.0.0",
        MakeHandler = static parts => new ScriptShowCommand(parts.Get<ServerScripts>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (ScriptHash.TryParse(context[2], out ScriptHash hash) && scripts.Cache.Find(hash) is { } script)
            context.Reply.WriteBulk(script.Source);
        else
            context.Reply.WriteError("NOSCRIPT No matching script."u8);
    }
}
