// Slows down the guessing of passwords. Any thread.
using System.Net;
using Garnet.Dashboard.Http;

namespace Garnet.Dashboard.Login;

/// <summary>
/// Each address may try a few times; then it waits twice as long after each further attempt, up to a minute. An attempt counts when it
/// begins, so that many at once are no way around; a success takes only itself back, so that a user with a password of its own gets no more
/// guesses at another's. One attempt is forgotten a minute.
/// </summary>
internal sealed class LoginThrottle(TimeProvider time)
{
    private const int FreeAttempts = 5;
    private const int MaxAddresses = 4096;
    private static readonly TimeSpan LongestWait = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan OneForgotten = TimeSpan.FromMinutes(1);

    // By the clock that nobody sets.
    private readonly long _begun = time.GetTimestamp();
    private readonly Lock _gate = new();
    private readonly Dictionary<IPAddress, Attempts> _addresses = [];

    /// <summary>Begins an attempt; false when the address has to wait first.</summary>
    /// <param name="address">The browser's.</param>
    /// <param name="wait">How long.</param>
    public bool TryBegin(IPAddress address, out TimeSpan wait)
    {
        TimeSpan now = time.GetElapsedTime(_begun);
        lock (_gate)
        {
            IPAddress network = PeerNetwork.OfMachine(address);
            Attempts attempts = _addresses.GetValueOrDefault(network).At(now);
            wait = attempts.Next - now;
            if (wait > TimeSpan.Zero)
                return false;
            if (_addresses.Count >= MaxAddresses && !_addresses.ContainsKey(network))
                _addresses.Remove(Dispensable());
            _addresses[network] = attempts.Another(now);
            return true;
        }
    }

    /// <summary>Notes that an attempt was right.</summary>
    public void Succeeded(IPAddress address)
    {
        lock (_gate)
        {
            IPAddress network = PeerNetwork.OfMachine(address);
            if (!_addresses.TryGetValue(network, out Attempts attempts))
                return;
            if (attempts.Count <= 1)
                _addresses.Remove(network);
            else
                _addresses[network] = new Attempts(attempts.Count - 1, attempts.Since, default);
        }
    }

    // The oldest of the site that has most of them: who has many addresses pushes no one else out.
    private IPAddress Dispensable() =>
        _addresses
            .GroupBy(static each => PeerNetwork.OfSite(each.Key))
            .MaxBy(static ofSite => ofSite.Count())!
            .MinBy(static each => each.Value.Since)
            .Key;

    private readonly record struct Attempts(int Count, TimeSpan Since, TimeSpan Next)
    {
        public Attempts At(TimeSpan now)
        {
            int forgotten = Count == 0 ? 0 : (int)Math.Min(Count, (now - Since) / OneForgotten);
            return forgotten == 0 ? this : new Attempts(Count - forgotten, now, Next);
        }

        public Attempts Another(TimeSpan now)
        {
            int count = Count + 1;
            var wait = TimeSpan.FromSeconds(count < FreeAttempts ? 0 : 1 << Math.Min(count - FreeAttempts, 10));
            return new Attempts(count, now, now + (wait < LongestWait ? wait : LongestWait));
        }
    }
}
