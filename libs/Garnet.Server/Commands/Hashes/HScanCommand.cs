// HSCAN key cursor [MATCH pattern] [COUNT count] [NOVALUES]
using Garnet.Protocol;
using Garnet.Server.Commands.Keys;
using Garnet.Store;

namespace Garnet.Server.Commands.Hashes;

/// <summary>Iterates over the fields of a hash, some at each call.</summary>
internal static class HScanCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "HSCAN",
        Arity = -3,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Hash,
        Categories = AclCategories.Hash | AclCategories.Read | AclCategories.Slow,
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

        if (!HashKey.TryOpenToRead(ref context, out HashValue hash))
            return;
        if (!hash.Exists)
        {
            ScanReply.WriteEmpty(ref context);
            return;
        }

        if (!ScanOptions.TryParse(ref context, 3, RecordType.Hash, out ScanOptions options))
            return;
        ReplyBuffer aside = context.Worker.Aside;
        aside.Clear();
        HashScanVisitor visitor = new(new RespWriter(aside, context.Reply.ProtocolVersion))
        {
            Pattern = options.Pattern,
            HasPattern = options.HasPattern,
            FieldsOnly = options.KeysOnly,
        };
        cursor = hash.Scan(cursor, (int)Math.Min(options.Count, int.MaxValue), ref visitor);
        visitor.Reply.Flush();
        ScanReply.Write(ref context, cursor, visitor.Written);
    }
}
