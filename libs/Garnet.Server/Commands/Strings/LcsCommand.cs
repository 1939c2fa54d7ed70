// LCS key1 key2 [LEN] [IDX] [MINMATCHLEN min-match-len] [WITHMATCHLEN]
using Garnet.Store;

namespace Garnet.Server.Commands.Strings;

/// <summary>Replies with the longest common subsequence of the strings under two keys: itself, its length, or where its runs lie.</summary>
internal static class LcsCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LCS",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.String,
        Categories = AclCategories.Read | AclCategories.Slow | AclCategories.String,
        Since = "7.0.0",
        Keys = [KeySpec.Range(1, 1, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Handler = Execute,
    };

    // What a table of 32-bit lengths would take decides whether strings are too long, though less memory is used.
    private const ulong TableCellBytes = 4;

    // The two strings are read one after the other, without latches, and taken when the first did not change meanwhile.
    private const int ReadTries = 8;

    private static void Execute(ref CommandContext context)
    {
        if (!TryReadPair(ref context, out byte[] first, out byte[] second))
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

        ulong cells = (ulong)(first.Length + 1L) * (ulong)(second.Length + 1L);
        if (cells * TableCellBytes > (ulong)context.Server.Configuration.Current.ProtoMaxBulkLengthBytes)
        {
            context.Reply.WriteError("ERR Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len"u8);
            return;
        }

        if (options.Length)
            context.Reply.WriteInteger(CommonSubsequence.Length(first, second));
        else if (options.Indexes)
            ReplyWithMatches(ref context, new CommonSubsequence(first, second), in options);
        else
            context.Reply.WriteBulk(new CommonSubsequence(first, second).Text);
    }

    private static void ReplyWithMatches(ref CommandContext context, CommonSubsequence common, in LcsOptions options)
    {
        long least = options.MinMatchLength;
        context.Reply.WriteMap(2);
        context.Reply.WriteBulk("matches"u8);
        context.Reply.WriteArray(common.Matches.Count(match => match.Length >= least));
        foreach (CommonRun match in common.Matches)
        {
            if (match.Length < least)
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

    // False when one of the keys holds another type.
    private static bool TryReadPair(ref CommandContext context, out byte[] first, out byte[] second)
    {
        CopyReader firstReader = default;
        CopyReader secondReader = default;
        bool strings = context.Read(1, RecordType.String, ref firstReader) != ReadOutcome.WrongType;
        strings &= context.Read(2, RecordType.String, ref secondReader) != ReadOutcome.WrongType;
        (first, second) = (firstReader.Bytes, secondReader.Bytes);
        for (int i = 0; strings && i < ReadTries; i++)
        {
            CopyReader again = default;
            strings = context.ReadUntouched(1, RecordType.String, ref again) != ReadOutcome.WrongType;
            if (again.Bytes.AsSpan().SequenceEqual(first))
                break;
            first = again.Bytes;
            secondReader = default;
            strings &= context.ReadUntouched(2, RecordType.String, ref secondReader) != ReadOutcome.WrongType;
            second = secondReader.Bytes;
        }

        return strings;
    }
}
