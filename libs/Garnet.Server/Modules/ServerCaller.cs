// Executes commands that a module's code calls outside of a client's command. One thread at a time; stopped by any.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Protocol;

namespace Garnet.Server.Modules;

/// <summary>
/// A client without a connection and with all rights. It waits as a connection's command would: for memory, for the end of a pause, and
/// for a reply that comes later.
/// </summary>
internal sealed class ServerCaller(CallParts parts, LoadedModule module) : IDisposable
{
    private const CommandTraits NotCallable = CommandTraits.OfConnection | CommandTraits.ControlsTransaction | CommandTraits.OfReplication;

    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly ClientSession _client = NewClient(parts.Clients, module);
    private FilteredRequest? _filtered;
    private PendingReply? _pending;
    private bool _isDisposed;

    /// <summary>The request that is made next.</summary>
    public ScopedRequest Request { get; } = new();

    /// <summary>Number of databases.</summary>
    public int Databases => parts.Databases;

    /// <summary>The database that commands are executed in.</summary>
    public int Database { get; set; }

    /// <summary>
    /// Executes a command with the arguments of the request, whose reply follows. Returns whether it is none of the errors that commands
    /// reply with.
    /// </summary>
    /// <param name="found">The command, or a container of commands.</param>
    /// <param name="protocol">2 or 3: the version of the reply.</param>
    /// <exception cref="OperationCanceledException">The module was unloaded, or the server stops.</exception>
    public bool Execute(Command found, int protocol)
    {
        lock (_gate)
        {
            _stop.Token.ThrowIfCancellationRequested();
            if (parts.Filters.AreOn && !TryFilter(ref found, protocol))
                return false;
            if (found.Has(NotCallable) || (found.Flags & CommandFlags.Blocking) != 0)
                return Refuse(found, protocol);
            _client.Wait = default;
            bool succeeded;
            while (TryExecute(found, protocol, out succeeded) is { } wait)
            {
                wait.Wait(_stop.Token);
                if (_pending is not null)
                    return Finish(protocol);
            }

            // A command of the module itself fails if the unload came in between.
            if (!succeeded)
                _stop.Token.ThrowIfCancellationRequested();
            return succeeded;
        }
    }

    /// <summary>Makes further calls fail. Does not wait for the present one, which may wait for the caller of this method.</summary>
    public void Stop() => _stop.Cancel();

    /// <inheritdoc/>
    public void Dispose()
    {
        Stop();
        lock (_gate)
        {
            if (!_isDisposed)
                _client.Dispose();
            _isDisposed = true;
        }
    }

    private static ClientSession NewClient(ClientFactory connections, LoadedModule module)
    {
        ClientSession client = connections.Open(new ReplayConnection(), id: 0, Origin.InProcess);
        client.Transactions.Caller = module;
        client.Login.Begin(user: null);
        return client;
    }

    // Once for each request, however often it is tried.
    private bool TryFilter(ref Command found, int protocol)
    {
        CommandContext context = Request.NewContext(_client, _client.Executor.Threads.Current, protocol);
        Command? command = found;
        bool passes = parts.Filters.Apply(ref context, _filtered ??= new FilteredRequest(Request), CommandOrigin.Module, ref command);
        if (passes && command is null)
        {
            Refused.Reply(ref context, null, new Refusal(RefusalKind.UnknownCommand));
            passes = false;
        }

        context.Reply.Flush();
        found = command ?? found;
        return passes;
    }

    private bool Refuse(Command command, int protocol)
    {
        CommandContext context = Request.NewContext(_client, _client.Executor.Threads.Current, protocol);
        context.Reply.WriteError($"ERR the command '{command.FullName}' cannot be called by a module");
        context.Reply.Flush();
        return false;
    }

    // What to wait for: before another attempt, or for the reply if there is a pending one. Null when there is a reply.
    private Task? TryExecute(Command found, int protocol, out bool succeeded)
    {
        succeeded = false;
        if (Attempt(found, protocol, ref succeeded) == Admission.Wait)
            return _client.Wait.Before;
        return _pending?.WaitAsync(_stop.Token);
    }

    private Admission Attempt(Command found, int protocol, ref bool succeeded)
    {
        ThreadScratch thread = _client.Executor.Threads.Current;
        using Batch batch = _client.Executor.Enter(_client, thread, Request.NewReply(thread, protocol));
        ref CommandContext context = ref batch.Context;
        Request.LoadInto(ref context);
        context.RequestBytes = Request.Bytes;
        _client.Store.Database = Database;
        batch.Begin(1);
        Admission admission = batch.Execute(found);
        batch.Complete();
        succeeded = context.Reply.ErrorCount == 0;
        batch.Flush();
        _pending = context.Pending;
        return admission;
    }

    private bool Finish(int protocol)
    {
        PendingReply pending = _pending!;
        _pending = null;
        RespWriter writer = Request.NewReply(_client.Executor.Threads.Current, protocol);
        do Executor.WriteLater(_client, pending, ref writer);
        while (pending.HasMore);
        writer.Flush();
        parts.Logs.CountPiece(pending, writer.BytesWritten);
        return writer.ErrorCount == 0;
    }
}
