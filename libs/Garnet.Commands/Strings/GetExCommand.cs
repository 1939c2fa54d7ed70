// GETEX key [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT unix-time-milliseconds | PERSIST | SLIDING [TOUCH] [FROM
// unix-time-milliseconds]] SLIDING is an extension: it renews the expiry of a key that was set with SLIDING, and only reads another. With
// TOUCH the reply is 1 for a key and 0 for none, instead of the value.
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;
using Garnet.Store.Records;

namespace Garnet.Commands.Strings;

/// <summary>Replies with the string at a key and changes the key's expiry.</summary>
internal static class GetExCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "GETEX",
        Arity = -2,
        Flags = CommandFlags.Write | CommandFlags.Fast,
        Group = CommandGroup.String,
        Since = "6.2.0",
        Keys =
        [
            KeySpec.Range(
                1,
                0,
                1,
                KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update,
                notes: "RW and UPDATE because it changes the TTL"
            ),
        ],
        // With SLIDING the command is a read: it stays available when writes are denied because saving failed.
        ReadsWhenDenied = static (in CommandContext context) => context.Count > 2 && context.Is(2, "SLIDING"u8),
        Handler = Execute,
    };

    private const StringOption Allowed =
        StringOption.AnyExpiry | StringOption.Persist | StringOption.Renew | StringOption.From | StringOption.Touch;

    private static void Execute(ref CommandContext context)
    {
        if (context.Count == 2)
        {
            GetCommand.ReplyWithString(ref context, 1);
            return;
        }

        if (!StringOptions.TryParse(ref context, Allowed, 2, out StringOptions options))
            return;
        if (options.Has(StringOption.Renew))
        {
            Renew(ref context, options);
            return;
        }

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
        if (context.HasPassed(expiresAtMs))
        {
            context.NotifyInsteadOfDel(KeyEvent.Expired);
            record.Expire();
            context.ReplaceEffect("DEL"u8, context[1]);
            return;
        }

        record.SetExpiry(expiresAtMs);
        context.Notify(KeyEvent.Expire, 1);
        if (context.HasSink)
            context.BeginEffect(3).Add("PEXPIREAT"u8).Add(context[1]).Add(expiresAtMs);
    }

    private static void Persist(ref CommandContext context, ref RecordHandle record)
    {
        if (record.ExpiresAtMs < 0)
            return;
        record.SetExpiry(-1);
        context.Notify(KeyEvent.Persist, 1);
        context.ReplaceEffect("PERSIST"u8, context[1]);
    }

    private static void Renew(ref CommandContext context, in StringOptions options)
    {
        if (!SlidingArguments.TryReadFrom(ref context, options, out long fromMs))
            return;
        RecordHandle record = context.Open(1);
        if (
            !(
                options.Has(StringOption.Touch)
                    ? TryReplyWithExistence(ref context, ref record)
                    : GetSetCommand.TryReplyWithOld(ref context, ref record)
            ) || !record.Exists
        )
        {
            return;
        }
        // FROM is applied exactly: it comes from a log or another server, where the renewal has already happened.
        SlidingExpiry sliding = record.Sliding;
        if (!sliding.Slides || !(options.Has(StringOption.From) || sliding.IsDue(record.ExpiresAtMs, fromMs)))
            return;
        // A renewal that cannot be logged must not be applied, so the key keeps its expiry. Failed snapshots do not prevent a renewal: keys
        // that are in use should not expire because of them.
        if (context.Client.Propagation.Sink.IsDenied)
            return;
        record.Slide(fromMs);
        if (context.HasSink)
            context.BeginEffect(5).Add("GETEX"u8).Add(context[1]).Add("SLIDING"u8).Add("FROM"u8).Add(fromMs);
    }

    private static bool TryReplyWithExistence(ref CommandContext context, ref RecordHandle record)
    {
        context.CountLookup(record.Exists, 1);
        if (record.Exists && record.Type != RecordType.String)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            return false;
        }

        context.Reply.WriteInteger(record.Exists ? 1 : 0);
        return true;
    }
}
