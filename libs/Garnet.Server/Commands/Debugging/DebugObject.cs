// DEBUG OBJECT key [fast], SDSLEN, LISTPACK and QUICKLIST. Stateless.
using System.Globalization;
using System.Text;
using Garnet.Commands.Keys;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Persistence;
using Garnet.Store;
using Garnet.Store.Collections.Lists;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Commands.Debugging;

/// <summary>
/// Describes a value in Valkey's format. The address is the record's address in the log; a large list reports the nodes that Valkey would
/// have.
/// </summary>
internal static class DebugObject
{
    // A payload is the type, the value as in an RDB file, and a version and checksum.
    private const int PayloadFrameBytes = 1 + 2 + 8;

    private const long MsPerMinute = 60_000;
    private const long MinutesMask = ushort.MaxValue;

    /// <summary>Executes OBJECT.</summary>
    public static void Write(ref CommandContext context)
    {
        if (!TryFind(ref context, out StringFormReader reader, out string encoding))
            return;
        bool isFast = context.Count == 4 && context.Is(3, "FAST"u8);
        RecordHandle record = context.OpenUntouched(2);
        StringBuilder text = new();
        text.Append(CultureInfo.InvariantCulture, $"Value at:0x{record.Contents.Address:x} refcount:1 encoding:{encoding}");
        if (!isFast)
        {
            ReadOnlySpan<byte> payload = default;
            if (
                record.Exists
                && !DumpPayload.TryEncode(RdbPayloads.OfThread.Of(context.Scratch).Writer, in record, out payload, out string error)
            )
            {
                context.Reply.WriteError(error);
                return;
            }

            text.Append(" serializedlength:").Append(Math.Max(0, payload.Length - PayloadFrameBytes));
        }

        if (context.Store.Store.Eviction.CountsFrequency)
        {
            text.Append(" lfu_freq:")
                .Append(reader.Info.Access)
                .Append(" lfu_access_time_minutes:")
                .Append((context.NowMs / MsPerMinute) & MinutesMask);
        }
        else
        {
            long idleSeconds =
                context.Store.Store.Accesses.IdleSeconds(reader.Info.Access, context.Store.NowMs) & ObjectIdleTimeCommand.ClockMask;
            text.Append(" lru:")
                .Append((context.Store.Store.Accesses.MomentOf(reader.Info.Access) / 1000) & ObjectIdleTimeCommand.ClockMask)
                .Append(" lru_seconds_idle:")
                .Append(idleSeconds);
        }

        if (encoding == "quicklist" && record.Exists)
            AppendNodes(text, in record, isFast);
        context.Reply.WriteSimpleString(Encoding.ASCII.GetBytes(text.ToString()));
    }

    /// <summary>Executes SDSLEN. The sizes are those in the store; slack in a record is not reported.</summary>
    public static void WriteTextLength(ref CommandContext context)
    {
        if (!TryFind(ref context, out StringFormReader reader, out string encoding))
            return;
        int key = context[2].Length;
        if (encoding is "embstr" or "raw")
        {
            context.Reply.WriteSimpleString(
                Encoding.ASCII.GetBytes(
                    $"key_sds_len:{key} key_sds_avail:0 obj_alloc:{8 + key + (encoding == "embstr" ? reader.Length : 0)} val_sds_len:{reader.Length} val_sds_avail:0 val_alloc:{(encoding == "raw" ? reader.Length : 0)}"
                )
            );
        }
        else
        {
            context.Reply.WriteError("ERR Not an sds encoded string."u8);
        }
    }

    /// <summary>Executes LISTPACK: writes to the log, and replies where to look, as Valkey does.</summary>
    public static void LogSmall(ref CommandContext context, ILogger log) =>
        Log(ref context, log, "listpack", "packed", "ERR Not a listpack encoded object."u8, "Listpack structure printed on stdout"u8);

    /// <summary>Executes QUICKLIST, likewise.</summary>
    public static void LogLargeList(ref CommandContext context, ILogger log) =>
        Log(
            ref context,
            log,
            "quicklist",
            "large list",
            "ERR Not a quicklist encoded object."u8,
            "Quicklist structure printed on stdout"u8
        );

    private static bool TryFind(ref CommandContext context, out StringFormReader reader, out string encoding)
    {
        reader = default;
        encoding = "";
        // DEBUG declares no keys, so a value on disk is read now, while all others wait.
        if (context.Store.Store.Tier is not null && !context.Client.Executor.TryBeginAlone(ref context))
            return false;
        if (context.Store.Reads.ReadAny(context[2], context.Hash(2), ref reader) != ReadOutcome.Found)
        {
            context.Reply.WriteError(ErrorText.NoSuchKey);
            return false;
        }

        encoding = Encoding.ASCII.GetString(ObjectEncodingCommand.NameOf(reader, context[2].Length));
        return true;
    }

    // As TryFind, but counts as a lookup.
    private static bool TryLookUp(scoped ref CommandContext context, out RecordHandle record, out string encoding)
    {
        bool isFound = TryFind(ref context, out _, out encoding);
        context.CountLookup(isFound, 2);
        record = isFound ? context.Open(2) : default;
        return isFound;
    }

    private static void AppendNodes(StringBuilder text, in RecordHandle record, bool isFast)
    {
        ListValue list = new(record);
        QuickListShape shape = list.Shape;
        text.Append(
            CultureInfo.InvariantCulture,
            $" ql_nodes:{shape.Nodes} ql_avg_node:{(double)list.Length / shape.Nodes:F2} ql_listpack_max:{shape.Setting} ql_compressed:{(shape.IsCompressed ? 1 : 0)}"
        );
        if (!isFast)
            text.Append(" ql_uncompressed_size:").Append(shape.Bytes);
    }

    private static void Log(
        ref CommandContext context,
        ILogger log,
        string asked,
        string form,
        ReadOnlySpan<byte> otherEncoding,
        ReadOnlySpan<byte> done
    )
    {
        if (!TryLookUp(ref context, out RecordHandle record, out string encoding))
            return;
        if (encoding != asked)
        {
            context.Reply.WriteError(otherEncoding);
            return;
        }

        log.LogInformation(
            "DEBUG: {Key} is {Form} of {Elements} elements",
            ArgumentText.Printable(context[2]),
            form,
            record.Contents.OpenCollection().Count
        );
        context.Reply.WriteSimpleString(done);
    }
}
