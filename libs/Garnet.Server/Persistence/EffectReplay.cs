// Replays effects, those of the append-only log at the start. Called by one thread, which parses; workers share the effects on single keys.
using Garnet.Engine.Execution;
using Garnet.Persistence.AppendLog;
using Garnet.Protocol;
using Garnet.Server.Persistence.Replay;
using Garnet.Store;

namespace Garnet.Server.Persistence;

/// <summary>
/// Effects on one key are executed in their order, by the worker chosen by the key's hash; those on different keys in any order, since
/// there are no readers. An effect on several keys, or on the whole keyspace, waits for everything before it, and everything after waits
/// for it; so does the section around it, because switching back and forth would cost more than it gains.
/// </summary>
internal sealed class EffectReplay : IEffectApplier, IDisposable
{
    private const int MaxWorkers = 8;
    private readonly ClientFactory _clients;
    private readonly StoreDatabases _databases;
    private readonly int _workerCount;
    private readonly Action _applied;
    private readonly ReplaySession _own;
    private readonly ReplayRoute[] _routes;
    private readonly RequestParser _parser = new() { MaxBulkBytes = int.MaxValue };
    private readonly ReplayBatch _alone = new(workers: 0);
    private ReplayWorkers? _workers;
    private ReplayBatch? _open;
    private int _database;
    private bool _isInTransaction;
    private int _takenAt;
    private long _refused;
    private string _file = "";
    private long _position;

    /// <summary>Prepares a replay; threads are started when there is enough to share.</summary>
    /// <param name="clients">What executes effects.</param>
    /// <param name="databases">The data that the effects are for.</param>
    /// <param name="workers">Threads in addition to the caller's; with fewer than two, the caller's thread executes everything.</param>
    /// <param name="applied">Called each time effects were received.</param>
    public EffectReplay(ClientFactory clients, StoreDatabases databases, int workers, Action applied)
    {
        _clients = clients;
        _databases = databases;
        _applied = applied;
        _workerCount = workers < 2 ? 0 : Math.Min(workers, MaxWorkers);
        _own = new ReplaySession(clients);
        _routes = ReplayRoute.Of(clients.Executor.Commands);
    }

    /// <summary>Commands that are parsed and passed to the workers together; the keys of one effect may increase the number.</summary>
    public int CommandsPerBatch { get; init; } = 256;

    /// <summary>The remedy for effects that are not understood.</summary>
    public string Advice { get; init; } = "The log belongs to other data, or to a newer server";

    /// <summary>Whether a file contains unframed effects, so that the position of each can be reported.</summary>
    public bool IsPlain { get; init; }

    /// <summary>Effects received.</summary>
    public long Effects { get; private set; }

    /// <summary>Effects that replied with an error, as of the last <see cref="Settle"/>.</summary>
    public long Errors => _refused + _own.Errors + (_workers?.Errors ?? 0);

    /// <inheritdoc/>
    /// <exception cref="AppendOnlyLogException">They are not understood, or cannot be executed.</exception>
    public void Apply(ArraySegment<byte> effects, string file, long position)
    {
        (_file, _position) = (file, position);
        string? problem;
        try
        {
            problem = Take(effects);
        }
        catch (LostEffectException e)
        {
            throw Lost(e);
        }

        if (problem is not null)
        {
            throw new AppendOnlyLogException(
                file,
                IsPlain ? position + StartOfTaken(effects.Array!) - effects.Offset : position,
                problem,
                Advice
            );
        }

        _applied();
    }

    /// <inheritdoc/>
    /// <exception cref="AppendOnlyLogException">An effect cannot be executed.</exception>
    public void Settle()
    {
        try
        {
            if (_open is not null)
                Ship();
            _workers?.Settle();
        }
        catch (LostEffectException e)
        {
            throw Lost(e);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _workers?.Dispose();
        _own.Dispose();
    }

    // Workers execute effects later than they are read.
    private AppendOnlyLogException Lost(LostEffectException e) =>
        new(_file, _position, $"an effect before this cannot be executed: {e.Message}", "Check the disk of tier-dir, and start again");

    // The parser skips empty lines, which replace annotations.
    private int StartOfTaken(byte[] bytes)
    {
        int at = _takenAt;
        while (bytes[at] == '\n')
            at++;
        return at;
    }

    private string? Take(ArraySegment<byte> effects)
    {
        byte[] bytes = effects.Array!;
        if (_open is not null && _open.Bytes != bytes)
            Ship();
        ReadOnlySpan<byte> upToEnd = bytes.AsSpan(0, effects.Offset + effects.Count);
        for (int position = effects.Offset; position < upToEnd.Length; )
        {
            _takenAt = position;
            ReplayBatch batch = _open ??= Open(bytes);
            if (_parser.Parse(upToEnd, ref position, batch.Arguments, out RequestRange request) != ParseStatus.Complete)
                return FormattableString.Invariant($"the effects are not valid requests: {_parser.Error}");
            if (request.ArgumentCount == 0)
                continue;
            Effects++;
            if (Add(batch, request) is { } problem)
                return problem;
            if (batch.Commands.Length >= CommandsPerBatch)
                Ship();
        }

        return _isInTransaction ? "a transaction does not end" : null;
    }

    private string? Add(ReplayBatch batch, in RequestRange request)
    {
        if (_own.Resolve(batch, request) is not { } command)
            return "an effect is not understood: " + _own.LastError;
        ReplayRoute route = _routes[command.Id];
        switch (route.Kind)
        {
            case ReplayKind.OneKey:
                AddOfKey(batch, command, request, route.FirstKey);
                return null;
            case ReplayKind.EachKey when (request.ArgumentCount - route.FirstKey) % route.Step == 0:
                // The argument before a key is treated as the command's name, which is no longer used.
                for (int key = route.FirstKey; key < request.ArgumentCount; key += route.Step)
                    AddOfKey(batch, route.Single!, new RequestRange(request.FirstArgument + key - 1, route.Step + 1), 1);
                return null;
            case ReplayKind.Ignored:
                return null;
            case ReplayKind.Refused:
                return Refuse(command);
            case ReplayKind.Selects:
                return Select(batch.Arguments.Get(batch.Bytes, request.FirstArgument + 1));
            case ReplayKind.Begins or ReplayKind.Ends:
                bool begins = route.Kind == ReplayKind.Begins;
                bool isWrong = begins == _isInTransaction;
                _isInTransaction = begins;
                return isWrong ? "a transaction does not end, or does not begin" : null;
            default:
                batch.IsInOrder = true;
                batch.Add(
                    new PreparedCommand
                    {
                        Command = command,
                        FirstArgument = request.FirstArgument,
                        ArgumentCount = request.ArgumentCount,
                        Database = _database,
                    }
                );
                return null;
        }
    }

    // A replica logs the transactions of its primary as they came; what it refused of them then is refused again.
    private string? Refuse(Command command)
    {
        if (IsPlain || !_isInTransaction)
            return $"an effect is not understood: '{command.FullName}' is not a command that servers replicate";
        _refused++;
        return null;
    }

    private void AddOfKey(ReplayBatch batch, Command command, in RequestRange request, int key) =>
        batch.Add(
            new PreparedCommand
            {
                Command = command,
                FirstArgument = request.FirstArgument,
                ArgumentCount = request.ArgumentCount,
                Database = _database,
                HasHash = true,
                Hash = _own.Hash(batch.Arguments.Get(batch.Bytes, request.FirstArgument + key)),
            }
        );

    private string? Select(ReadOnlySpan<byte> text)
    {
        if (!IntegerText.TryParse(text, out long selected) || selected < 0)
            return "a database has no number";
        if (selected >= _databases.Count)
            return FormattableString.Invariant($"it has keys in database {selected}, but only {_databases.Count} databases are configured");
        _database = (int)selected;
        return null;
    }

    private ReplayBatch Open(byte[] bytes)
    {
        ReplayBatch batch = _workers?.Take() ?? _alone;
        batch.Clear(bytes);
        return batch;
    }

    // The first batch is executed here in any case: most logs that servers start with are short.
    private void Ship()
    {
        ReplayBatch batch = _open!;
        _open = null;
        if (batch == _alone)
        {
            _own.Run(batch, batch.Everything);
            if (_workerCount > 0)
                _workers = new ReplayWorkers(_clients, _workerCount);
        }
        else if (batch.IsInOrder)
        {
            _workers!.Settle(1);
            _own.Run(batch, batch.Everything);
            _workers.PutFree(batch);
        }
        else
        {
            _workers!.Put(batch);
        }
    }
}
