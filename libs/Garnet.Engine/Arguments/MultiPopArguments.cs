// The arguments shared by LMPOP, BLMPOP, ZMPOP and BZMPOP. Immutable.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Engine.Arguments;

/// <summary><c>numkeys key [key ...] FIRST | LAST [COUNT count]</c>: the keys, the end to pop from, and the count.</summary>
/// <param name="FirstKey">Argument index of the first key.</param>
/// <param name="Keys">Number of keys.</param>
/// <param name="IsLast">Whether the second keyword was given.</param>
/// <param name="Count">Elements requested, at least 1.</param>
internal readonly record struct MultiPopArguments(int FirstKey, int Keys, bool IsLast, long Count)
{
    /// <summary>Parses the arguments; writes the error and returns false when they are invalid.</summary>
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
