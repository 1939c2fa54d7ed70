// Finds bytes in bytes. Stateless; runs on the thread that runs the state.
using Garnet.Lua.Execution;

namespace Garnet.Lua.Libraries;

/// <summary>
/// The search of string.find without a pattern. Texts that nearly match at every position make any simple search slow, so what was compared
/// counts as work, and the script can be stopped on the way.
/// </summary>
internal static class PlainSearch
{
    private const int PrefixBytes = 16;
    private const int PartBytes = 1 << 20;
    private const int BytesPerInstructionShift = 5;
    private const int InstructionsPerCandidate = 2;

    /// <summary>Where the wanted bytes are first; -1 if nowhere.</summary>
    public static int Find(LuaState state, ReadOnlySpan<byte> text, ReadOnlySpan<byte> wanted)
    {
        if (wanted.IsEmpty)
            return 0;
        ReadOnlySpan<byte> prefix = wanted[..Math.Min(wanted.Length, PrefixBytes)];
        int start = 0;
        while (text.Length - start >= wanted.Length)
        {
            ReadOnlySpan<byte> part = text.Slice(start, Math.Min(text.Length - start, PartBytes + prefix.Length - 1));
            int found = part.IndexOf(prefix);
            if (found < 0)
            {
                state.ChargeInstructions(part.Length >> BytesPerInstructionShift);
                start += Math.Max(1, part.Length - prefix.Length + 1);
                continue;
            }

            start += found;
            if (text.Length - start < wanted.Length)
                break;
            int same = text[start..].CommonPrefixLength(wanted);
            state.ChargeInstructions(InstructionsPerCandidate + ((found + same) >> BytesPerInstructionShift));
            if (same == wanted.Length)
                return start;
            start++;
        }

        return -1;
    }
}
