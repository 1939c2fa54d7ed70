// The IDs of entries as text: ms-seq, ms, and the special forms of single commands. Stateless.
using System.Buffers.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store.Collections.Streams;

namespace Garnet.Commands.Streams;

/// <summary>Parses and writes IDs. Each half is parsed like C's strtoull, which accepts more than what is ever written.</summary>
internal static class StreamIdText
{
    /// <summary>Maximum length of an ID as text.</summary>
    public const int MaxBytes = 41;

    private const int MaxParsedBytes = 127;

    /// <summary>
    /// Parses an argument that must be an ID other than "-" and "+"; writes the error and returns false if it is invalid.
    /// </summary>
    public static bool TryGet(ref CommandContext context, int index, out StreamId id) =>
        Accept(ref context, TryParse(context[index], 0, out id));

    /// <summary>As <see cref="TryGet"/>, but also accepts "-" for the lowest ID and "+" for the highest.</summary>
    public static bool TryGetAny(ref CommandContext context, int index, ulong missingSequence, out StreamId id) =>
        Accept(ref context, TryParseAny(context[index], missingSequence, out id));

    /// <summary>Parses the lower end of a range, which "(" excludes.</summary>
    public static bool TryGetStart(ref CommandContext context, int index, out StreamId id)
    {
        if (!TryGetEnd(ref context, index, 0, out id, out bool isExclusive))
            return false;
        if (!isExclusive)
            return true;
        if (id == StreamId.Max)
        {
            context.Reply.WriteError("ERR invalid start ID for the interval"u8);
            return false;
        }

        id = Next(id);
        return true;
    }

    /// <summary>Parses the upper end of a range, which "(" excludes.</summary>
    public static bool TryGetEnd(ref CommandContext context, int index, out StreamId id)
    {
        if (!TryGetEnd(ref context, index, ulong.MaxValue, out id, out bool isExclusive))
            return false;
        if (!isExclusive)
            return true;
        if (id == StreamId.Min)
        {
            context.Reply.WriteError("ERR invalid end ID for the interval"u8);
            return false;
        }

        id = Previous(id);
        return true;
    }

    /// <summary>Parses an ID other than "-" and "+".</summary>
    public static bool TryParse(ReadOnlySpan<byte> text, ulong missingSequence, out StreamId id)
    {
        id = default;
        return !IsSign(text, (byte)'-')
            && !IsSign(text, (byte)'+')
            && TryParseHalves(text, missingSequence, acceptsAnySequence: false, out id, out _);
    }

    /// <summary>Parses an ID for XADD, whose sequence number may be "*".</summary>
    public static bool TryParseNew(ReadOnlySpan<byte> text, out StreamId id, out bool isSequenceGiven)
    {
        id = default;
        isSequenceGiven = true;
        return !IsSign(text, (byte)'-')
            && !IsSign(text, (byte)'+')
            && TryParseHalves(text, 0, acceptsAnySequence: true, out id, out isSequenceGiven);
    }

    /// <summary>The next ID; 0-0 after the highest.</summary>
    public static StreamId Next(StreamId id) =>
        id.Sequence != ulong.MaxValue ? new(id.Milliseconds, id.Sequence + 1) : new(unchecked(id.Milliseconds + 1), 0);

    /// <summary>The previous ID; the highest before 0-0.</summary>
    public static StreamId Previous(StreamId id) =>
        id.Sequence != 0 ? new(id.Milliseconds, id.Sequence - 1) : new(unchecked(id.Milliseconds - 1), ulong.MaxValue);

    /// <summary>Replies with an ID.</summary>
    public static void Write(ref RespWriter reply, StreamId id)
    {
        Span<byte> text = stackalloc byte[MaxBytes];
        reply.WriteBulk(text[..Format(id, text)]);
    }

    /// <summary>Adds an ID to an effect.</summary>
    public static EffectBuffer Add(EffectBuffer effect, StreamId id)
    {
        Span<byte> text = stackalloc byte[MaxBytes];
        return effect.Add(text[..Format(id, text)]);
    }

    /// <summary>Formats an ID and returns its length, at most <see cref="MaxBytes"/>.</summary>
    public static int Format(StreamId id, Span<byte> text)
    {
        Utf8Formatter.TryFormat(id.Milliseconds, text, out int length);
        text[length++] = (byte)'-';
        Utf8Formatter.TryFormat(id.Sequence, text[length..], out int sequence);
        return length + sequence;
    }

    private static bool TryGetEnd(ref CommandContext context, int index, ulong missingSequence, out StreamId id, out bool isExclusive)
    {
        ReadOnlySpan<byte> text = context[index];
        isExclusive = text.Length > 1 && text[0] == (byte)'(';
        return Accept(ref context, isExclusive ? TryParse(text[1..], missingSequence, out id) : TryParseAny(text, missingSequence, out id));
    }

    private static bool Accept(ref CommandContext context, bool isValid)
    {
        if (!isValid)
            context.Reply.WriteError("ERR Invalid stream ID specified as stream command argument"u8);
        return isValid;
    }

    private static bool TryParseAny(ReadOnlySpan<byte> text, ulong missingSequence, out StreamId id)
    {
        bool isLeast = IsSign(text, (byte)'-');
        id = isLeast ? StreamId.Min : StreamId.Max;
        return isLeast || IsSign(text, (byte)'+') || TryParseHalves(text, missingSequence, acceptsAnySequence: false, out id, out _);
    }

    // The comparison ends at a zero byte, as in Valkey.
    private static bool IsSign(ReadOnlySpan<byte> text, byte sign) =>
        text.Length is > 0 and <= MaxParsedBytes && text[0] == sign && (text.Length == 1 || text[1] == 0);

    private static bool TryParseHalves(
        ReadOnlySpan<byte> text,
        ulong missingSequence,
        bool acceptsAnySequence,
        out StreamId id,
        out bool isSequenceGiven
    )
    {
        id = default;
        isSequenceGiven = true;
        if (text.Length > MaxParsedBytes)
            return false;
        text = ArgumentText.UpToZero(text);
        int dash = text.IndexOf((byte)'-');
        ulong sequence = missingSequence;
        if (!TryParseHalf(dash < 0 ? text : text[..dash], out ulong milliseconds))
            return false;
        if (dash >= 0 && acceptsAnySequence && text[(dash + 1)..].SequenceEqual("*"u8))
        {
            isSequenceGiven = false;
            sequence = 0;
        }
        else if (dash >= 0 && !TryParseHalf(text[(dash + 1)..], out sequence))
        {
            return false;
        }

        id = new StreamId(milliseconds, sequence);
        return true;
    }

    private static bool TryParseHalf(ReadOnlySpan<byte> text, out ulong value)
    {
        if (IntegerText.TryParse(text, out long integer))
        {
            value = (ulong)integer;
            return integer >= 0;
        }

        value = 0;
        text = text.TrimStart(" \t\n\v\f\r"u8);
        bool isNegative = text.Length > 0 && text[0] == (byte)'-';
        if (isNegative || (text.Length > 0 && text[0] == (byte)'+'))
            text = text[1..];
        if (
            text.IsEmpty
            || text.ContainsAnyExceptInRange((byte)'0', (byte)'9')
            || !Utf8Parser.TryParse(text, out value, out int used)
            || used != text.Length
        )
        {
            return false;
        }

        value = isNegative ? unchecked(0 - value) : value;
        return true;
    }
}
