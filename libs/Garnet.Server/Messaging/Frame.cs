// The parts of one message as a subscriber receives it. Lives on the publisher's stack.
using System.Buffers.Text;
using Garnet.Store;

namespace Garnet.Server.Messaging;

/// <summary>
/// Framed in RESP2; a RESP3 push differs in its first byte only. Written as
/// <code>*3 message channel payload</code> or <code>*4 pmessage pattern channel payload</code>, each part a bulk string.
/// </summary>
internal readonly ref struct Frame
{
    // "$", the digits and CR LF; CR LF after the part.
    private const int PartOverhead = 1 + 10 + 2 + 2;

    /// <summary>"message", "pmessage" or "smessage".</summary>
    public required ReadOnlySpan<byte> Word { get; init; }

    /// <summary>The matching pattern of a "pmessage".</summary>
    public ReadOnlySpan<byte> Pattern { get; init; }

    /// <summary>True for a "pmessage".</summary>
    public bool HasPattern { get; init; }

    /// <summary>The channel's name.</summary>
    public required ReadOnlySpan<byte> Channel { get; init; }

    /// <summary>The payload.</summary>
    public required ReadOnlySpan<byte> Payload { get; init; }

    /// <summary>The payload's own block, whose bytes follow the frame without being copied; empty when the frame has the payload.</summary>
    public ValueBlock Block { get; init; }

    /// <summary>Whether the payload is not part of the frame.</summary>
    public bool IsReferenced => Block.Length > 0;

    /// <summary>At least as many bytes as <see cref="Write"/> needs.</summary>
    public int MaxBytes =>
        checked(4 + (4 * PartOverhead) + Word.Length + Pattern.Length + Channel.Length + (IsReferenced ? 0 : Payload.Length));

    /// <summary>Writes the frame, up to the payload's header when that is referenced; returns its length.</summary>
    public int Write(Span<byte> target)
    {
        target[0] = (byte)'*';
        target[1] = HasPattern ? (byte)'4' : (byte)'3';
        "\r\n"u8.CopyTo(target[2..]);
        int used = 4;
        WritePart(target, ref used, Word);
        if (HasPattern)
            WritePart(target, ref used, Pattern);
        WritePart(target, ref used, Channel);
        if (IsReferenced)
            WriteHeader(target, ref used, Block.Length);
        else
            WritePart(target, ref used, Payload);
        return used;
    }

    private static void WritePart(Span<byte> target, ref int used, ReadOnlySpan<byte> part)
    {
        WriteHeader(target, ref used, part.Length);
        part.CopyTo(target[used..]);
        used += part.Length;
        "\r\n"u8.CopyTo(target[used..]);
        used += 2;
    }

    private static void WriteHeader(Span<byte> target, ref int used, int length)
    {
        target[used++] = (byte)'$';
        Utf8Formatter.TryFormat(length, target[used..], out int digits);
        used += digits;
        "\r\n"u8.CopyTo(target[used..]);
        used += 2;
    }
}
