// The options of an HSETEX or HGETEX call. Plain values on the stack of one command.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Hashes;

/// <summary>The options of a call, and the position of its expiry.</summary>
internal readonly struct FieldOptions
{
    private FieldOptions(FieldOption given, int expiryIndex)
    {
        Given = given;
        ExpiryIndex = expiryIndex;
    }

    /// <summary>All options in the call.</summary>
    public FieldOption Given { get; }

    /// <summary>Index of the expiry's number among the arguments; the option's name precedes it.</summary>
    public int ExpiryIndex { get; }

    /// <summary>Whether the call sets an expiry.</summary>
    public bool HasExpiry => Has(FieldOption.AnyExpiry);

    /// <summary>Whether the call has at least one of the options.</summary>
    public bool Has(FieldOption options) => (Given & options) != 0;

    /// <summary>
    /// Parses the arguments from 2 up to <paramref name="end"/>, exclusive; writes the syntax error and returns false if one is unknown,
    /// not allowed, or excluded by an earlier one.
    /// </summary>
    public static bool TryParse(ref CommandContext context, FieldOption allowed, int end, out FieldOptions options)
    {
        FieldOption given = FieldOption.None;
        int expiryIndex = 0;
        for (int i = 2; i < end; i++)
        {
            FieldOption option = Recognize(context[i]) & allowed;
            bool takesArgument = (option & FieldOption.AnyExpiry) != 0;
            if (option == FieldOption.None || (given & ExcludedBy(option)) != 0 || (takesArgument && i + 1 == end))
            {
                context.Reply.WriteError(ErrorText.Syntax);
                options = default;
                return false;
            }

            given |= option;
            if (takesArgument)
                expiryIndex = ++i;
        }

        options = new FieldOptions(given, expiryIndex);
        return true;
    }

    private static FieldOption Recognize(ReadOnlySpan<byte> word) =>
        word.Length switch
        {
            2 when Ascii.EqualsIgnoreCase(word, "EX"u8) => FieldOption.Ex,
            2 when Ascii.EqualsIgnoreCase(word, "PX"u8) => FieldOption.Px,
            2 when Ascii.EqualsIgnoreCase(word, "NX"u8) => FieldOption.Nx,
            2 when Ascii.EqualsIgnoreCase(word, "XX"u8) => FieldOption.Xx,
            3 when Ascii.EqualsIgnoreCase(word, "FNX"u8) => FieldOption.Fnx,
            3 when Ascii.EqualsIgnoreCase(word, "FXX"u8) => FieldOption.Fxx,
            4 when Ascii.EqualsIgnoreCase(word, "EXAT"u8) => FieldOption.ExAt,
            4 when Ascii.EqualsIgnoreCase(word, "PXAT"u8) => FieldOption.PxAt,
            7 when Ascii.EqualsIgnoreCase(word, "KEEPTTL"u8) => FieldOption.KeepTtl,
            7 when Ascii.EqualsIgnoreCase(word, "PERSIST"u8) => FieldOption.Persist,
            _ when word.Contains((byte)0) => Recognize(ArgumentText.UpToZero(word)),
            _ => FieldOption.None,
        };

    // Options may be repeated; the last of several expiries wins.
    private static FieldOption ExcludedBy(FieldOption option) =>
        option switch
        {
            FieldOption.Nx => FieldOption.Xx,
            FieldOption.Xx => FieldOption.Nx,
            FieldOption.Fnx => FieldOption.Fxx,
            FieldOption.Fxx => FieldOption.Fnx,
            _ => (FieldOption.AnyExpiry | FieldOption.KeepTtl | FieldOption.Persist) & ~option,
        };
}
