// Tells limiters of this instance that permits came back elsewhere. Thread-safe.
using System.Text;
using Garnet.Caching.Links;

namespace Garnet.Caching.Limits;

/// <summary>A message on the channel is the key of a concurrency limit for which somebody waits.</summary>
internal sealed class ReturnedPermits
{
    private readonly ICacheLink _link;
    private readonly Lock _gate = new();
    private readonly Dictionary<string, Action> _told = new(StringComparer.Ordinal);

    /// <param name="link">A link that subscribes to <paramref name="channel"/>.</param>
    /// <param name="channel">The channel.</param>
    public ReturnedPermits(ICacheLink link, string channel)
    {
        (_link, Channel) = (link, Encoding.UTF8.GetBytes(channel));
        link.Received = OnReceived;
        // What was said meanwhile is lost.
        link.Lost = OnLost;
    }

    /// <summary>The channel.</summary>
    public ReadOnlyMemory<byte> Channel { get; }

    /// <summary>The name of the channel of an application's instances.</summary>
    public static string ChannelName(string instanceName) => instanceName + "limit-returned";

    /// <summary>Makes sure that messages are received.</summary>
    public void Subscribe() => _link.Subscribe();

    /// <summary>Calls back when permits of a limit came back.</summary>
    public void Add(string key, Action told)
    {
        lock (_gate)
            _told[key] = _told.GetValueOrDefault(key) + told;
    }

    /// <summary>Ends what <see cref="Add"/> began.</summary>
    public void Remove(string key, Action told)
    {
        lock (_gate)
        {
            if (_told.GetValueOrDefault(key) - told is { } others)
                _told[key] = others;
            else
                _told.Remove(key);
        }
    }

    private void OnReceived(ReadOnlyMemory<byte> message)
    {
        string key = Encoding.UTF8.GetString(message.Span);
        Action? told;
        lock (_gate)
            told = _told.GetValueOrDefault(key);
        told?.Invoke();
    }

    private void OnLost()
    {
        Action[] all;
        lock (_gate)
            all = [.. _told.Values];
        foreach (Action told in all)
            told();
    }
}
