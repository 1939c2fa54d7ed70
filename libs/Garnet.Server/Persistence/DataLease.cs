// One use of a lock on data files. Disposed once or repeatedly, by any thread.
namespace Garnet.Server.Persistence;

/// <summary>Releases the use when it is disposed.</summary>
internal sealed class DataLease(Action giveBack) : IDisposable
{
    private int _isOver;

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isOver, 1) == 0)
            giveBack();
    }
}
