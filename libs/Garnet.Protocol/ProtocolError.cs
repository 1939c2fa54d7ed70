// The possible protocol violations of a request. A plain value, owned by no thread.
namespace Garnet.Protocol;

/// <summary>Why a request was rejected; each has one error text.</summary>
internal enum ProtocolError
{
    /// <summary>No error.</summary>
    None,

    /// <summary>The number after '*' is not an integer or too large.</summary>
    InvalidMultibulkLength,

    /// <summary>The line after '*' is longer than 64 KiB.</summary>
    MultibulkCountTooLong,

    /// <summary>More than 10 arguments before authentication.</summary>
    UnauthenticatedMultibulkLength,

    /// <summary>The number after '$' is not an integer, negative or larger than allowed.</summary>
    InvalidBulkLength,

    /// <summary>The line after '$' is longer than 64 KiB.</summary>
    BulkCountTooLong,

    /// <summary>An argument of more than 16384 bytes before authentication.</summary>
    UnauthenticatedBulkLength,

    /// <summary>An argument does not begin with '$'.</summary>
    ExpectedDollar,

    /// <summary>A line or an argument is not followed by CR LF.</summary>
    InvalidLineEnd,

    /// <summary>An inline request is longer than 64 KiB.</summary>
    InlineTooLong,

    /// <summary>An inline request's quote is not closed.</summary>
    UnbalancedQuotes,
}
