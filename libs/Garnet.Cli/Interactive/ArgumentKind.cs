// Kinds of arguments in COMMAND DOCS. A plain value; no thread owns it.
namespace Garnet.Cli.Interactive;

/// <summary>What an argument consists of.</summary>
internal enum ArgumentKind
{
    /// <summary>A word: a key, a string, a pattern.</summary>
    Word,

    /// <summary>An integer, or a time.</summary>
    Integer,

    /// <summary>A number.</summary>
    Double,

    /// <summary>Its token alone.</summary>
    PureToken,

    /// <summary>One of its parts.</summary>
    OneOf,

    /// <summary>All of its parts in order.</summary>
    Block,
}
