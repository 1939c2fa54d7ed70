// CLIENT PAUSE timeout [WRITE|ALL]
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;

namespace Garnet.Server.Commands.Connection;

/// <summary>Pauses all clients, or those that write, for some time.</summary>
internal sealed class ClientPauseCommand(ServerClock clock, ClientRegistry clients)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PAUSE",
        Arity = -3,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Connection,
        Since = "3.0.0",
        MakeHandler = static parts => new ClientPauseCommand(parts.Get<ServerClock>(), parts.Get<ClientRegistry>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        bool onlyWrites = context.Count == 4 && context.Is(3, "WRITE"u8);
        if (context.Count == 4 && !onlyWrites && !context.Is(3, "ALL"u8))
        {
            context.Reply.WriteError("ERR CLIENT PAUSE mode must be WRITE or ALL"u8);
            return;
        }

        long nowMs = clock.Time.GetUtcNow().ToUnixTimeMilliseconds();
        if (!TryGetTimeout(ref context, nowMs, out long endMs))
            return;
        if (endMs > nowMs)
            clients.Pause.Begin(endMs, onlyWrites, nowMs);
        context.Reply.WriteOk();
    }

    private static bool TryGetTimeout(ref CommandContext context, long nowMs, out long endMs)
    {
        endMs = 0;
        if (!IntegerText.TryParse(context[2], out long timeoutMs))
        {
            context.Reply.WriteError("ERR timeout is not an integer or out of range"u8);
        }
        else if (timeoutMs < 0)
        {
            context.Reply.WriteError("ERR timeout is negative"u8);
        }
        else if (timeoutMs > long.MaxValue - nowMs)
        {
            context.Reply.WriteError("ERR timeout is out of range"u8);
        }
        else
        {
            endMs = nowMs + timeoutMs;
            return true;
        }

        return false;
    }
}
