// LCS key1 key2 [LEN] [IDX] [MINMATCHLEN min-match-len] [WITHMATCHLEN]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;

namespace Garnet.Commands.Strings;

/// <summary>Replies with the longest common subsequence of the strings at two keys: its text, its length, or its matching ranges.</summary>
internal static class LcsCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LCS",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.String,
        Since = "7.0.0",
        Keys = [KeySpec.Range(1, 1, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    // As in Valkey, the size that a table of 32-bit lengths would have limits the strings, although less memory is used here.
    private const ulong TableCellBytes = 4;

    private static void Execute(ref CommandContext context)
    {
        context.LatchKeys(1, 1, 2);
        if (!IsString(ref context, 1) | !IsString(ref context, 2))
        {
            context.Reply.WriteError("ERR The specified keys must contain string values"u8);
            return;
        }

        if (!LcsOptions.TryParse(ref context, out LcsOptions options))
            return;
        if (options.Length && options.Indexes)
        {
            context.Reply.WriteError("ERR If you want both the length and indexes, please just use IDX."u8);
            return;
        }

        using StringOperand first = new(context.OpenUntouched(1));
        using StringOperand second = new(context.OpenUntouched(2));
        ulong cells = (ulong)(first.Length + 1L) * (ulong)(second.Length + 1L);
        if (cells * TableCellBytes > (ulong)context.Settings.MaxStringBytes)
        {
            context.Reply.WriteError("ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len"u8);
            return;
        }

        // The strings remain valid without the latches, which other clients need.
        if (!context.Client.Transactions.IsExecuting)
            context.Store.EndCommand();
        if (options.Length)
        {
            context.Reply.WriteInteger(CommonSubsequence.Length(first.Span, second.Span));
            return;
        }

        using CommonSubsequence common = new(first.Span, second.Span);
        if (options.Indexes)
            ReplyWithMatches(ref context, common, in options);
        else
            context.Reply.WriteBulk(common.Text);
    }

    // An absent key counts as an empty string.
    private static bool IsString(ref CommandContext context, int keyArgument)
    {
        LengthReader reader = default;
        return context.Read(keyArgument, RecordType.String, ref reader) != ReadOutcome.WrongType;
    }

    private static void ReplyWithMatches(ref CommandContext context, CommonSubsequence common, in LcsOptions options)
    {
        long minLength = options.MinMatchLength;
        context.Reply.WriteMap(2);
        context.Reply.WriteBulk("matches"u8);
        context.Reply.WriteArray(common.Matches.Count(match => match.Length >= minLength));
        foreach (CommonRange match in common.Matches)
        {
            if (match.Length < minLength)
                continue;
            context.Reply.WriteArray(options.WithMatchLength ? 3 : 2);
            context.Reply.WriteArray(2);
            context.Reply.WriteInteger(match.First);
            context.Reply.WriteInteger(match.First + match.Length - 1);
            context.Reply.WriteArray(2);
            context.Reply.WriteInteger(match.Second);
            context.Reply.WriteInteger(match.Second + match.Length - 1);
            if (options.WithMatchLength)
                context.Reply.WriteInteger(match.Length);
        }

        context.Reply.WriteBulk("len"u8);
        context.Reply.WriteInteger(common.Text.Length);
    }
}
