// Maps type names to the logs of COMMANDLOG. Stateless.
using Garnet.Engine.Execution;
using Garnet.Server.Logs;

namespace Garnet.Server.Commands.Logs;

/// <summary>Finds the log that an argument names.</summary>
internal static class CommandlogType
{
    /// <summary>The log that an argument names; writes the error and returns null if there is none.</summary>
    public static CommandLog? Find(ref CommandContext context, CommandLogs logs, int argument)
    {
        if (context.Is(argument, "SLOW"u8))
            return logs.Slow;
        if (context.Is(argument, "LARGE-REQUEST"u8))
            return logs.LargeRequests;
        if (context.Is(argument, "LARGE-REPLY"u8))
            return logs.LargeReplies;
        context.Reply.WriteError("ERR type should be one of the following: slow, large-request, large-reply"u8);
        return null;
    }
}
