// Keeps an instance a member of its cache: registers, renews, applies what others change. Thread-safe.
using System.Threading.Channels;
using Garnet.Caching.Links;
using Garnet.Client;

namespace Garnet.Caching.Coherence;

/// <summary>
/// There is a session as long as the link holds; between two sessions nothing may be served from the process. Messages are queued from the
/// beginning of a connection, so that none is missed between the subscription and the session.
/// </summary>
internal sealed class CacheMembership : IAsyncDisposable
{
    // The first byte of a message on an instance's own channel.
    public const byte Acknowledgement = (byte)'A';
    public const byte Loaded = (byte)'L';

    private const int RenewalsPerLease = 4;
    private static readonly TimeSpan TokenLifetime = TimeSpan.FromDays(30);

    private readonly ICacheLink _link;
    private readonly CacheNames _names;
    private readonly TimeProvider _time;
    private readonly TimeSpan _lease;
    private readonly CancellationTokenSource _closing = new();
    private readonly Lock _gate = new();
    private readonly TaskCompletionSource _began = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Channel<ReadOnlyMemory<byte>> _messages = NewQueue();
    private CacheSession? _session;
    private Task _running = Task.CompletedTask;
    private string _member = "";
    private int _sessions;
    private int _isDisposed;

    /// <param name="link">The link, whose handlers this sets.</param>
    /// <param name="names">Keys and channels.</param>
    /// <param name="lease">How long others wait for this instance.</param>
    /// <param name="time">Its timestamps must be monotonic.</param>
    public CacheMembership(ICacheLink link, CacheNames names, TimeSpan lease, TimeProvider time)
    {
        (_link, _names, _lease, _time) = (link, names, lease, time);
        link.Received = OnReceived;
        link.Lost = OnLost;
    }

    /// <summary>A change is being applied: drop its keys. Called before it is acknowledged.</summary>
    public Action<CacheChange>? Changed { get; set; }

    /// <summary>A message came on the instance's own channel; called on the thread that reads.</summary>
    public Action<ReadOnlyMemory<byte>>? Told { get; set; }

    /// <summary>A session has ended, and with it everything that refers to it.</summary>
    public Action? Ended { get; set; }

    /// <summary>The session, if there is one; ask it whether it is live.</summary>
    public CacheSession? Session => Volatile.Read(ref _session);

    /// <summary>Completes when the first session has begun, or could not.</summary>
    public Task Began => _began.Task;

    /// <summary>Begins to be a member.</summary>
    public void Start() => _running = Task.Run(() => RunAsync(_closing.Token).ContinueWith(OnStopped, TaskScheduler.Default).Unwrap());

    /// <summary>The current tokens of tags, asked of the server now.</summary>
    public async Task<Guid[]> FetchTokensAsync(IReadOnlyList<string> tags)
    {
        ReadOnlyMemory<byte>[] keys = [.. tags.Select(tag => (ReadOnlyMemory<byte>)_names.Tag(tag))];
        ReadOnlyMemory<byte>[] values = [TokenLife, .. tags.Select(static _ => (ReadOnlyMemory<byte>)Guid.NewGuid().ToByteArray())];
        RespValue reply = await CoherenceScripts.Tokens.CallAsync(_link, keys, values).ConfigureAwait(false);
        // A key of another length was not written by a cache, and its entries never become valid.
        return [.. reply.Children.Select(static token => token.Bytes.Length == 16 ? new Guid(token.Bytes.Span) : Guid.NewGuid())];
    }

    /// <summary>How long tokens live, as an argument.</summary>
    public static byte[] TokenLife { get; } = CacheText.Number((long)TokenLifetime.TotalMilliseconds);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        bool isMember = Session is not null;
        await _closing.CancelAsync().ConfigureAwait(false);
        await _running.ConfigureAwait(false);
        if (isMember)
            await LeaveAsync().ConfigureAwait(false);
        _closing.Dispose();
    }

    // Nobody waits for a session that does not come; and what stopped it is not lost.
    private Task OnStopped(Task stopped)
    {
        _began.TrySetResult();
        return stopped;
    }

    private static Channel<ReadOnlyMemory<byte>> NewQueue() =>
        Channel.CreateUnbounded<ReadOnlyMemory<byte>>(new UnboundedChannelOptions { SingleReader = true });

    private async Task RunAsync(CancellationToken closing)
    {
        while (!closing.IsCancellationRequested)
        {
            // Made before the session can be seen, so that whoever sees it knows that it is renewed.
            using PeriodicTimer renewals = new(_lease / RenewalsPerLease, _time);
            try
            {
                (CacheSession Session, ChannelReader<ReadOnlyMemory<byte>> Messages)? beginning = await BeginAsync(closing)
                    .ConfigureAwait(false);
                _began.TrySetResult();
                if (beginning is { } begun)
                    await ServeAsync(begun.Session, begun.Messages, renewals, closing).ConfigureAwait(false);
                await Task.Delay(_lease / RenewalsPerLease, _time, closing).ConfigureAwait(false);
            }
            catch (Exception e) when (IsLoss(e) || e is OperationCanceledException or ObjectDisposedException)
            {
                // Without a server there is no session, and calls say what is wrong with the link. Tried again after a while.
                _began.TrySetResult();
                await Task.Delay(_lease / RenewalsPerLease, _time, closing).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
    }

    /// <summary>Whether an exception says that the server did not or would not answer.</summary>
    public static bool IsLoss(Exception e) =>
        e is RespConnectionException or TimeoutException or GarnetCommandException or RespProtocolException;

    // Null when the link broke meanwhile: then it is not known over which connection the registration went.
    private async Task<(CacheSession Session, ChannelReader<ReadOnlyMemory<byte>> Messages)?> BeginAsync(CancellationToken closing)
    {
        _link.Subscribe();
        int losses = _link.Losses;
        ChannelReader<ReadOnlyMemory<byte>> messages = Volatile.Read(ref _messages).Reader;
        string former = _member;
        _member = $"{_names.Instance}{++_sessions:x8}";
        long sentAt = _time.GetTimestamp();
        RespValue reply = await CoherenceScripts
            .Register.CallAsync(_link, [_names.Members], [Bytes(_member), Bytes(former), FirstNumber()], closing)
            .ConfigureAwait(false);
        long number = reply.AsInt64();
        var session = new CacheSession(_member, number, LeaseTicks, new TagTable(FetchTokensAsync), _time.GetTimestamp());
        lock (_gate)
        {
            if (_link.Losses != losses || _messages.Reader != messages)
                return null;
            session.Renewed(number, sentAt);
            Volatile.Write(ref _session, session);
        }

        return (session, messages);
    }

    // The changes and the renewals of one session, until it ends.
    private async Task ServeAsync(
        CacheSession session,
        ChannelReader<ReadOnlyMemory<byte>> messages,
        PeriodicTimer renewals,
        CancellationToken closing
    )
    {
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(closing);
        Task renewing = RenewAsync(session, renewals, ending);
        try
        {
            await foreach (ReadOnlyMemory<byte> message in messages.ReadAllAsync(ending.Token).ConfigureAwait(false))
                Apply(session, message);
        }
        finally
        {
            EndSession();
            await ending.CancelAsync().ConfigureAwait(false);
            await renewing.ConfigureAwait(false);
        }
    }

    private async Task RenewAsync(CacheSession session, PeriodicTimer renewals, CancellationTokenSource ending)
    {
        try
        {
            while (await renewals.WaitForNextTickAsync(ending.Token).ConfigureAwait(false))
            {
                if (!await TryRenewAsync(session, ending.Token).ConfigureAwait(false))
                    break;
            }
        }
        catch (Exception e) when (IsLoss(e) || e is OperationCanceledException or ObjectDisposedException)
        {
            // A renewal without an answer ends the session, and another is tried.
        }

        await ending.CancelAsync().ConfigureAwait(false);
    }

    private async Task<bool> TryRenewAsync(CacheSession session, CancellationToken cancellationToken)
    {
        long sentAt = _time.GetTimestamp();
        RespValue reply = await _link
            .CallAsync("HMGET", [_names.Members, Bytes(CoherenceScripts.Sequence), Bytes(session.Member)], cancellationToken)
            .ConfigureAwait(false);
        return reply[0].TryGetInt64(out long number) && reply[1].Bytes.Span.SequenceEqual("1"u8) && session.Renewed(number, sentAt);
    }

    private void Apply(CacheSession session, ReadOnlyMemory<byte> message)
    {
        if (!CacheChange.TryRead(message.Span, out long number, out CacheChange change))
            return;
        foreach (string tag in change.Tags)
            session.Tags.End(tag);
        Changed?.Invoke(change);
        session.Applied(number);
        byte[] reply = new byte[1 + sizeof(long) + session.Member.Length];
        reply[0] = Acknowledgement;
        BitConverter.TryWriteBytes(reply.AsSpan(1), change.Id);
        Bytes(session.Member).CopyTo(reply.AsSpan(9));
        if (change.Remover == _names.Id)
            Told?.Invoke(reply);
        else
            _ = AcknowledgeAsync(change.Remover, reply);
    }

    // The next change need not wait for the reply.
    private async Task AcknowledgeAsync(Guid remover, byte[] reply)
    {
        try
        {
            await _link.CallAsync("PUBLISH", [Bytes(_names.InstancePrefix + remover.ToString("N")), reply]).ConfigureAwait(false);
        }
        catch (Exception e) when (IsLoss(e) || e is ObjectDisposedException)
        {
            // The remover waits for the lease instead.
        }
    }

    private async Task LeaveAsync()
    {
        try
        {
            await _link.CallAsync("HDEL", [_names.Members, Bytes(_member)]).ConfigureAwait(false);
        }
        catch (Exception e) when (IsLoss(e) || e is ObjectDisposedException)
        {
            // The others find out when they wait for it.
        }
    }

    private void OnReceived(ReadOnlyMemory<byte> message)
    {
        if (message.Length == 0)
            return;
        // Changes begin with a digit.
        if (message.Span[0] is Acknowledgement or Loaded)
            Told?.Invoke(message);
        else
            Volatile.Read(ref _messages).Writer.TryWrite(message);
    }

    private void OnLost()
    {
        lock (_gate)
        {
            _messages.Writer.TryComplete();
            _messages = NewQueue();
        }

        EndSession();
    }

    private void EndSession()
    {
        CacheSession? session;
        lock (_gate)
        {
            session = _session;
            _session = null;
        }

        if (session is null)
            return;
        session.End();
        Ended?.Invoke();
    }

    // Nine tenths: what is left covers clocks that run at different speeds.
    private long LeaseTicks => (long)(_lease.TotalSeconds * _time.TimestampFrequency * 0.9);

    private static byte[] Bytes(string text) => System.Text.Encoding.ASCII.GetBytes(text);

    /// <summary>The first number of a new list: at random, so that it is not taken for the continuation of a lost one.</summary>
    public static byte[] FirstNumber() => CacheText.Number(Random.Shared.NextInt64(1, 1L << 48));
}
