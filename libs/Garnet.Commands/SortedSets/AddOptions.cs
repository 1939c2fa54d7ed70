// The options of ZADD. Immutable.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.SortedSets;

/// <summary>Which members ZADD changes, and what it replies.</summary>
/// <param name="OnlyNew">NX: existing members are not changed.</param>
/// <param name="OnlyExisting">XX: no members are added.</param>
/// <param name="OnlyGreater">GT: scores are only increased.</param>
/// <param name="OnlyLess">LT: scores are only decreased.</param>
/// <param name="CountsChanged">CH: changed members are counted as well as new ones.</param>
/// <param name="Increments">INCR: the score is added to the existing one.</param>
internal readonly record struct AddOptions(
    bool OnlyNew,
    bool OnlyExisting,
    bool OnlyGreater,
    bool OnlyLess,
    bool CountsChanged,
    bool Increments
)
{
    private const int FirstOption = 2;

    /// <summary>Whether every score is set unconditionally.</summary>
    public bool IsPlain => !OnlyNew && !OnlyExisting && !OnlyGreater && !OnlyLess && !Increments;

    /// <summary>Parses the options; writes the error and returns false if they are invalid.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="options">Receives the options.</param>
    /// <param name="first">Receives the index of the first score among the arguments.</param>
    public static bool TryParse(ref CommandContext context, out AddOptions options, out int first)
    {
        options = default;
        for (first = FirstOption; first < context.Count && TryAdd(ref context, first, ref options); first++) { }

        int pairs = context.Count - first;
        if (pairs == 0 || pairs % 2 != 0)
            context.Reply.WriteError(ErrorText.Syntax);
        else if (options.OnlyNew && options.OnlyExisting)
            context.Reply.WriteError("ERR XX and NX options at the same time are not compatible"u8);
        else if ((options.OnlyNew && (options.OnlyGreater || options.OnlyLess)) || (options.OnlyGreater && options.OnlyLess))
            context.Reply.WriteError("ERR GT, LT, and/or NX options at the same time are not compatible"u8);
        else if (options.Increments && pairs > 2)
            context.Reply.WriteError("ERR INCR option supports a single increment-element pair"u8);
        else
            return true;
        return false;
    }

    private static bool TryAdd(ref CommandContext context, int index, ref AddOptions options)
    {
        if (context.Is(index, "NX"u8))
            options = options with { OnlyNew = true };
        else if (context.Is(index, "XX"u8))
            options = options with { OnlyExisting = true };
        else if (context.Is(index, "GT"u8))
            options = options with { OnlyGreater = true };
        else if (context.Is(index, "LT"u8))
            options = options with { OnlyLess = true };
        else if (context.Is(index, "CH"u8))
            options = options with { CountsChanged = true };
        else if (context.Is(index, "INCR"u8))
            options = options with { Increments = true };
        else
            return false;
        return true;
    }
}
