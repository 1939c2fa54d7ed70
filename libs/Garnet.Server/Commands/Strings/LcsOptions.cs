// Parses the options of LCS. Plain values on the stack of one command.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Strings;

/// <summary>What LCS was asked for.</summary>
internal readonly struct LcsOptions
{
    /// <summary>LEN: only the length.</summary>
    public bool Length { get; private init; }

    /// <summary>IDX: where the runs lie.</summary>
    public bool Indexes { get; private init; }

    /// <summary>WITHMATCHLEN: each run's length beside its place.</summary>
    public bool WithMatchLength { get; private init; }

    /// <summary>MINMATCHLEN: shorter runs are left out of the matches.</summary>
    public long MinMatchLength { get; private init; }

    /// <summary>Parses the arguments after the keys; writes the error and returns false when they are invalid.</summary>
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
                if (!context.TryGetInteger(++i, out long least))
                    return false;
                options = options with { MinMatchLength = Math.Max(least, 0) };
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
