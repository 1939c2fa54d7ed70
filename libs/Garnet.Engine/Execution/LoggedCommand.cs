// A command as kept by the logs, independent of the request's buffer. Immutable.

namespace Garnet.Engine.Execution;

/// <summary>A command as its client sent it, with its arguments shortened.</summary>
/// <param name="Client">The client that sent it.</param>
/// <param name="Command">The command.</param>
/// <param name="Arguments">Its arguments in a form for logs.</param>
/// <param name="RequestBytes">Size of its request.</param>
internal sealed record LoggedCommand(ClientSession Client, Command Command, byte[][] Arguments, long RequestBytes)
{
    /// <summary>The command in the context; one that was blocked is shown as it was sent.</summary>
    public static LoggedCommand Of(ref CommandContext context) =>
        context.Resumed?.AsSent() ?? new(context.Client, context.Command, LoggedArguments.Shorten(ref context), context.RequestBytes);
}
