// ZSCAN key cursor [MATCH pattern] [COUNT count] [NOSCORES]
using System.Buffers.Text;
using Garnet.Protocol;
using Garnet.Server.Commands.Keys;
using Garnet.Store;

namespace Garnet.Server.Commands.SortedSets;

/// <summary>Iterates over members with their scores, some at each call.</summary>
internal static class ZScanCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZSCAN",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.SortedSet,
        Categories = AclCategories.Read | AclCategories.Slow | AclCategories.SortedSet,
        Since = "2.8.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!ScanCursor.TryParse(context[2], out ulong cursor))
        {
            context.Reply.WriteError("ERR invalid cursor"u8);
            return;
        }

        if (!SortedSetKey.TryOpenForReading(ref context, out SortedSetValue members))
            return;
        if (!members.Exists)
        {
            context.Reply.WriteArray(2);
            context.Reply.WriteBulk("0"u8);
            context.Reply.WriteArray(0);
            return;
        }

        if (!ScanOptions.TryParse(ref context, 3, RecordType.SortedSet, out ScanOptions options))
            return;
        // How many members there are is known last.
        ReplyBuffer aside = context.Worker.Aside;
        aside.Clear();
        ScoredReplyVisitor visitor = new(new RespWriter(aside, context.Reply.ProtocolVersion), in options, isListPack: members.Encoding.SequenceEqual("listpack"u8));
        cursor = members.Scan(cursor, (int)Math.Min(options.Count, int.MaxValue), ref visitor);
        visitor.Reply.Flush();
        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(cursor, digits, out int length);
        context.Reply.WriteArray(2);
        context.Reply.WriteBulk(digits[..length]);
        context.Reply.WriteArray(visitor.Written);
        context.Reply.WriteRaw(aside.Written);
        context.Worker.TrimAside();
    }
}
