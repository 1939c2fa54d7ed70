// Where the fields of a command stand that names them as FIELDS numfields field [field ...]. Plain values on the stack of one command.
using Garnet.Server.CommandModel;

namespace Garnet.Server.Commands.Hashes;

/// <summary>The fields that a call names.</summary>
internal readonly struct FieldArguments
{
    private FieldArguments(int first, int count)
    {
        First = first;
        Count = count;
    }

    private static ReadOnlySpan<byte> CountMismatch => "ERR numfields should be greater than 0 and match the provided number of fields"u8;

    /// <summary>Argument index of the first field.</summary>
    public int First { get; }

    /// <summary>Number of fields.</summary>
    public int Count { get; }

    /// <summary>Parses FIELDS at argument 2 and what follows; writes the error and returns false when it is invalid.</summary>
    public static bool TryParse(ref CommandContext context, out FieldArguments fields) => TryParse(ref context, CountMismatch, out fields);

    /// <inheritdoc cref="TryParse(ref CommandContext, out FieldArguments)"/>
    /// <param name="context">The call.</param>
    /// <param name="mismatch">The error when the number is not that of the fields.</param>
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
    /// Finds the word FIELDS from an index. What stands before it is options, whatever the words are: also the option's argument that is
    /// the word itself, or the key.
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

    /// <summary>
    /// Parses what stands after the word FIELDS, -1 when it is missing; writes the error and returns false when it is invalid.
    /// </summary>
    /// <param name="context">The call.</param>
    /// <param name="word">Argument index of the word.</param>
    /// <param name="argumentsPerField">1, or 2 for fields with values.</param>
    /// <param name="fields">Receives the fields.</param>
    public static bool TryParseBehind(ref CommandContext context, int word, int argumentsPerField, out FieldArguments fields)
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
