// DUMP key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Persistence.Rdb;
using Garnet.Server.Persistence;
using Garnet.Store;

namespace Garnet.Server.Commands.Keys;

/// <summary>Replies with a value in the format that RESTORE accepts.</summary>
internal static class DumpCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DUMP",
        Arity = 2,
        Flags = CommandFlags.ReadOnly,
        Group = CommandGroup.Generic,
        Categories = AclCategories.Keyspace,
        Since = "2.6.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
        Tips = ["nondeterministic_output"],
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        // A string is encoded while it is read without a latch, because compressing a large one takes long.
        var reader = new StringReader(RdbPayloads.OfThread.Of(context.Scratch).Writer);
        ReadOutcome outcome = context.Read(1, RecordType.String, ref reader);
        if (outcome == ReadOutcome.Found)
            context.Reply.WriteBulk(RdbPayloads.OfThread.Of(context.Scratch).Writer.Written);
        else if (outcome == ReadOutcome.Missing)
            context.Reply.WriteNull();
        else
            ReplyWithCollection(ref context);
    }

    // The value may have changed or disappeared since the first lookup, which counted as the access.
    private static void ReplyWithCollection(ref CommandContext context)
    {
        RecordHandle record = context.OpenUntouched(1);
        if (!record.Exists)
        {
            context.Reply.WriteNull();
            return;
        }

        RdbPayloadWriter writer = RdbPayloads.OfThread.Of(context.Scratch).Writer;
        if (DumpPayload.TryEncode(writer, in record, out ReadOnlySpan<byte> payload, out string error))
            context.Reply.WriteBulk(payload);
        else
            context.Reply.WriteError(error);
    }

    private readonly struct StringReader(RdbPayloadWriter writer) : IValueReader
    {
        public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => writer.EncodeString(value);
    }
}
