// The arguments that LMPOP, BLMPOP, ZMPOP and BZMPOP share. Immutable.
namespace Garnet.Server.CommandModel;

/// <summary><c>numkeys key [key ...] FIRST | LAST [COUNT count]</c>: from which keys, which end, how many.</summary>
/// <param name="FirstKey">Argument index of the first key.</param>
/// <param name="Keys">Number of keys.</param>
/// <param name="IsLast">Whether the second word was given.</param>
/// <param name="Count">Elements wanted, at least 1.</param>
internal readonly record struct MultiPopArguments(int FirstKey, int Keys, bool IsLast, long Count)
{
    /// <summary>Parses the arguments; writes the error and answers false when they are wrong.</summary>
    public static bool TryParse(
        ref CommandContext context,
        int numberArgument,
        ReadOnlySpan<byte> firstWord,
        ReadOnlySpan<byte> lastWord,
        out MultiPopArguments arguments
    )
    {
        arguments = default;
        if (!BoundedArgument.TryGet(ref context, numberArgument, 1, long.MaxValue, out long keys, "ERR numkeys should be greater than 0"u8))
            return false;
        if (keys >= context.Count - numberArgument - 1)
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return false;
        }

        int word = numberArgument + (int)keys + 1;
        bool isLast = context.Is(word, lastWord);
        if (!isLast && !context.Is(word, firstWord))
        {
            context.Reply.WriteError(ErrorText.Syntax);
            return false;
        }

        if (!TryGetCount(ref context, word + 1, out long count))
            return false;
        arguments = new MultiPopArguments(numberArgument + 1, (int)keys, isLast, count);
        return true;
    }

    private static bool TryGetCount(ref CommandContext context, int index, out long count)
    {
        count = 1;
        if (index == context.Count)
            return true;
        if (context.Is(index, "COUNT"u8) && index + 1 < context.Count)
        {
            if (!BoundedArgument.TryGet(ref context, index + 1, 1, long.MaxValue, out count, "ERR count should be greater than 0"u8))
                return false;
            if (index + 2 == context.Count)
                return true;
        }

        context.Reply.WriteError(ErrorText.Syntax);
        return false;
    }
}
