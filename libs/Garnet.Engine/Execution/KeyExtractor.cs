// Finds the keys among a command's arguments by its key specifications. Stateless.
using System.Text;
using Garnet.Engine.Requests;
using Garnet.Protocol;

namespace Garnet.Engine.Execution;

/// <summary>Key positions of a specific call, needed by COMMAND GETKEYS, MULTI and access control.</summary>
internal static class KeyExtractor
{
    /// <summary>
    /// Adds the index and access flags of every key of a call. False when the arguments do not fit the specifications (a count out of
    /// range) or a specification is unknown, so that keys may be missing.
    /// </summary>
    /// <param name="command">The command called.</param>
    /// <param name="context">Holds the call's arguments.</param>
    /// <param name="offset">Context argument with the call's name: 0, or 2 for COMMAND GETKEYS. Indexes are relative to it.</param>
    /// <param name="keys">Receives the keys.</param>
    public static bool TryGetKeys(Command command, in CommandContext context, int offset, List<KeyPosition> keys)
    {
        if (command.Descriptor.FindKeys is { } find)
            return find(context, offset, keys);
        bool complete = true;
        foreach (KeySpec spec in command.Descriptor.Keys)
            complete &= TryAdd(spec, context, offset, keys);
        if (command.Descriptor.KeyFlags is { } resolve && keys.Count > 0)
            keys[^1] = keys[^1] with { Flags = resolve(in context, offset) };
        return complete;
    }

    /// <summary>
    /// As <see cref="TryGetKeys"/> when the key count is not a valid number: for COMMAND GETKEYS and access control, Valkey then uses the
    /// result of C's atoi, without access flags, and lists the target last.
    /// </summary>
    public static bool TryGetKeysLoosely(Command command, in CommandContext context, int offset, List<KeyPosition> keys)
    {
        keys.Clear();
        KeySpec? counted = Array.Find(command.Descriptor.Keys, static spec => spec is { IsCounted: true, Keyword: null, KeyStep: 1 });
        if (counted is null || command.Descriptor.FindKeys is not null)
            return false;
        int countAt = counted.BeginIndex + counted.CountIndex,
            first = counted.BeginIndex + counted.FirstKey,
            count = context.Count - offset;
        int number = countAt < count ? LooseNumber(context[offset + countAt]) : 0;
        if (number < 1 || number > count - first)
            return false;
        for (int i = 0; i < number; i++)
            keys.Add(new KeyPosition(first + i, KeySpecFlags.None));
        foreach (KeySpec spec in command.Descriptor.Keys)
        {
            if (!spec.IsCounted)
                keys.Add(new KeyPosition(spec.BeginIndex, KeySpecFlags.None));
        }

        return true;
    }

    // Spaces, a sign, digits; the rest is ignored. Too many digits saturate at the limits of 64 bits, of which 32 are kept.
    private static int LooseNumber(ReadOnlySpan<byte> text)
    {
        text = text.TrimStart(" \t\n\v\f\r"u8);
        bool isNegative = text.StartsWith("-"u8);
        if (isNegative || text.StartsWith("+"u8))
            text = text[1..];
        Int128 number = 0;
        for (int i = 0; i < text.Length && text[i] is >= (byte)'0' and <= (byte)'9'; i++)
            number = Int128.Min((number * 10) + (text[i] - '0'), (Int128)long.MaxValue + 1);
        return unchecked((int)(long)Int128.Clamp(isNegative ? -number : number, long.MinValue, long.MaxValue));
    }

    private static bool TryAdd(KeySpec spec, in CommandContext context, int offset, List<KeyPosition> keys)
    {
        if ((spec.Flags & KeySpecFlags.NotKey) != 0)
            return true;
        int begin = spec.BeginIndex;
        if (spec.Keyword is not null)
        {
            begin = FindKeyword(spec, context, offset);
            if (begin < 0)
                return true;
        }

        if (begin < 0)
            return false;
        return spec.IsCounted ? AddCounted(spec, begin, context, offset, keys) : AddRange(spec, begin, context.Count - offset, keys);
    }

    private static int FindKeyword(KeySpec spec, in CommandContext context, int offset)
    {
        Span<byte> word = stackalloc byte[spec.Keyword!.Length];
        Encoding.ASCII.GetBytes(spec.Keyword, word);
        int count = context.Count - offset;
        bool forward = spec.StartFrom >= 0;
        int index = forward ? spec.StartFrom : count + spec.StartFrom;
        for (; index > 0 && index < count; index += forward ? 1 : -1)
        {
            if (context.Is(offset + index, word))
                return index + 1;
        }

        return -1;
    }

    private static bool AddRange(KeySpec spec, int begin, int count, List<KeyPosition> keys)
    {
        int last = spec.LastKey >= 0 ? begin + spec.LastKey : count + spec.LastKey;
        if (spec.LastKey < 0 && spec.Limit > 1)
            last = begin + ((last - begin + 1) / spec.Limit) - 1;
        if (last >= count || last < begin)
            return false;
        for (int i = begin; i <= last; i += spec.KeyStep)
            keys.Add(new KeyPosition(i, spec.Flags));
        return true;
    }

    private static bool AddCounted(KeySpec spec, int begin, in CommandContext context, int offset, List<KeyPosition> keys)
    {
        int count = context.Count - offset;
        int countAt = begin + spec.CountIndex;
        if (countAt >= count || !IntegerText.TryParse(context[offset + countAt], out long number) || number < 0 || number > count)
            return false;
        int first = begin + spec.FirstKey;
        // A target without sources is an invalid call; no keys at all may be valid.
        if (first + ((number - 1) * spec.KeyStep) >= count || (number == 0 && keys.Count > 0))
            return false;
        for (int i = 0; i < number; i++)
            keys.Add(new KeyPosition(first + (i * spec.KeyStep), spec.Flags));
        return true;
    }
}
