// One MULTI of a caller in this process. One caller at a time; the server's stop may end it meanwhile.
using System.Runtime.CompilerServices;
using Garnet.Client;
using Garnet.Engine.Execution;

namespace Garnet.Hosting.InProcess;

/// <summary>
/// Holds a session of its own, with the watched keys and the queue, until it is committed, disposed, or the server stops.
/// </summary>
internal sealed class InProcessTransaction(InProcessSessions sessions, InProcessCommands commands, InProcessSession session, int database)
    : IGarnetTransaction
{
    private readonly Lock _gate = new();
    private InProcessSession? _session = session;
    private bool _isInUse;
    private bool _isOver;
    private bool _isBegun;

    public int Count { get; private set; }

    public void Watch(ReadOnlySpan<byte> key)
    {
        using Turn turn = Take();
        if (_isBegun)
            throw new InvalidOperationException("Keys are watched before the first command is queued.");
        turn.Session.Begin(commands.Watch, "WATCH"u8, database);
        turn.Session.Add(key);
        turn.Session.Run();
        turn.Session.ThrowIfError();
    }

    [OverloadResolutionPriority(1)]
    public void Queue(string command, params ReadOnlySpan<string> arguments)
    {
        using Turn turn = Take();
        Begin(turn.Session, command);
        foreach (string argument in arguments)
            turn.Session.Add(argument);
        RunQueued(turn.Session);
    }

    public void Queue(string command, params ReadOnlySpan<ReadOnlyMemory<byte>> arguments)
    {
        using Turn turn = Take();
        Begin(turn.Session, command);
        foreach (ReadOnlyMemory<byte> argument in arguments)
            turn.Session.Add(argument.Span);
        RunQueued(turn.Session);
    }

    public void Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, in SetOptions options)
    {
        using Turn turn = Take();
        Begin(turn.Session, commands.Set, "SET"u8);
        turn.Session.Add(key);
        turn.Session.Add(value);
        SetArguments.Add(turn.Session, options);
        RunQueued(turn.Session);
    }

    public IReadOnlyList<RespValue>? Commit()
    {
        using Turn turn = Take(isLast: true);
        Begin(turn.Session, commands.Exec, "EXEC"u8);
        turn.Session.Run();
        return Replies(turn.Session);
    }

    public async ValueTask<IReadOnlyList<RespValue>?> CommitAsync(CancellationToken cancellationToken = default)
    {
        using Turn turn = Take(isLast: true);
        Begin(turn.Session, commands.Exec, "EXEC"u8);
        await turn.Session.RunAsync(cancellationToken).ConfigureAwait(false);
        return Replies(turn.Session);
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isOver = true;
            if (_isInUse)
                return;
        }

        Release();
    }

    private static IReadOnlyList<RespValue>? Replies(InProcessSession session)
    {
        RespValue reply = session.Reply;
        return reply.IsNull ? null : reply.Children;
    }

    private void Begin(InProcessSession session, string command)
    {
        ArgumentException.ThrowIfNullOrEmpty(command);
        Begin(session, commands.Find(command), System.Text.Encoding.UTF8.GetBytes(command));
    }

    private void Begin(InProcessSession session, Command? command, ReadOnlySpan<byte> name)
    {
        if (!_isBegun)
        {
            session.Begin(commands.Multi, "MULTI"u8, database);
            session.Run();
            session.ThrowIfError();
            session.Reset();
            _isBegun = true;
        }

        session.Begin(command, name, database);
    }

    private void RunQueued(InProcessSession session)
    {
        session.Run();
        session.ThrowIfError();
        Count++;
    }

    private Turn Take(bool isLast = false)
    {
        lock (_gate)
        {
            if (_isOver)
                throw new InvalidOperationException("The transaction is over: it was committed or disposed, or the server is stopped.");
            if (_isInUse)
                throw new InvalidOperationException("A transaction is for one caller at a time.");
            _isInUse = true;
            _isOver = isLast;
            return new Turn(this, _session!);
        }
    }

    private void Give(InProcessSession session)
    {
        session.Reset();
        lock (_gate)
        {
            _isInUse = false;
            if (!_isOver)
                return;
        }

        Release();
    }

    private void Release()
    {
        if (Interlocked.Exchange(ref _session, null) is { } session)
            sessions.Return(this, session);
    }

    private readonly struct Turn(InProcessTransaction transaction, InProcessSession session) : IDisposable
    {
        public InProcessSession Session => session;

        public void Dispose() => transaction.Give(session);
    }
}
