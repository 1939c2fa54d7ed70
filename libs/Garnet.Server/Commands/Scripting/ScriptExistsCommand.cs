// SCRIPT EXISTS sha1 [sha1 ...]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Replies which scripts the server has.</summary>
internal sealed class ScriptExistsCommand(ServerScripts scripts)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "EXISTS",
        Arity = -3,
        Flags = CommandFlags.NoScript | CommandFlags.Stale,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments,
        Since = "2.6.0",
        Tips = ["request_policy:all_shards", "response_policy:agg_logical_and"],
        MakeHandler = static parts => new ScriptExistsCommand(parts.Get<ServerScripts>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        context.Reply.WriteArray(context.Count - 2);
        for (int i = 2; i < context.Count; i++)
        {
            bool exists = ScriptHash.TryParse(context[i], out ScriptHash hash) && scripts.Cache.Find(hash) is not null;
            context.Reply.WriteInteger(exists ? 1 : 0);
        }
    }
}
