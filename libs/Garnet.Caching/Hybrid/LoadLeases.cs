// Takes the leases of loaders, and wakes those who wait for one. Thread-safe.
using System.Collections.Concurrent;
using System.Text;
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;
using Garnet.Client;

namespace Garnet.Caching.Hybrid;

/// <summary>
/// The loader that gives its lease back tells the instances that wait; without that they look again when the lease is over.
/// </summary>
internal sealed class LoadLeases(ICacheLink link, CacheNames names, TimeSpan lease, TimeProvider time)
{
    private readonly ConcurrentDictionary<string, TaskCompletionSource> _waiting = new(StringComparer.Ordinal);
    private readonly byte[] _instance = Encoding.ASCII.GetBytes(names.Instance);
    private long _taken;

    /// <summary>Tries to take the lease of a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="seen">What the caller has seen of the entry: its random number, or nothing.</param>
    /// <param name="waits">Whether to wait while another one has the lease, until it is given back or over.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async ValueTask<LoadTurn> TakeAsync(string key, ReadOnlyMemory<byte> seen, bool waits, CancellationToken cancellationToken)
    {
        // Before the lease is asked for, so that an end in between is not missed.
        Task end = _waiting.GetOrAdd(key, static _ => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        try
        {
            byte[] token = Encoding.ASCII.GetBytes($"{names.Instance}{Interlocked.Increment(ref _taken):x}");
            RespValue reply = await LoadScripts
                .Take.CallAsync(
                    link,
                    [names.Entry(key), names.Load(key), names.Waiting(key)],
                    [token, CacheText.Number(CacheText.Milliseconds(lease)), seen, _instance]
                )
                .ConfigureAwait(false);
            long outcome = reply[0].AsInt64();
            if (outcome == LoadScripts.Taken)
                return new LoadTurn(new LoadLease(link, names, key, token, lease, time), IsBusy: false);
            if (outcome == LoadScripts.Busy && waits)
                await WaitAsync(end, reply[1].AsInt64(), cancellationToken).ConfigureAwait(false);
            return new LoadTurn(null, outcome == LoadScripts.Busy);
        }
        finally
        {
            // Others of this instance who wait for the key look again as well, which does no harm.
            OnEnded(key);
        }
    }

    /// <summary>A load has ended.</summary>
    public void OnEnded(string key)
    {
        if (_waiting.TryRemove(key, out TaskCompletionSource? waiting))
            waiting.TrySetResult();
    }

    private async Task WaitAsync(Task end, long leftMs, CancellationToken cancellationToken)
    {
        try
        {
            await end.WaitAsync(TimeSpan.FromMilliseconds(Math.Max(1, leftMs)), time, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The lease may be over without a word: its holder has died.
        }
    }
}
