// The right to load a key, of all instances' loaders. One owner.
using Garnet.Caching.Coherence;
using Garnet.Caching.Links;
using Garnet.Client;

namespace Garnet.Caching.Hybrid;

/// <summary>Renews itself until it is given back.</summary>
internal sealed class LoadLease
{
    private readonly ICacheLink _link;
    private readonly CacheNames _names;
    private readonly string _key;
    private readonly byte[] _token;
    private readonly byte[] _leaseMs;
    private readonly LeaseRenewal _renewal;

    public LoadLease(ICacheLink link, CacheNames names, string key, byte[] token, TimeSpan lease, TimeProvider time)
    {
        (_link, _names, _key, _token) = (link, names, key, token);
        _leaseMs = CacheText.Number(CacheText.Milliseconds(lease));
        _renewal = new LeaseRenewal(lease, TryRenewAsync, time);
    }

    /// <summary>Gives the lease back, and stores an entry if that is not null and the lease allows it.</summary>
    /// <returns>Whether the entry was stored.</returns>
    public async ValueTask<bool> ReleaseAsync(EntryWrite? entry)
    {
        await _renewal.DisposeAsync().ConfigureAwait(false);
        RespValue reply = await LoadScripts
            .Release.CallAsync(
                _link,
                [_names.Entry(_key), _names.Load(_key), _names.Waiting(_key), _names.Limit(_key)],
                [
                    _token,
                    System.Text.Encoding.UTF8.GetBytes(_names.InstancePrefix),
                    CacheText.Key([CacheMembership.Loaded], _key),
                    CacheText.Number(entry?.LivesMs ?? 0),
                    CacheText.Number(entry?.LimitMs ?? 0),
                    entry?.Bytes ?? default,
                ]
            )
            .ConfigureAwait(false);
        return reply.AsInt64() == 1;
    }

    private async Task<bool> TryRenewAsync(CancellationToken cancellationToken)
    {
        try
        {
            RespValue reply = await LoadScripts
                .Extend.CallAsync(_link, [_names.Load(_key)], [_token, _leaseMs], cancellationToken)
                .ConfigureAwait(false);
            return reply.AsInt64() != 0;
        }
        catch (Exception e) when (CacheMembership.IsLoss(e))
        {
            // Tried again at the next tick; storing finds out whether the lease has run out.
            return true;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }
}
