// DEBUG OBJECT key [fast]. Stateless.
using System.Text;
using Garnet.Server.Commands.Keys;
using Garnet.Store;

namespace Garnet.Server.Commands.Server;

/// <summary>Describes a value in Valkey's words. Values are neither shared nor at a fixed address, so none is told.</summary>
internal static class DebugObject
{
    // A payload is the type, the value as a file would hold it, and a version and checksum.
    private const int PayloadFrameBytes = 1 + 2 + 8;

    // The clock that Valkey prints counts seconds in 24 bits.
    public const long ClockMask = (1 << 24) - 1;

    /// <summary>Runs the subcommand.</summary>
    public static void Write(ref CommandContext context)
    {
        StringFormReader reader = default;
        if (context.Store.ReadAny(context[2], context.Hash(2), ref reader) != ReadOutcome.Found)
        {
            context.Reply.WriteError(ErrorText.NoSuchKey);
            return;
        }

        StringBuilder text = new();
        text.Append("Value refcount:1 encoding:").Append(Encoding.ASCII.GetString(ObjectEncodingCommand.NameOf(reader, context[2].Length)));
        if (context.Count == 3 || !context.Is(3, "FAST"u8))
            text.Append(" serializedlength:").Append(SerializedLength(ref context));
        if (context.Server.Store.Eviction.CountsFrequency)
        {
            text.Append(" lfu_freq:").Append(reader.Info.Access);
        }
        else
        {
            long idleSeconds = context.Store.IdleMs(reader.Info.Access) / 1000;
            text.Append(" lru:").Append(((context.NowMs / 1000) - idleSeconds) & ClockMask).Append(" lru_seconds_idle:").Append(idleSeconds);
        }

        context.Reply.WriteSimpleString(Encoding.ASCII.GetBytes(text.ToString()));
    }

    // The value may have changed since the first look; a key that is gone has no length.
    private static int SerializedLength(ref CommandContext context)
    {
        bool touches = context.Store.Touches;
        context.Store.Touches = false;
        RecordHandle record = context.Open(2);
        context.Store.Touches = touches;
        return record.Exists ? DumpCommand.Encode(context.Worker.Payloads, in record).Length - PayloadFrameBytes : 0;
    }
}
