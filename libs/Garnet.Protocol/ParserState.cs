// The state of a parser in an unfinished request. A plain value, owned by no thread.
namespace Garnet.Protocol;

/// <summary>The state of a <see cref="RequestParser"/> between two receives of a request whose arguments so far are detached.</summary>
/// <param name="Remaining">Remaining arguments.</param>
/// <param name="BulkLength">Length of the next argument, -1 while its header is incomplete.</param>
/// <param name="AwaitsLineEnd">Whether the next argument's payload has been received by the caller.</param>
/// <param name="ExternalHandle">The handle of that payload.</param>
/// <param name="ArgumentCount">Detached arguments.</param>
/// <param name="Skipped">Whether the request follows empty ones.</param>
internal readonly record struct ParserState(
    int Remaining,
    int BulkLength,
    bool AwaitsLineEnd,
    int ExternalHandle,
    int ArgumentCount,
    bool Skipped
);
