// A browser that is logged in. Any thread.
using System.Net;
using System.Security.Cryptography;
using System.Text;

namespace Garnet.Dashboard.Login;

/// <summary>
/// A session has two secrets: the browser sends the cookie by itself, to every port of the host, and the page sends the token, which only
/// pages of this port can read. Neither is worth anything without the other.
/// </summary>
internal sealed class DashboardSession : IAsyncDisposable
{
    /// <summary>How many of its requests wait for their answers to be read at most.</summary>
    public const int MaxRequests = 16;

    private const int MaxStreams = 8;

    private readonly byte[] _tokenHash;
    private readonly string _loginState;
    private readonly CancellationTokenSource _ending = new();
    private int _streams;
    private int _requests;

    /// <summary>Begins a session of a user who has logged in.</summary>
    public DashboardSession(IDashboardServer server, EndPoint peer, string user, string loginState, string token, DateTimeOffset now)
    {
        _tokenHash = HashOf(token);
        _loginState = loginState;
        User = user;
        Begun = LastUsed = now;
        Connection = new UserConnection(server, peer, user);
        Ended = _ending.Token;
    }

    /// <summary>The user's name.</summary>
    public string User { get; }

    /// <summary>When it began.</summary>
    public DateTimeOffset Begun { get; }

    /// <summary>When it was used last.</summary>
    public DateTimeOffset LastUsed { get; set; }

    /// <summary>Runs the user's commands.</summary>
    public UserConnection Connection { get; }

    /// <summary>Cancelled at its end.</summary>
    public CancellationToken Ended { get; }

    /// <summary>Whether a page follows its events.</summary>
    public bool IsWatched => Volatile.Read(ref _streams) > 0;

    /// <summary>Whether the user may still log in as it did.</summary>
    public bool IsValid(IDashboardServer server) => server.LoginState(User) == _loginState;

    /// <summary>Whether this is the page's secret.</summary>
    public bool HasToken(string token) => CryptographicOperations.FixedTimeEquals(HashOf(token), _tokenHash);

    /// <summary>Counts one more stream of events; false when there are too many.</summary>
    public bool TryBeginStream()
    {
        if (Interlocked.Increment(ref _streams) <= MaxStreams)
            return true;
        Interlocked.Decrement(ref _streams);
        return false;
    }

    /// <summary>Counts one less.</summary>
    public void EndStream() => Interlocked.Decrement(ref _streams);

    /// <summary>Counts one more request whose answer is not written; false when there are too many.</summary>
    public bool TryBeginRequest()
    {
        if (Interlocked.Increment(ref _requests) <= MaxRequests)
            return true;
        Interlocked.Decrement(ref _requests);
        return false;
    }

    /// <summary>Counts one less.</summary>
    public void EndRequest() => Interlocked.Decrement(ref _requests);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _ending.CancelAsync().ConfigureAwait(false);
        await Connection.DisposeAsync().ConfigureAwait(false);
    }

    private static byte[] HashOf(string secret) => SHA256.HashData(Encoding.UTF8.GetBytes(secret));
}
