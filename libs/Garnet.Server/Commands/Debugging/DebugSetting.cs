// DEBUG's settings for parts of Valkey that have no equivalent here. Stateless.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Server.Configuration;

namespace Garnet.Server.Commands.Debugging;

/// <summary>
/// Accepts Valkey's settings for lists, hash tables and reply buffers without effect, so that tests written for Valkey run; invalid
/// arguments are rejected as in Valkey.
/// </summary>
internal static class DebugSetting
{
    private const ulong MaxThresholdBytes = (1UL << 32) - (1 << 20);

    /// <summary>Replies and returns true if the subcommand is one of these settings.</summary>
    public static bool TryExecute(ref CommandContext context, ClientRegistry clients)
    {
        switch (context.Count)
        {
            case 3 when context.Is(1, "QUICKLIST-PACKED-THRESHOLD"u8):
                if (!MemorySize.TryParse(Encoding.Latin1.GetString(context[2]), out ulong bytes) || bytes > MaxThresholdBytes)
                {
                    context.Reply.WriteError("ERR argument must be a memory value bigger than 1 and smaller than 4gb"u8);
                    return true;
                }

                break;
            case 3
                when context.Is(1, "DICT-RESIZING"u8)
                    || context.Is(1, "HASHTABLE-CAN-ABORT-SHRINK"u8)
                    || context.Is(1, "CLIENT-ENFORCE-REPLY-LIST"u8):
            case 3 when context.Is(1, "PAUSE-AFTER-FORK"u8) || context.Is(1, "DELAY-RDB-CLIENT-FREE-SECONDS"u8):
                break;
            case 3 when context.Is(1, "PROTECT-CLIENT"u8):
                if (!IntegerText.TryParse(context[2], out long id))
                {
                    context.Reply.WriteError("ERR Invalid client id"u8);
                    return true;
                }

                if (clients.Find(id) is null)
                {
                    context.Reply.WriteError("ERR No such client"u8);
                    return true;
                }

                break;
            case 4 when context.Is(1, "REPLYBUFFER"u8) && context.Is(2, "RESIZING"u8):
                break;
            case 4 when context.Is(1, "REPLYBUFFER"u8) && context.Is(2, "PEAK-RESET-TIME"u8):
                if (!context.Is(3, "NEVER"u8) && !context.Is(3, "RESET"u8) && !IntegerText.TryParse(context[3], out _))
                {
                    context.Reply.WriteError(ErrorText.NotInteger);
                    return true;
                }

                break;
            default:
                return false;
        }

        context.Reply.WriteOk();
        return true;
    }
}
