// The options of a SET, GETEX or MSETEX call. Plain values on the stack of one command.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Strings;

/// <summary>The options of a call, and the positions of their arguments.</summary>
internal readonly struct StringOptions
{
    private const StringOption TakeArgument = StringOption.IfEq | StringOption.AnyExpiry | StringOption.Sliding | StringOption.From;

    /// <summary>All options in the call.</summary>
    public StringOption Given { get; private init; }

    /// <summary>Index of the expiry's number among the arguments; the option's name precedes it.</summary>
    public int ExpiryIndex { get; private init; }

    /// <summary>Index of IFEQ's string among the arguments.</summary>
    public int ComparisonIndex { get; private init; }

    /// <summary>Index of the sliding time among the arguments.</summary>
    public int SlidingIndex { get; private init; }

    /// <summary>Index of the renewal's time among the arguments.</summary>
    public int FromIndex { get; private init; }

    /// <summary>Whether the call sets an absolute or relative expiry.</summary>
    public bool HasExpiry => (Given & StringOption.AnyExpiry) != 0;

    /// <summary>Whether the call has an option.</summary>
    public bool Has(StringOption option) => (Given & option) != 0;

    /// <summary>
    /// Parses all arguments from <paramref name="first"/> on; writes the syntax error and returns false if one is unknown, not allowed, or
    /// excluded by an earlier one.
    /// </summary>
    public static bool TryParse(ref CommandContext context, StringOption allowed, int first, out StringOptions options)
    {
        StringOption given = StringOption.None;
        int expiryIndex = 0;
        int comparisonIndex = 0;
        int slidingIndex = 0;
        int fromIndex = 0;
        for (int i = first; i < context.Count; i++)
        {
            StringOption option = Recognize(context[i]) & allowed;
            bool takesArgument = (option & TakeArgument) != 0;
            if (option == StringOption.None || (given & ExcludedBy(option)) != 0 || (takesArgument && i + 1 == context.Count))
            {
                context.Reply.WriteError(ErrorText.Syntax);
                options = default;
                return false;
            }

            given |= option;
            if (!takesArgument)
                continue;
            i++;
            if (option == StringOption.IfEq)
                comparisonIndex = i;
            else if (option == StringOption.Sliding)
                slidingIndex = i;
            else if (option == StringOption.From)
                fromIndex = i;
            else
                expiryIndex = i;
        }

        // FROM and TOUCH require a sliding expiry.
        if ((given & (StringOption.From | StringOption.Touch)) != 0 && (given & (StringOption.Sliding | StringOption.Renew)) == 0)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            options = default;
            return false;
        }

        options = new StringOptions
        {
            Given = given,
            ExpiryIndex = expiryIndex,
            ComparisonIndex = comparisonIndex,
            SlidingIndex = slidingIndex,
            FromIndex = fromIndex,
        };
        return true;
    }

    private static StringOption Recognize(ReadOnlySpan<byte> word) =>
        word.Length switch
        {
            2 when Ascii.EqualsIgnoreCase(word, "EX"u8) => StringOption.Ex,
            2 when Ascii.EqualsIgnoreCase(word, "PX"u8) => StringOption.Px,
            2 when Ascii.EqualsIgnoreCase(word, "NX"u8) => StringOption.Nx,
            2 when Ascii.EqualsIgnoreCase(word, "XX"u8) => StringOption.Xx,
            3 when Ascii.EqualsIgnoreCase(word, "GET"u8) => StringOption.Get,
            4 when Ascii.EqualsIgnoreCase(word, "EXAT"u8) => StringOption.ExAt,
            4 when Ascii.EqualsIgnoreCase(word, "PXAT"u8) => StringOption.PxAt,
            4 when Ascii.EqualsIgnoreCase(word, "IFEQ"u8) => StringOption.IfEq,
            4 when Ascii.EqualsIgnoreCase(word, "FROM"u8) => StringOption.From,
            5 when Ascii.EqualsIgnoreCase(word, "TOUCH"u8) => StringOption.Touch,
            7 when Ascii.EqualsIgnoreCase(word, "KEEPTTL"u8) => StringOption.KeepTtl,
            7 when Ascii.EqualsIgnoreCase(word, "PERSIST"u8) => StringOption.Persist,
            // In a command that sets, SLIDING takes a time; in one that reads, it takes none. No command allows both.
            7 when Ascii.EqualsIgnoreCase(word, "SLIDING"u8) => StringOption.Sliding | StringOption.Renew,
            _ when word.Contains((byte)0) => Recognize(ArgumentText.UpToZero(word)),
            _ => StringOption.None,
        };

    // Options may be repeated, except IFEQ; the last of several expiries wins.
    private static StringOption ExcludedBy(StringOption option) =>
        option switch
        {
            StringOption.Nx => StringOption.Xx | StringOption.IfEq,
            StringOption.Xx => StringOption.Nx | StringOption.IfEq,
            StringOption.IfEq => StringOption.Nx | StringOption.Xx | StringOption.IfEq,
            StringOption.Get or StringOption.From or StringOption.Touch => StringOption.None,
            StringOption.Sliding => StringOption.KeepTtl,
            StringOption.Renew => StringOption.AnyExpiry | StringOption.Persist,
            StringOption.KeepTtl => StringOption.AnyExpiry | StringOption.Persist | StringOption.Sliding,
            _ => (StringOption.AnyExpiry | StringOption.KeepTtl | StringOption.Persist | StringOption.Renew) & ~option,
        };
}
