// The type of a called command's reply. Immutable.
namespace Garnet.Modules;

/// <summary>What a <see cref="CallReply"/> is.</summary>
public enum ReplyKind
{
    /// <summary>No value.</summary>
    Null = 0,

    /// <summary>A status such as OK; <see cref="CallReply.Bytes"/>.</summary>
    Status = 1,

    /// <summary>An error; <see cref="CallReply.Bytes"/>.</summary>
    Error = 2,

    /// <summary><see cref="CallReply.Integer"/>.</summary>
    Integer = 3,

    /// <summary>Bytes; <see cref="CallReply.Bytes"/>. In RESP3 also numbers that are no integers, and verbatim text.</summary>
    Bulk = 4,

    /// <summary>An array, a set or, with keys and values in turn, a map; <see cref="CallReply.Count"/> and enumeration.</summary>
    Array = 5,

    /// <summary>True or false in RESP3; <see cref="CallReply.Integer"/> is 1 or 0.</summary>
    Boolean = 6,
}
