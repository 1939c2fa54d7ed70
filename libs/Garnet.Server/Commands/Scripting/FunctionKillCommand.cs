// FUNCTION KILL
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Ends the function that has run for longer than busy-reply-threshold, unless it has written.</summary>
internal sealed class FunctionKillCommand(ServerScripts scripts)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "KILL",
        Arity = 2,
        Flags = CommandFlags.NoScript | CommandFlags.AllowBusy,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments,
        Since = "7.0.0",
        Tips = ["request_policy:all_shards", "response_policy:one_succeeded"],
        MakeHandler = static parts => new FunctionKillCommand(parts.Get<ServerScripts>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (scripts.Running.TryKill(isFunction: true, out ReadOnlySpan<byte> error))
            context.Reply.WriteOk();
        else
            context.Reply.WriteError(error);
    }
}
