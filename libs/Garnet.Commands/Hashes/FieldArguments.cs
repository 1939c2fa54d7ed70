// The fields in arguments of the form FIELDS numfields field [field ...]. Plain values on the stack of one command.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.Hashes;

/// <summary>The fields that a call names.</summary>
internal readonly struct FieldArguments
{
    private FieldArguments(int first, int count)
    {
        First = first;
        Count = count;
    }

    private static ReadOnlySpan<byte> CountMismatch => "ERR numfields should be greater than 0 and match the provided number of fields"u8;

    /// <summary>Index of the first field among the arguments.</summary>
    public int First { get; }

    /// <summary>Number of fields.</summary>
    public int Count { get; }

    /// <summary>Parses FIELDS at argument 2 and what follows; writes the error and returns false if it is invalid.</summary>
    public static bool TryParse(ref CommandContext context, out FieldArguments fields) => TryParse(ref context, CountMismatch, out fields);

    /// <inheritdoc cref="TryParse(ref CommandContext, out FieldArguments)"/>
    /// <param name="context">The command's context.</param>
    /// <param name="mismatch">The error for a number that is not that of the fields.</param>
    /// <param name="fields">Receives the fields.</param>
    public static bool TryParse(ref CommandContext context, ReadOnlySpan<byte> mismatch, out FieldArguments fields)
    {
        fields = default;
        if (context.Is(2, "FIELDS"u8))
            return TryParseCount(ref context, 3, 1, mismatch, out fields);
        context.Reply.WriteError(ErrorText.Syntax);
        return false;
    }

    /// <summary>
    /// Finds the word FIELDS from an index on. Everything before it is an option, even if an option's argument or the key is the same word.
    /// </summary>
    public static int Find(in CommandContext context, int from)
    {
        for (int i = from; i < context.Count - 1; i++)
        {
            if (context.Is(i, "FIELDS"u8))
                return i;
        }

        return -1;
    }

    /// <summary>Parses the arguments after the word FIELDS; writes the error and returns false if they are invalid.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="word">Index of the word among the arguments; -1 if it is missing.</param>
    /// <param name="argumentsPerField">1, or 2 for field-value pairs.</param>
    /// <param name="fields">Receives the fields.</param>
    public static bool TryParseAfter(ref CommandContext context, int word, int argumentsPerField, out FieldArguments fields)
    {
        fields = default;
        if (word >= 0)
            return TryParseCount(ref context, word + 1, argumentsPerField, CountMismatch, out fields);
        context.Reply.WriteError(CountMismatch);
        return false;
    }

    private static bool TryParseCount(
        ref CommandContext context,
        int index,
        int argumentsPerField,
        ReadOnlySpan<byte> mismatch,
        out FieldArguments fields
    )
    {
        fields = default;
        if (!context.TryGetInteger(index, out long count))
            return false;
        int given = context.Count - index - 1;
        if (count <= 0 || count > int.MaxValue || count * argumentsPerField != given)
        {
            context.Reply.WriteError(mismatch);
            return false;
        }

        fields = new FieldArguments(index + 1, (int)count);
        return true;
    }
}
