// The value of a key in the format of DUMP. Stateless; under the key's latch.
using Garnet.Persistence.Rdb;
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.DataTypes;

namespace Garnet.Server.Persistence;

/// <summary>Encodes what DUMP replies with, and MIGRATE sends.</summary>
internal static class DumpPayload
{
    /// <summary>The payload of a latched record, which must exist; false, and the error, if the code of a module's type fails.</summary>
    public static bool TryEncode(RdbPayloadWriter writer, scoped in RecordHandle record, out ReadOnlySpan<byte> payload, out string error)
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
}
