// The kinds of replies. A plain value; no thread owns it.
namespace Garnet.Client;

/// <summary>The wire type of a reply. The three nulls are distinguished, because clients can see which one was sent.</summary>
public enum RespKind
{
    /// <summary>+text</summary>
    SimpleString,

    /// <summary>-text</summary>
    Error,

    /// <summary>:number</summary>
    Integer,

    /// <summary>$length and bytes</summary>
    BulkString,

    /// <summary>$-1, the null of RESP2</summary>
    NullBulkString,

    /// <summary>*count and replies</summary>
    Array,

    /// <summary>*-1, the other null of RESP2</summary>
    NullArray,

    /// <summary>_ of RESP3</summary>
    Null,

    /// <summary>#t or #f</summary>
    Boolean,

    /// <summary>,number</summary>
    Double,

    /// <summary>(digits</summary>
    BigNumber,

    /// <summary>!length and bytes: an error that may have line ends</summary>
    BulkError,

    /// <summary>=length, three letters, a colon and bytes</summary>
    VerbatimString,

    /// <summary>%pairs, then alternating keys and values</summary>
    Map,

    /// <summary>~count and replies</summary>
    Set,

    /// <summary>&gt;count and replies, sent unsolicited</summary>
    Push,
}
