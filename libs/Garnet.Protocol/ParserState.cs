// Where a parser stands in an unfinished request. A plain value; no thread owns it.
namespace Garnet.Protocol;

/// <summary>The state of a <see cref="RequestParser"/> between two receives of a request whose arguments so far are detached.</summary>
/// <param name="Remaining">Arguments still to come.</param>
/// <param name="BulkLength">Length of the next argument, -1 while its header is not complete.</param>
/// <param name="AwaitsLineEnd">Whether the next argument's payload has been received by the caller.</param>
/// <param name="ExternalHandle">The handle of that payload.</param>
/// <param name="ArgumentCount">Detached arguments.</param>
/// <param name="Skipped">Whether the request follows empty ones.</param>
public readonly record struct ParserState(
    int Remaining,
    int BulkLength,
    bool AwaitsLineEnd,
    int ExternalHandle,
    int ArgumentCount,
    bool Skipped
);
