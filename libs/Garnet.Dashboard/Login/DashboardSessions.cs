// Who is logged in to the dashboard. Any thread.
using System.Buffers.Text;
using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Security.Cryptography;
using System.Text;

namespace Garnet.Dashboard.Login;

/// <summary>
/// Finds sessions by their cookies, of which only hashes are kept. A session ends when it is not used for half an hour, after a day, when
/// the user is deleted or switched off or its passwords change, and for a newer one when there are too many: then one of the user that has
/// most of them, so that nobody can end the sessions of others.
/// </summary>
internal sealed class DashboardSessions(IDashboardServer server, TimeProvider time) : IAsyncDisposable
{
    private const int MaxSessions = 256;
    private const int SecretBytes = 32;

    /// <summary>How long a session may be unused.</summary>
    public static readonly TimeSpan MaxIdle = TimeSpan.FromMinutes(30);

    /// <summary>How long a session may be used.</summary>
    public static readonly TimeSpan MaxAge = TimeSpan.FromDays(1);

    private readonly Lock _gate = new();
    private readonly Dictionary<string, DashboardSession> _sessions = new(StringComparer.Ordinal);
    private bool _isClosed;

    /// <summary>How many there are.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _sessions.Count;
        }
    }

    /// <summary>Begins a session; null when the user may no longer log in.</summary>
    /// <param name="user">Who has proved who it is.</param>
    /// <param name="loginState">What the server said of the user before it was asked for the proof.</param>
    /// <param name="peer">The browser's address.</param>
    public (DashboardSession Session, string Cookie, string Token)? Begin(string user, string loginState, EndPoint peer)
    {
        string cookie = NewSecret();
        string token = NewSecret();
        var session = new DashboardSession(server, peer, user, loginState, token, time.GetUtcNow());
        DashboardSession? crowdedOut = null;
        lock (_gate)
        {
            if (_isClosed || !session.IsValid(server))
                return null;
            if (_sessions.Count >= MaxSessions)
                _sessions.Remove(Dispensable(), out crowdedOut);
            _sessions.Add(KeyOf(cookie), session);
        }

        End(crowdedOut);
        return (session, cookie, token);
    }

    /// <summary>Finds the session of a request.</summary>
    public bool TryFind(string? cookie, string? token, [NotNullWhen(true)] out DashboardSession? session)
    {
        session = null;
        if (string.IsNullOrEmpty(cookie) || string.IsNullOrEmpty(token))
            return false;
        string key = KeyOf(cookie);
        lock (_gate)
        {
            if (!_sessions.TryGetValue(key, out DashboardSession? found) || !found.HasToken(token))
                return false;
            if (!IsOver(found))
            {
                found.LastUsed = time.GetUtcNow();
                session = found;
                return true;
            }

            _sessions.Remove(key);
            session = found;
        }

        End(session);
        session = null;
        return false;
    }

    /// <summary>Ends the sessions whose time is over or whose user has changed.</summary>
    public void EndOver()
    {
        List<DashboardSession> over = [];
        lock (_gate)
        {
            foreach ((string key, DashboardSession session) in _sessions)
            {
                if (!IsOver(session))
                    continue;
                over.Add(session);
                _sessions.Remove(key);
            }
        }

        over.ForEach(End);
    }

    /// <summary>Ends one.</summary>
    public void Remove(DashboardSession session)
    {
        lock (_gate)
        {
            if (_sessions.FirstOrDefault(each => each.Value == session).Key is { } key)
                _sessions.Remove(key);
        }

        End(session);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        DashboardSession[] all;
        lock (_gate)
        {
            _isClosed = true;
            all = [.. _sessions.Values];
            _sessions.Clear();
        }

        foreach (DashboardSession session in all)
            await session.DisposeAsync().ConfigureAwait(false);
    }

    private string Dispensable() =>
        _sessions
            .GroupBy(static each => each.Value.User, StringComparer.Ordinal)
            .MaxBy(static ofUser => ofUser.Count())!
            .MinBy(static each => (each.Value.IsWatched, each.Value.LastUsed))
            .Key;

    private bool IsOver(DashboardSession session)
    {
        DateTimeOffset now = time.GetUtcNow();
        return now - session.Begun > MaxAge || (now - session.LastUsed > MaxIdle && !session.IsWatched) || !session.IsValid(server);
    }

    private static void End(DashboardSession? session) => _ = session?.DisposeAsync().AsTask();

    private static string NewSecret() => Base64Url.EncodeToString(RandomNumberGenerator.GetBytes(SecretBytes));

    private static string KeyOf(string cookie) => Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(cookie)));
}
