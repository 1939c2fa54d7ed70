// Receives error replies as they are written. Called by the thread that writes the reply.
namespace Garnet.Protocol;

/// <summary>Counts or logs error replies.</summary>
internal interface IErrorObserver
{
    /// <summary>An error reply was written (or would have been, if replies were not suppressed).</summary>
    /// <param name="text">Its text without '-' and line end, code first; valid during the call only.</param>
    void OnError(ReadOnlySpan<byte> text);
}
