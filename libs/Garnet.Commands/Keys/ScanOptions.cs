// The options that SCAN, HSCAN, SSCAN and ZSCAN share. Lives on the stack of one command.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store;
using Garnet.Store.DataTypes;

namespace Garnet.Commands.Keys;

/// <summary>Filters of an iteration, and roughly how many elements to visit per call.</summary>
internal readonly ref struct ScanOptions
{
    private const long DefaultCount = 10;

    private ScanOptions(ReadOnlySpan<byte> pattern, bool hasPattern, long count, DataType? type, bool keysOnly)
    {
        Pattern = pattern;
        HasPattern = hasPattern;
        Count = count;
        Type = type;
        KeysOnly = keysOnly;
    }

    /// <summary>Pattern of MATCH; undefined without <see cref="HasPattern"/>.</summary>
    public ReadOnlySpan<byte> Pattern { get; }

    /// <summary>Whether elements must match a pattern; false for MATCH <c>*</c>.</summary>
    public bool HasPattern { get; }

    /// <summary>Approximate number of elements to visit.</summary>
    public long Count { get; }

    /// <summary>Required type of keys; null for any. SCAN only.</summary>
    public DataType? Type { get; }

    /// <summary>NOVALUES of HSCAN and NOSCORES of ZSCAN.</summary>
    public bool KeysOnly { get; }

    /// <summary>Whether an element matches the pattern.</summary>
    public bool IsMatch(ReadOnlySpan<byte> element) => !HasPattern || GlobPattern.IsMatch(Pattern, element);

    /// <summary>Parses the options; writes the error and returns false if they are invalid.</summary>
    /// <param name="context">The command's context.</param>
    /// <param name="first">Index of the first option among the arguments.</param>
    /// <param name="collection">Type of the collection iterated over, or null for the keys of the database.</param>
    /// <param name="options">Receives the options.</param>
    public static bool TryParse(scoped ref CommandContext context, int first, RecordType? collection, out ScanOptions options)
    {
        options = default;
        ReadOnlySpan<byte> pattern = default;
        bool hasPattern = false;
        bool keysOnly = false;
        long count = DefaultCount;
        DataType? type = null;
        for (int i = first; i < context.Count; i++)
        {
            bool hasValue = i + 1 < context.Count;
            if (hasValue && context.Is(i, "COUNT"u8))
            {
                if (!TryGetCount(ref context, ++i, out count))
                    return false;
            }
            else if (hasValue && context.Is(i, "MATCH"u8))
            {
                pattern = context[++i];
                hasPattern = !pattern.SequenceEqual("*"u8);
            }
            else if (hasValue && collection is null && context.Is(i, "TYPE"u8))
            {
                if (!TryGetType(ref context, ++i, out type))
                    return false;
            }
            else if (!TryGetKeysOnly(ref context, i, collection, ref keysOnly))
            {
                return false;
            }
        }

        options = new ScanOptions(pattern, hasPattern, count, type, keysOnly);
        return true;
    }

    private static bool TryGetCount(scoped ref CommandContext context, int index, out long count)
    {
        if (!context.TryGetInteger(index, out count))
            return false;
        if (count >= 1)
            return true;
        context.Reply.WriteError(ErrorText.Syntax);
        return false;
    }

    private static bool TryGetType(scoped ref CommandContext context, int index, out DataType? type)
    {
        if (context.Store.Store.Types.TryFind(ArgumentText.UpToZero(context[index]), out type))
            return true;
        ArgumentText.WriteError(ref context, $"ERR unknown type name '{ArgumentText.Printable(context[index])}'");
        return false;
    }

    private static bool TryGetKeysOnly(scoped ref CommandContext context, int index, RecordType? collection, ref bool keysOnly)
    {
        bool isNoValues = context.Is(index, "NOVALUES"u8);
        bool isNoScores = !isNoValues && context.Is(index, "NOSCORES"u8);
        if (isNoValues && collection != RecordType.Hash)
            context.Reply.WriteError("ERR NOVALUES option can only be used in HSCAN"u8);
        else if (isNoScores && collection != RecordType.SortedSet)
            context.Reply.WriteError("ERR NOSCORES option can only be used in ZSCAN"u8);
        else if (isNoValues || isNoScores)
            return keysOnly = true;
        else
            context.Reply.WriteError(ErrorText.Syntax);
        return false;
    }
}
