// HSCAN key cursor [MATCH pattern] [COUNT count] [NOVALUES]
using Garnet.Commands.Keys;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Collections.Hashes;

namespace Garnet.Commands.Hashes;

/// <summary>Iterates over the fields of a hash, some per call.</summary>
internal static class HScanCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HSCAN",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Hash,
        Since = "2.8.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!CollectionScan.TryBegin(ref context, RecordType.Hash, out RecordHandle record, out ulong cursor, out ScanOptions options))
            return;
        HashValue hash = new(record);
        HashScanVisitor visitor = new(new RespWriter(context.Scratch.Deferred, context.Reply.ProtocolVersion), in options);
        cursor = hash.Scan(cursor, (int)Math.Min(options.Count, int.MaxValue), ref visitor);
        visitor.Reply.Flush();
        ScanReply.Write(ref context, cursor, visitor.Written);
    }
}
