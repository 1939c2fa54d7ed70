// Executes parsed effects through the server's own dispatcher. One thread; each has its own.
using System.Buffers;
using System.Text;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;
using Garnet.Protocol;
using Garnet.Store.Eviction;

namespace Garnet.Server.Persistence.Replay;

/// <summary>
/// A session without a connection, whose replies are discarded. Rules for clients (passwords, memory limits, pauses) do not apply: what was
/// accepted once is accepted again. Its thread waits for values on disk, and for memory while values move there.
/// </summary>
internal sealed class ReplaySession : IErrorObserver, IDisposable
{
    // Commands whose memory is prefetched.
    private const int Ahead = 32;

    private readonly ClientSession _client;
    private readonly ArrayBufferWriter<byte> _dropped = new();
    private readonly PreparedCommand[] _next = new PreparedCommand[Ahead];
    private ReliefPatience _patience;

    /// <summary>A session of a server.</summary>
    public ReplaySession(ClientFactory clients)
    {
        _client = clients.Open(new ReplayConnection(), id: 0, Origin.Loader);
        _client.Propagation.Sink = NoSink.Instance;
        _client.Login.Begin(user: null);
        _client.Store.Changes.WereAccepted = true;
    }

    /// <summary>
    /// Effects that replied with an error: commands that failed after changing something, for example on a corrupt HyperLogLog.
    /// </summary>
    public long Errors { get; private set; }

    /// <summary>The last error reply.</summary>
    public string LastError { get; private set; } = "";

    /// <summary>The hash of a key, the same in all databases.</summary>
    public ulong Hash(ReadOnlySpan<byte> key) => _client.Store.Hash(key);

    /// <summary>
    /// The command for the given arguments, with subcommands resolved; null when there is none, and <see cref="LastError"/> says why.
    /// </summary>
    public Command? Resolve(ReplayBatch batch, in RequestRange request)
    {
        Command? found = _client.Executor.Commands.FindOriginal(batch.Arguments.Get(batch.Bytes, request.FirstArgument));
        if (found is { IsContainer: false, Handler: not null } && found.AcceptsArgumentCount(request.ArgumentCount))
            return found;
        CommandContext context = NewContext(_client.Executor.Threads.Current);
        context.Load(batch.Bytes, batch.Arguments, request.FirstArgument, request.ArgumentCount);
        return _client.Executor.TryResolve(ref context, found) ? context.Command : null;
    }

    /// <summary>Executes commands of a batch, in order.</summary>
    /// <param name="batch">The batch.</param>
    /// <param name="share">The indexes of the commands to execute.</param>
    /// <exception cref="LostEffectException">A value on disk cannot be read: the data would lack an effect.</exception>
    public void Run(ReplayBatch batch, ReadOnlySpan<int> share)
    {
        while (!share.IsEmpty)
        {
            share = share[RunUntilWait(batch, share, out Task? wait)..];
            wait?.Wait();
        }
    }

    /// <inheritdoc/>
    public void OnError(ReadOnlySpan<byte> text)
    {
        LastError = Encoding.Latin1.GetString(text);
        Errors++;
    }

    /// <inheritdoc/>
    public void Dispose() => _client.Dispose();

    private CommandContext NewContext(ThreadScratch thread) => new(_client, thread, NewReply());

    private RespWriter NewReply() => new(_dropped, _client.ProtocolVersion) { ErrorObserver = this, Suppressed = true };

    // The number of commands that have been executed.
    private int RunUntilWait(ReplayBatch batch, ReadOnlySpan<int> share, out Task? wait)
    {
        using Batch run = _client.Executor.Enter(_client, _client.Executor.Threads.Current, NewReply());
        run.Begin(share.Length);
        wait = null;
        int done = 0;
        while (done < share.Length)
        {
            if (done % Ahead == 0)
                Prefetch(batch, share.Slice(done, Math.Min(Ahead, share.Length - done)));
            wait = Run(ref run.Self, batch, share[done..]);
            if (wait is not null)
                break;
            done++;
        }

        run.Complete();
        return done;
    }

    // What to wait for before the first command can be executed; null when it has been.
    private Task? Run(ref Batch run, ReplayBatch batch, ReadOnlySpan<int> share)
    {
        ref readonly PreparedCommand command = ref batch.Commands[share[0]];
        ref CommandContext context = ref run.Context;
        _client.Store.Database = command.Database;
        context.Load(batch.Bytes, batch.Arguments, command.FirstArgument, command.ArgumentCount);
        if (command.HasHash)
            context.SetFirstKeyHash(command.Hash);
        context.Command = command.Command!;
        if (ReplayedEffect.MemoryRelief(ref context, ref _patience) is { } relief)
            return relief;
        if (ReplayedEffect.Run(ref run) != Admission.Wait)
            return null;
        ReadAhead(batch, share[1..]);
        return _client.Wait.Before;
    }

    // One wait for the values of many.
    private void ReadAhead(ReplayBatch batch, ReadOnlySpan<int> share)
    {
        if (_client.Executor.Gates.ColdValues.Source is not { } values)
            return;
        int count = Math.Min(share.Length, Ahead);
        for (int i = 0; i < count; i++)
            _next[i] = batch.Commands[share[i]];
        values.ReadAhead(_client, _next.AsSpan(0, count));
    }

    // As for a client's pipeline: the memory of all keys is being fetched before the first is needed.
    private void Prefetch(ReplayBatch batch, ReadOnlySpan<int> share)
    {
        foreach (int index in share)
        {
            ref readonly PreparedCommand command = ref batch.Commands[index];
            _client.Store.Database = command.Database;
            if (command.HasHash)
                _client.Store.PrefetchBucket(command.Hash);
        }

        foreach (int index in share)
        {
            ref readonly PreparedCommand command = ref batch.Commands[index];
            _client.Store.Database = command.Database;
            if (command.HasHash)
                _client.Store.Reads.PrefetchRecord(command.Hash);
        }
    }
}
