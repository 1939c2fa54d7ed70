// A visit to the store outside of a batch of commands. Lives on the stack; one thread.
namespace Garnet.Store;

/// <summary>
/// Enters the epoch for something that is no command, unless the session is inside already, and leaves it again. To be used with
/// <c>using</c>.
/// </summary>
internal readonly ref struct StoreVisit : IDisposable
{
    private readonly StoreSession? _entered;

    /// <summary>Enters it.</summary>
    public StoreVisit(StoreSession session)
    {
        if (session.IsInBatch)
            return;

        session.EnterBatch();
        _entered = session;
    }

    /// <summary>Leaves the epoch, if the visit entered it.</summary>
    public void Dispose() => _entered?.LeaveBatch();
}
