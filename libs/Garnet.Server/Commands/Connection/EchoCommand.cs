// ECHO message
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Connection;

/// <summary>Replies with its argument.</summary>
internal static class EchoCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ECHO",
        Arity = 2,
        Flags = CommandFlags.Loading | CommandFlags.Stale | CommandFlags.Fast,
        Group = CommandGroup.Connection,
        Traits = CommandTraits.TakesLongArguments,
        Since = "1.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => context.Reply.WriteBulk(context[1]);
}
