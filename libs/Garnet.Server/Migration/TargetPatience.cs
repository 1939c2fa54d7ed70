// How long MIGRATE waits for its target. Used by one task.
namespace Garnet.Server.Migration;

/// <summary>
/// A token that is cancelled when the target has been silent for too long, or the client is gone. In a transaction or a script, where
/// other clients wait meanwhile, the time is that of the whole command.
/// </summary>
internal sealed class TargetPatience : IDisposable
{
    private readonly TimeSpan _timeout;
    private readonly bool _isForAll;
    private readonly CancellationTokenSource _end;
    private readonly CancellationTokenRegistration _closing;

    public TargetPatience(int timeoutMs, TimeProvider time, CancellationToken closed, bool isForAll)
    {
        _timeout = TimeSpan.FromMilliseconds(timeoutMs);
        _isForAll = isForAll;
        _end = new CancellationTokenSource(_timeout, time);
        _closing = closed.UnsafeRegister(static end => ((CancellationTokenSource)end!).Cancel(), _end);
    }

    /// <summary>Cancelled when there is no more patience.</summary>
    public CancellationToken Token => _end.Token;

    /// <summary>The target is waited for anew.</summary>
    public void Renew()
    {
        if (!_isForAll)
            _end.CancelAfter(_timeout);
    }

    /// <summary>The target is not waited for until the next <see cref="Renew"/>.</summary>
    public void Suspend()
    {
        if (!_isForAll)
            _end.CancelAfter(Timeout.InfiniteTimeSpan);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _closing.Dispose();
        _end.Dispose();
    }
}
