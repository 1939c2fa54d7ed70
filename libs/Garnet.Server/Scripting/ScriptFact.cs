// What is known of a value of a script before the script runs. Immutable.
namespace Garnet.Server.Scripting;

/// <summary>The kind of a value, and the text of a constant or the name of a library.</summary>
internal readonly record struct ScriptFact(ScriptFactKind Kind, string? Text = null)
{
    public static readonly ScriptFact Unknown = new(ScriptFactKind.Unknown);
    public static readonly ScriptFact Nil = new(ScriptFactKind.Nil);
    public static readonly ScriptFact Key = new(ScriptFactKind.Key);
    public static readonly ScriptFact Keys = new(ScriptFactKind.Keys);

    /// <summary>Whether it is, or may be, the table of the declared keys.</summary>
    public bool MayBeKeys => Kind is ScriptFactKind.Keys or ScriptFactKind.MaybeKeys;

    /// <summary>What is known of a value that is one of two.</summary>
    public static ScriptFact Join(in ScriptFact one, in ScriptFact other)
    {
        if (one == other)
            return one;
        if (one.MayBeKeys || other.MayBeKeys)
            return new ScriptFact(ScriptFactKind.MaybeKeys);
        // A command rejects nil as an argument.
        return one.Kind is ScriptFactKind.Nil or ScriptFactKind.Key && other.Kind is ScriptFactKind.Nil or ScriptFactKind.Key
            ? Key
            : Unknown;
    }
}
