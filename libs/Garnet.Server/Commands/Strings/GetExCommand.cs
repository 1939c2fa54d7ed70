// GETEX key [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds | PERSIST]
using Garnet.Store;

namespace Garnet.Server.Commands.Strings;

/// <summary>Replies with the string under a key and changes the key's expiry.</summary>
internal static class GetExCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GETEX",
        Arity = -2,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.String,
        Categories = AclCategories.Fast | AclCategories.String | AclCategories.Write,
        Since = "6.2.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update, notes: "RW and UPDATE because it changes the TTL")],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (context.Count == 2)
        {
            GetCommand.ReplyWithString(ref context, 1);
            return;
        }

        if (!StringOptions.TryParse(ref context, StringOption.AnyExpiry | StringOption.Persist, 2, out StringOptions options))
            return;
        long expiresAtMs = -1;
        if (options.HasExpiry && !ExpiryArgument.TryRead(ref context, options.ExpiryIndex, options.Given, out expiresAtMs))
            return;
        RecordHandle record = context.Open(1);
        if (!GetSetCommand.TryReplyWithOld(ref context, ref record) || !record.Exists)
            return;
        if (options.HasExpiry)
            Expire(ref context, ref record, expiresAtMs);
        else
            Persist(ref context, ref record);
    }

    private static void Expire(ref CommandContext context, ref RecordHandle record, long expiresAtMs)
    {
        if (expiresAtMs <= context.NowMs)
        {
            record.Delete();
            context.ReplaceEffect("DEL"u8, context[1]);
            return;
        }

        record.SetExpiry(expiresAtMs);
        if (context.HasSink)
            context.BeginEffect(3).Add("PEXPIREAT"u8).Add(context[1]).Add(expiresAtMs);
    }

    private static void Persist(ref CommandContext context, ref RecordHandle record)
    {
        if (record.ExpiresAtMs < 0)
            return;
        record.SetExpiry(-1);
        context.ReplaceEffect("PERSIST"u8, context[1]);
    }
}
