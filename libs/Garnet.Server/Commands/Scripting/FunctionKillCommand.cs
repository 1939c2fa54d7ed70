// FUNCTION KILL
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Finds no function to end: functions run alone, and end by themselves or at busy-reply-threshold.</summary>
internal static class FunctionKillCommand
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
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        // This command cannot be executed while a function runs.
        context.Reply.WriteError("NOTBUSY No scripts in execution right now."u8);
    }
}
