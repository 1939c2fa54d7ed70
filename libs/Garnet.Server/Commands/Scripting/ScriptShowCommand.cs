// SCRIPT SHOW sha1
using Garnet.Server.CommandModel;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Replies with the source of a script.</summary>
internal static class ScriptShowCommand
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
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (ScriptHash.TryParse(context[2], out ScriptHash hash) && context.Server.Scripts.Cache.Find(hash) is { } script)
            context.Reply.WriteBulk(script.Source);
        else
            context.Reply.WriteError("NOSCRIPT No matching script."u8);
    }
}
