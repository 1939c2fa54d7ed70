// ZSCAN key cursor [MATCH pattern] [COUNT count] [NOSCORES]
using Garnet.Commands.Keys;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Collections.SortedSets;

namespace Garnet.Commands.SortedSets;

/// <summary>Iterates over members with their scores, some per call.</summary>
internal static class ZScanCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "ZSCAN",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.SortedSet,
        Since = "2.8.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!CollectionScan.TryBegin(ref context, RecordType.SortedSet, out RecordHandle record, out ulong cursor, out ScanOptions options))
            return;
        SortedSetValue members = new(record);
        ScoredReplyVisitor visitor = new(
            new RespWriter(context.Scratch.Deferred, context.Reply.ProtocolVersion),
            in options,
            isListPack: members.Encoding.SequenceEqual("listpack"u8)
        );
        cursor = members.Scan(cursor, (int)Math.Min(options.Count, int.MaxValue), ref visitor);
        visitor.Reply.Flush();
        ScanReply.Write(ref context, cursor, visitor.Written);
    }
}
