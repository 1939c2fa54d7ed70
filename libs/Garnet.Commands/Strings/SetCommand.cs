// SET key value [NX | XX | IFEQ comparison-value] [GET] [EX seconds | PX milliseconds | EXAT unix-time-seconds | PXAT
// unix-time-milliseconds | KEEPTTL]
//     [SLIDING milliseconds [FROM unix-time-milliseconds]]
// SLIDING is an extension: the key expires so long after FROM (now) or its last renewal by GETEX key SLIDING, at the latest when EX, PX,
// EXAT or PXAT says.
using Garnet.Engine.Events;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;
using Garnet.Store.Records;

namespace Garnet.Commands.Strings;

/// <summary>Sets a key to a string.</summary>
internal static class SetCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SET",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.String,
        Traits = CommandTraits.Short | CommandTraits.MayCompare,
        Since = "1.0.0",
        Keys =
        [
            KeySpec.Range(
                1,
                0,
                1,
                KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update | KeySpecFlags.VariableFlags,
                notes: "RW and ACCESS due to the optional `GET` argument"
            ),
        ],
        KeyFlags = KeyFlags,
        Event = KeyEvent.Set,
        Handler = Execute,
    };

    private const StringOption Allowed =
        StringOption.Nx
        | StringOption.Xx
        | StringOption.IfEq
        | StringOption.Get
        | StringOption.KeepTtl
        | StringOption.AnyExpiry
        | StringOption.Sliding
        | StringOption.From;

    private static void Execute(ref CommandContext context)
    {
        if (context.Count != 3)
        {
            ExecuteWithOptions(ref context);
            return;
        }

        RecordHandle record = context.Open(1);
        context.SetString(ref record, 2);
        context.Reply.WriteOk();
    }

    private static void ExecuteWithOptions(ref CommandContext context)
    {
        if (!StringOptions.TryParse(ref context, Allowed, 3, out StringOptions options))
            return;
        long expiresAtMs = -1;
        if (options.HasExpiry && !ExpiryArgument.TryRead(ref context, options.ExpiryIndex, options.Given, out expiresAtMs))
            return;
        SlidingExpiry sliding = default;
        long fromMs = 0;
        if (options.Has(StringOption.Sliding))
        {
            if (!SlidingArguments.TryRead(ref context, options, expiresAtMs, out sliding, out fromMs))
                return;
            expiresAtMs = sliding.ExpiresAtMs(fromMs);
        }

        if (options.HasExpiry || sliding.Slides)
            context.NotifyEach(KeyEvent.Expire);
        RecordHandle record = context.Open(1);
        bool replies = !options.Has(StringOption.Get);
        if (!replies)
        {
            if (!GetSetCommand.TryReplyWithOld(ref context, ref record))
                return;
            record.Usage.UseAgain();
        }

        if (options.Has(StringOption.IfEq) && replies && record.Exists && record.Type != RecordType.String)
        {
            context.Reply.WriteError(ErrorText.WrongType);
            return;
        }

        if (!IsMet(in context, in options, ref record))
        {
            if (replies)
                context.Reply.WriteNull();
            return;
        }

        if ((options.HasExpiry || sliding.Slides) && context.HasPassed(expiresAtMs))
            RemoveInstead(ref context, ref record);
        else if (sliding.Slides)
            StoreSliding(ref context, ref record, sliding, fromMs);
        else
            Store(ref context, in options, ref record, expiresAtMs);
        if (replies)
            context.Reply.WriteOk();
    }

    private static bool IsMet(in CommandContext context, in StringOptions options, ref RecordHandle record)
    {
        if (options.Has(StringOption.IfEq))
            return record.Exists && record.Value.SequenceEqual(context[options.ComparisonIndex]);
        return !(options.Has(StringOption.Nx) && record.Exists) && !(options.Has(StringOption.Xx) && !record.Exists);
    }

    // The time has already passed: the key would expire before any client could see it.
    private static void RemoveInstead(ref CommandContext context, ref RecordHandle record)
    {
        context.NotifyInsteadOfDel(KeyEvent.Expired);
        if (record.Expire())
            context.ReplaceEffect("DEL"u8, context[1]);
    }

    private static void Store(ref CommandContext context, in StringOptions options, ref RecordHandle record, long expiresAtMs)
    {
        if (options.Has(StringOption.KeepTtl))
            context.SetString(ref record, 2, record.ExpiresAtMs, record.Sliding);
        else
            context.SetString(ref record, 2, expiresAtMs);
        if (options.HasExpiry)
            SetEffect.WithExpiry(ref context, 1, 2, expiresAtMs);
        else if (options.Has(StringOption.KeepTtl))
            SetEffect.KeepingExpiry(ref context, 1, context[2]);
        else
            SetEffect.Plain(ref context, 1, 2);
    }

    private static void StoreSliding(ref CommandContext context, ref RecordHandle record, in SlidingExpiry sliding, long fromMs)
    {
        context.SetString(ref record, 2, sliding.ExpiresAtMs(fromMs), sliding);
        SetEffect.Sliding(ref context, 1, 2, sliding, fromMs);
    }

    // The old value is read only for GET.
    private static KeySpecFlags KeyFlags(in CommandContext context, int offset) =>
        ArgumentText.HasWord(in context, offset + 3, "GET"u8)
            ? KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Update
            : KeySpecFlags.OW | KeySpecFlags.Update;
}
