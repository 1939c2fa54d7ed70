// DUMP key
using Garnet.Persistence.Rdb;
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.DataTypes;

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
        var reader = new StringReader(RdbPayloads.OfThread.Of(context.Batch).Writer);
        ReadOutcome outcome = context.Read(1, RecordType.String, ref reader);
        if (outcome == ReadOutcome.Found)
            context.Reply.WriteBulk(RdbPayloads.OfThread.Of(context.Batch).Writer.Written);
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

        if (TryEncode(RdbPayloads.OfThread.Of(context.Batch).Writer, in record, out ReadOnlySpan<byte> payload, out string error))
            context.Reply.WriteBulk(payload);
        else
            context.Reply.WriteError(error);
    }

    /// <summary>The payload of a latched record, which must exist; false, and the error, if the code of a module's type fails.</summary>
    internal static bool TryEncode(RdbPayloadWriter writer, scoped in RecordHandle record, out ReadOnlySpan<byte> payload, out string error)
    {
        try
        {
            payload = Encode(writer, in record);
            error = "";
            return true;
        }
        catch (IOException e)
        {
            payload = default;
            error = "ERR " + e.Message;
            return false;
        }
    }

    private static ReadOnlySpan<byte> Encode(RdbPayloadWriter writer, scoped in RecordHandle record)
    {
        if (record.Type == RecordType.String)
            return writer.EncodeString(record.Value);
        if (record.Type == RecordType.Stream)
            return writer.EncodeStream(record.Contents.OpenStream());
        if (record.Contents.DataType is CustomType custom)
            return writer.EncodeCustom(custom, CustomValue.PayloadOf(record.Value));
        CollectionImage collection = record.Contents.OpenCollection();
        return writer.EncodeCollection(ref collection);
    }

    private readonly struct StringReader(RdbPayloadWriter writer) : IValueReader
    {
        public void Read(ReadOnlySpan<byte> value, in RecordInfo info) => writer.EncodeString(value);
    }
}
