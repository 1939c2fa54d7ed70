// The positions of a command's keys among its arguments (Valkey's key specifications). Immutable.
namespace Garnet.Engine.Requests;

/// <summary>
/// One key specification: where the search begins (an argument index, or the argument after a keyword) and how keys follow
/// (a range with a step, or a count argument followed by that many keys).
/// </summary>
internal sealed class KeySpec
{
    private KeySpec() { }

    /// <summary>What the command does with these keys.</summary>
    public KeySpecFlags Flags { get; private init; }

    /// <summary>Argument index at which the search begins; ignored when <see cref="Keyword"/> is given.</summary>
    public int BeginIndex { get; private init; }

    /// <summary>Keyword after which the search begins, or null.</summary>
    public string? Keyword { get; private init; }

    /// <summary>Index from which the keyword is searched; negative counts from the end and searches backwards.</summary>
    public int StartFrom { get; private init; }

    /// <summary>True for a specification without information, created by <see cref="Unknown"/>.</summary>
    public bool IsUnknown => Keyword is null && BeginIndex < 0;

    /// <summary>True when a count argument gives the number of keys.</summary>
    public bool IsCounted { get; private init; }

    /// <summary>Range: index of the last key relative to the first; negative counts from the last argument (-1 is the last).</summary>
    public int LastKey { get; private init; }

    /// <summary>Distance between keys.</summary>
    public int KeyStep { get; private init; } = 1;

    /// <summary>Range: when <see cref="LastKey"/> is -1, only 1/limit of the remaining arguments are searched (0 and 1: all).</summary>
    public int Limit { get; private init; }

    /// <summary>Counted: index of the count argument, relative to the start.</summary>
    public int CountIndex { get; private init; }

    /// <summary>Counted: index of the first key, relative to the start.</summary>
    public int FirstKey { get; private init; }

    /// <summary>Note shown by COMMAND INFO, or null.</summary>
    public string? Notes { get; private init; }

    /// <summary>Keys in a range that begins at an index.</summary>
    public static KeySpec Range(int begin, int lastKey, int step, KeySpecFlags flags, int limit = 0, string? notes = null) =>
        new()
        {
            BeginIndex = begin,
            LastKey = lastKey,
            KeyStep = step,
            Limit = limit,
            Flags = flags,
            Notes = notes,
        };

    /// <summary>Keys given by a count argument, starting at an index.</summary>
    public static KeySpec Counted(int begin, int countIndex, int firstKey, int step, KeySpecFlags flags, string? notes = null) =>
        new()
        {
            BeginIndex = begin,
            IsCounted = true,
            CountIndex = countIndex,
            FirstKey = firstKey,
            KeyStep = step,
            Flags = flags,
            Notes = notes,
        };

    /// <summary>Keys in a range that begins after a keyword.</summary>
    public static KeySpec KeywordRange(
        string keyword,
        int startFrom,
        int lastKey,
        int step,
        KeySpecFlags flags,
        int limit = 0,
        string? notes = null
    ) =>
        new()
        {
            Keyword = keyword,
            StartFrom = startFrom,
            LastKey = lastKey,
            KeyStep = step,
            Limit = limit,
            Flags = flags,
            Notes = notes,
        };

    /// <summary>Keys given by a count argument, starting after a keyword.</summary>
    public static KeySpec KeywordCounted(
        string keyword,
        int startFrom,
        int countIndex,
        int firstKey,
        int step,
        KeySpecFlags flags,
        string? notes = null
    ) =>
        new()
        {
            Keyword = keyword,
            StartFrom = startFrom,
            IsCounted = true,
            CountIndex = countIndex,
            FirstKey = firstKey,
            KeyStep = step,
            Flags = flags,
            Notes = notes,
        };

    /// <summary>Keys that no specification can describe (begin search and find keys are "unknown").</summary>
    public static KeySpec Unknown(KeySpecFlags flags, string? notes = null) =>
        new()
        {
            BeginIndex = -1,
            Flags = flags,
            Notes = notes,
        };
}
