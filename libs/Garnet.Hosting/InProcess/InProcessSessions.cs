// The sessions of a server's callers in this process. Thread-safe.
using Garnet.Engine.Execution;
using Garnet.Server.Sessions;

namespace Garnet.Hosting.InProcess;

/// <summary>
/// Pools sessions: each processor has a slot with the session last used there, so that renting is one exchange on a cache line that is
/// usually local. If the slot is empty, a session is created, for example for calls made from within a reader. Opened by the server's
/// start, closed by its stop.
/// </summary>
internal sealed class InProcessSessions(ClientFactory clients, SessionParts parts)
{
    // References to a cache line's distance, so that processors do not share lines.
    private const int Stride = 8;
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(5);

    private readonly HashSet<InProcessTransaction> _transactions = [];
    private readonly InProcessSession?[] _places = new InProcessSession?[(Environment.ProcessorCount + 1) * Stride];
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _closing = new();
    private int _lent;
    private bool _isOpen;
    private bool _isClosed;

    /// <summary>Cancelled when the server stops.</summary>
    public CancellationToken Closing => _closing.Token;

    /// <summary>Admits callers.</summary>
    public void Open()
    {
        lock (_gate)
            _isOpen = !_isClosed;
    }

    /// <summary>Lends a session; it must be returned.</summary>
    /// <exception cref="InvalidOperationException">The server is not started, or it is stopped.</exception>
    public InProcessSession Rent()
    {
        int place = (int)((uint)Thread.GetCurrentProcessorId() % (uint)(_places.Length / Stride)) * Stride;
        InProcessSession session = Interlocked.Exchange(ref _places[place], null) ?? Make();
        session.PoolIndex = place;
        return session;
    }

    /// <summary>Takes a session back.</summary>
    public void Return(InProcessSession session)
    {
        session.Reset();
        if (
            session.IsBroken
            || Volatile.Read(ref _isClosed)
            || Interlocked.CompareExchange(ref _places[session.PoolIndex], session, null) is not null
        )
        {
            End(session);
        }
    }

    /// <summary>Notes a transaction, which holds a session, so that it ends with the server at the latest.</summary>
    /// <exception cref="InvalidOperationException">The server is stopped.</exception>
    public void Add(InProcessTransaction transaction)
    {
        bool isLate;
        lock (_gate)
        {
            isLate = _isClosed;
            if (!isLate)
                _transactions.Add(transaction);
        }

        if (!isLate)
            return;
        transaction.Dispose();
        throw new InvalidOperationException("The server is stopped.");
    }

    /// <summary>Takes a transaction's session back.</summary>
    public void Return(InProcessTransaction transaction, InProcessSession session)
    {
        lock (_gate)
            _transactions.Remove(transaction);
        session.EndTransaction();
        Return(session);
    }

    /// <summary>Lets no more callers in, ends open transactions, ends the waits of those inside, and completes when they are out.</summary>
    public async Task CloseAsync()
    {
        lock (_gate)
            (_isOpen, _isClosed) = (false, true);
        await _closing.CancelAsync().ConfigureAwait(false);
        foreach (InProcessTransaction transaction in OpenTransactions())
            transaction.Dispose();
        while (true)
        {
            for (int i = 0; i < _places.Length; i++)
            {
                if (Interlocked.Exchange(ref _places[i], null) is { } session)
                    End(session);
            }

            // Sessions rented at the moment are still returned to a slot.
            if (Volatile.Read(ref _lent) == 0)
                return;
            await Task.Delay(Look).ConfigureAwait(false);
        }
    }

    private InProcessTransaction[] OpenTransactions()
    {
        lock (_gate)
            return [.. _transactions];
    }

    private InProcessSession Make()
    {
        lock (_gate)
        {
            if (!_isOpen)
                throw new InvalidOperationException(_isClosed ? "The server is stopped." : "The server is not started yet.");
            _lent++;
            return new InProcessSession(clients, parts, _closing.Token);
        }
    }

    private void End(InProcessSession session)
    {
        session.Dispose();
        lock (_gate)
            _lent--;
    }
}
