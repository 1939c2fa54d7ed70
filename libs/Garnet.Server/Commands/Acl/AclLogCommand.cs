// ACL LOG [count | RESET]
using Garnet.Engine.Clients;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;

namespace Garnet.Server.Commands.Acl;

/// <summary>Shows or clears the log of what users were denied.</summary>
internal sealed class AclLogCommand(Users users, ServerClock clock)
{
    private const long DefaultCount = 10;

    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LOG",
        Arity = -2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale,
        Group = CommandGroup.Server,
        Since = "6.0.0",
        MakeHandler = static parts => new AclLogCommand(parts.Get<Users>(), parts.Get<ServerClock>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (context.Count > 3)
        {
            ArgumentText.WriteError(
                ref context,
                $"ERR unknown subcommand or wrong number of arguments for '{ArgumentText.Printable(context[1])}'. Try ACL HELP."
            );
            return;
        }

        DenialLog log = users.Denials;
        if (context.Count == 3 && context.Is(2, "RESET"u8))
        {
            log.Clear();
            context.Reply.WriteOk();
            return;
        }

        long count = DefaultCount;
        if (context.Count == 3 && !context.TryGetInteger(2, out count))
            return;
        DeniedCall[] calls = log.Latest((int)Math.Clamp(count, 0, int.MaxValue));
        long nowMs = clock.Time.GetUtcNow().ToUnixTimeMilliseconds();
        context.Reply.WriteArray(calls.Length);
        foreach (DeniedCall call in calls)
            Write(ref context, call, nowMs);
    }

    private static void Write(ref CommandContext context, DeniedCall call, long nowMs)
    {
        context.Reply.WriteMap(10);
        context.Reply.WriteBulk("count"u8);
        context.Reply.WriteInteger(call.Count);
        WriteText(ref context, "reason"u8, Name(call.Reason));
        WriteText(ref context, "context"u8, Name(call.Context));
        WriteText(ref context, "object"u8, call.Object);
        WriteText(ref context, "username"u8, call.UserName);
        context.Reply.WriteBulk("age-seconds"u8);
        context.Reply.WriteDouble((nowMs - call.UpdatedMs) / 1000.0);
        WriteText(ref context, "client-info"u8, call.Client);
        WriteInteger(ref context, "entry-id"u8, call.Id);
        WriteInteger(ref context, "timestamp-created"u8, call.CreatedMs);
        WriteInteger(ref context, "timestamp-last-updated"u8, call.UpdatedMs);
    }

    private static void WriteText(ref CommandContext context, ReadOnlySpan<byte> name, string value)
    {
        context.Reply.WriteBulk(name);
        ArgumentText.WriteBulk(ref context, value);
    }

    private static void WriteInteger(ref CommandContext context, ReadOnlySpan<byte> name, long value)
    {
        context.Reply.WriteBulk(name);
        context.Reply.WriteInteger(value);
    }

    private static string Name(DenialContext context) =>
        context switch
        {
            DenialContext.Transaction => "multi",
            DenialContext.Script => "lua",
            _ => "toplevel",
        };

    private static string Name(Denial reason) =>
        reason switch
        {
            Denial.Command => "command",
            Denial.Key => "key",
            Denial.Channel => "channel",
            Denial.Login => "auth",
            Denial.Certificate => "tls-cert",
            Denial.Database => "database",
            _ => throw new ArgumentOutOfRangeException(nameof(reason), reason, null),
        };
}
