// The options of RESTORE: REPLACE, ABSTTL, IDLETIME seconds, FREQ frequency. Lives on the stack of one command.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Keys;

/// <summary>The arguments after RESTORE's payload.</summary>
internal readonly record struct RestoreOptions(bool Replaces, bool IsAbsolute, long IdleSeconds, long Frequency)
{
    private const int FirstOption = 4;
    private const int MaxFrequency = 255;

    /// <summary>Parses the options; writes the error and returns false if they are invalid.</summary>
    public static bool TryParse(ref CommandContext context, out RestoreOptions options)
    {
        options = new RestoreOptions(false, false, -1, -1);
        for (int i = FirstOption; i < context.Count; i++)
        {
            bool hasValue = i + 1 < context.Count;
            if (context.Is(i, "REPLACE"u8))
            {
                options = options with { Replaces = true };
            }
            else if (context.Is(i, "ABSTTL"u8))
            {
                options = options with { IsAbsolute = true };
            }
            else if (context.Is(i, "IDLETIME"u8) && hasValue && options.Frequency == -1)
            {
                if (!TryGet(ref context, ++i, long.MaxValue, "ERR Invalid IDLETIME value, must be >= 0"u8, out long seconds))
                    return false;
                options = options with { IdleSeconds = seconds };
            }
            else if (context.Is(i, "FREQ"u8) && hasValue && options.IdleSeconds == -1)
            {
                if (!TryGet(ref context, ++i, MaxFrequency, "ERR Invalid FREQ value, must be >= 0 and <= 255"u8, out long frequency))
                    return false;
                options = options with { Frequency = frequency };
            }
            else
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return false;
            }
        }

        return true;
    }

    private static bool TryGet(ref CommandContext context, int index, long max, ReadOnlySpan<byte> error, out long value)
    {
        if (!context.TryGetInteger(index, out value))
            return false;
        if (value >= 0 && value <= max)
            return true;
        context.Reply.WriteError(error);
        return false;
    }
}
