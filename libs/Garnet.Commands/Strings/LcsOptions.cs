// The options of LCS. Plain values on the stack of one command.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Strings;

/// <summary>What the reply of LCS contains.</summary>
internal readonly struct LcsOptions
{
    /// <summary>LEN: only the length.</summary>
    public bool Length { get; private init; }

    /// <summary>IDX: the matching ranges.</summary>
    public bool Indexes { get; private init; }

    /// <summary>WITHMATCHLEN: each range with its length.</summary>
    public bool WithMatchLength { get; private init; }

    /// <summary>MINMATCHLEN: shorter ranges are omitted.</summary>
    public long MinMatchLength { get; private init; }

    /// <summary>Parses the arguments after the keys; writes the error and returns false if they are invalid.</summary>
    public static bool TryParse(ref CommandContext context, out LcsOptions options)
    {
        options = default;
        for (int i = 3; i < context.Count; i++)
        {
            if (context.Is(i, "IDX"u8))
            {
                options = options with { Indexes = true };
            }
            else if (context.Is(i, "LEN"u8))
            {
                options = options with { Length = true };
            }
            else if (context.Is(i, "WITHMATCHLEN"u8))
            {
                options = options with { WithMatchLength = true };
            }
            else if (context.Is(i, "MINMATCHLEN"u8) && i + 1 < context.Count)
            {
                if (!context.TryGetInteger(++i, out long minLength))
                    return false;
                options = options with { MinMatchLength = Math.Max(minLength, 0) };
            }
            else
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return false;
            }
        }

        return true;
    }
}
