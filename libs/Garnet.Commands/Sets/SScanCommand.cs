// SSCAN key cursor [MATCH pattern] [COUNT count]
using Garnet.Commands.Keys;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Iterates over the members of a set, some per call.</summary>
internal static class SScanCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "SSCAN",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Set,
        Since = "2.8.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        if (!CollectionScan.TryBegin(ref context, RecordType.Set, out RecordHandle record, out ulong cursor, out ScanOptions options))
            return;
        SetValue set = new(record);
        SetScanVisitor visitor = new(new RespWriter(context.Scratch.Deferred, context.Reply.ProtocolVersion), in options);
        cursor = set.Scan(cursor, (int)Math.Min(options.Count, int.MaxValue), ref visitor);
        visitor.Reply.Flush();
        ScanReply.Write(ref context, cursor, visitor.Written);
    }
}
