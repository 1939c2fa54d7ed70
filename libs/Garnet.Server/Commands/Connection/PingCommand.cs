// PING [message]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Commands.Connection;

/// <summary>Replies with PONG, or the message given.</summary>
internal static class PingCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PING",
        Arity = -1,
        Flags = CommandFlags.Fast,
        Group = CommandGroup.Connection,
        Traits = CommandTraits.ReportsWriteDenial | CommandTraits.TakesLongArguments | CommandTraits.ForSubscribers,
        Since = "1.0.0",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Count > 2)
            context.WriteArityError();
        else if (context.Client.Output.TakesOnlySubscriptions)
            WriteForSubscriber(ref context);
        else if (context.Count == 2)
            context.Reply.WriteBulk(context[1]);
        else
            context.Reply.WriteSimpleString("PONG"u8);
    }

    // In the form of a message, as such a client expects nothing else.
    private static void WriteForSubscriber(ref CommandContext context)
    {
        context.Reply.WriteArray(2);
        context.Reply.WriteBulk("pong"u8);
        context.Reply.WriteBulk(context.Count == 2 ? context[1] : default);
    }
}
