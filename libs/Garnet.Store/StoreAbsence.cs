// A time outside of the epoch in the middle of a batch. Lives on the stack; one thread.
namespace Garnet.Store;

/// <summary>
/// Leaves the epoch for something that may enter it for other sessions, and enters it again. To be used with <c>using</c>, without latches.
/// What was known of the store and the server before may not hold afterwards.
/// </summary>
internal readonly ref struct StoreAbsence : IDisposable
{
    private readonly StoreSession _session;

    /// <summary>Leaves it.</summary>
    public StoreAbsence(StoreSession session)
    {
        _session = session;
        session.LeaveBatch();
    }

    /// <summary>Enters the epoch again.</summary>
    public void Dispose() => _session.EnterBatch();
}
