// The reply of SCAN, HSCAN, SSCAN and ZSCAN. Stateless.
using System.Buffers.Text;
using Garnet.Engine.Execution;

namespace Garnet.Commands.Keys;

/// <summary>Replies with a cursor and the elements collected in the batch's deferred reply.</summary>
internal static class ScanReply
{
    /// <summary>Writes the reply, and releases the deferred reply's memory.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="cursor">The cursor for the next call; 0 ends the iteration.</param>
    /// <param name="elements">Number of replies in the deferred reply.</param>
    public static void Write(ref CommandContext context, ulong cursor, int elements)
    {
        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(cursor, digits, out int length);
        context.Reply.WriteArray(2);
        context.Reply.WriteBulk(digits[..length]);
        context.Reply.WriteArray(elements);
        context.Scratch.Deferred.MoveTo(ref context.Reply);
    }

    /// <summary>The reply for a key that does not exist.</summary>
    public static void WriteEmpty(ref CommandContext context) => context.Reply.WriteRaw("*2\r\n$1\r\n0\r\n*0\r\n"u8);
}
