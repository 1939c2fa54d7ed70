// Somebody who waits for some reads. Used under the lock of TierLoads.
namespace Garnet.Store.Tiering;

/// <summary>Completes when all of them are over.</summary>
/// <param name="reads">How many there are.</param>
internal sealed class LoadWait(int reads)
{
    private readonly TaskCompletionSource _over = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _left = reads;

    /// <summary>Completes with the last read.</summary>
    public Task Task => _over.Task;

    /// <summary>One is over.</summary>
    public void EndOne()
    {
        if (--_left == 0)
            _over.SetResult();
    }
}
