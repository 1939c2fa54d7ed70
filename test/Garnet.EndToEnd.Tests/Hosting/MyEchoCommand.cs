// MYECHO message: a command that is not the server's own, in one file.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.EndToEnd.Tests.Hosting;

/// <summary>Replies with the message.</summary>
internal static class MyEchoCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "MYECHO",
        Arity = 2,
        Flags = CommandFlags.Fast,
        Group = CommandGroup.Generic,
        Since = "1.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context) => context.Reply.WriteBulk(context[1]);
}
