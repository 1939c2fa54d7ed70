// The typed commands on one logical database of a server in this process. Immutable; any thread.
using System.Buffers;
using System.Runtime.CompilerServices;
using Garnet.Client;
using Garnet.Engine.Execution;
using Garnet.Server.Messaging;

namespace Garnet.Hosting.InProcess;

/// <summary>Each call rents a session, runs one command through the dispatcher and reads its reply.</summary>
internal sealed class InProcessGarnet(
    InProcessSessions sessions,
    InProcessCommands commands,
    MessageHub messages,
    int databases,
    int database
) : IGarnet, ITypedCommands, ISubscriptionSource
{
    public int Database => database;

    public IGarnet WithDatabase(int database)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(database);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(database, databases);
        return database == Database ? this : new InProcessGarnet(sessions, commands, messages, databases, database);
    }

    public GarnetSubscription Subscribe(TopicKind kind, ReadOnlySpan<byte> name, SubscriptionOptions options) =>
        new(messages, kind, name, options, sessions.Closing);

    public byte[]? Get(ReadOnlySpan<byte> key)
    {
        InProcessSession session = sessions.Rent();
        try
        {
            RunGet(session, key);
            return session.IsNull ? null : session.Bulk.ToArray();
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public int Get(ReadOnlySpan<byte> key, Span<byte> destination)
    {
        InProcessSession session = sessions.Rent();
        try
        {
            RunGet(session, key);
            if (session.IsNull)
                return -1;
            ReadOnlySpan<byte> value = session.Bulk;
            value.TryCopyTo(destination);
            return value.Length;
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public bool TryGet(ReadOnlySpan<byte> key, IBufferWriter<byte> destination) =>
        Read(key, destination, static (value, writer) => writer.Write(value));

    public bool Read<TState>(ReadOnlySpan<byte> key, TState state, ValueReader<TState> reader)
        where TState : allows ref struct
    {
        ArgumentNullException.ThrowIfNull(reader);
        InProcessSession session = sessions.Rent();
        try
        {
            RunGet(session, key);
            if (session.IsNull)
                return false;
            reader(session.Bulk, state);
            return true;
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public ValueTask<byte[]?> GetAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        CallAsync(
            Begin(commands.Get, "GET"u8, keepsBlock: true),
            key,
            static (session, key) => session.Add(key.Span),
            static done => done.IsNull ? null : done.Bulk.ToArray(),
            cancellationToken
        );

    public ValueTask<bool> TryGetAsync(ReadOnlyMemory<byte> key, IBufferWriter<byte> destination, CancellationToken cancellationToken) =>
        CallAsync(
            Begin(commands.Get, "GET"u8, keepsBlock: true),
            key,
            static (session, key) => session.Add(key.Span),
            done => done.TryWriteBulk(destination),
            cancellationToken
        );

    public ValueTask<int> GetAsync(ReadOnlyMemory<byte> key, Memory<byte> destination, CancellationToken cancellationToken) =>
        CallAsync(
            Begin(commands.Get, "GET"u8, keepsBlock: true),
            key,
            static (session, key) => session.Add(key.Span),
            done =>
            {
                if (done.IsNull)
                    return -1;
                ReadOnlySpan<byte> value = done.Bulk;
                value.TryCopyTo(destination.Span);
                return value.Length;
            },
            cancellationToken
        );

    public ValueTask<bool> ReadAsync<TState>(
        ReadOnlyMemory<byte> key,
        TState state,
        ValueReader<TState> reader,
        CancellationToken cancellationToken
    )
    {
        ArgumentNullException.ThrowIfNull(reader);
        return CallAsync(
            Begin(commands.Get, "GET"u8, keepsBlock: true),
            key,
            static (session, key) => session.Add(key.Span),
            done =>
            {
                if (done.IsNull)
                    return false;
                reader(done.Bulk, state);
                return true;
            },
            cancellationToken
        );
    }

    public byte[]? GetAndRenew(ReadOnlySpan<byte> key)
    {
        InProcessSession session = sessions.Rent();
        try
        {
            BeginRenewal(session, key, touches: false);
            session.Run();
            return session.IsNull ? null : session.Bulk.ToArray();
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public bool TryGetAndRenew(ReadOnlySpan<byte> key, IBufferWriter<byte> destination)
    {
        InProcessSession session = sessions.Rent();
        try
        {
            BeginRenewal(session, key, touches: false);
            session.Run();
            return session.TryWriteBulk(destination);
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public ValueTask<byte[]?> GetAndRenewAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        CallAsync(
            sessions.Rent(),
            (this, key),
            static (session, given) => given.Item1.BeginRenewal(session, given.key.Span, touches: false),
            static done => done.IsNull ? null : done.Bulk.ToArray(),
            cancellationToken
        );

    public ValueTask<bool> TryGetAndRenewAsync(
        ReadOnlyMemory<byte> key,
        IBufferWriter<byte> destination,
        CancellationToken cancellationToken
    ) =>
        CallAsync(
            sessions.Rent(),
            (this, key),
            static (session, given) => given.Item1.BeginRenewal(session, given.key.Span, touches: false),
            done => done.TryWriteBulk(destination),
            cancellationToken
        );

    public bool Renew(ReadOnlySpan<byte> key)
    {
        InProcessSession session = sessions.Rent();
        try
        {
            BeginRenewal(session, key, touches: true);
            session.Run();
            return session.Integer != 0;
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public ValueTask<bool> RenewAsync(ReadOnlyMemory<byte> key, CancellationToken cancellationToken) =>
        CallAsync(
            sessions.Rent(),
            (this, key),
            static (session, given) => given.Item1.BeginRenewal(session, given.key.Span, touches: true),
            static done => done.Integer != 0,
            cancellationToken
        );

    public bool Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, in SetOptions options)
    {
        InProcessSession session = Begin(commands.Set, "SET"u8);
        try
        {
            AddSet(session, key, value, options);
            session.Run();
            return !session.IsNull;
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public ValueTask<bool> SetAsync(
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> value,
        SetOptions options,
        CancellationToken cancellationToken
    ) =>
        CallAsync(
            Begin(commands.Set, "SET"u8),
            (key, value, options),
            static (session, given) => AddSet(session, given.key.Span, given.value.Span, given.options),
            static done => !done.IsNull,
            cancellationToken
        );

    public bool SetIfEqual(ReadOnlySpan<byte> key, ReadOnlySpan<byte> comparand, ReadOnlySpan<byte> value, in SetOptions options)
    {
        InProcessSession session = Begin(commands.Set, "SET"u8);
        try
        {
            AddSetIfEqual(session, key, comparand, value, options);
            session.Run();
            return !session.IsNull;
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public ValueTask<bool> SetIfEqualAsync(
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> comparand,
        ReadOnlyMemory<byte> value,
        SetOptions options,
        CancellationToken cancellationToken
    ) =>
        CallAsync(
            Begin(commands.Set, "SET"u8),
            (key, comparand, value, options),
            static (session, given) => AddSetIfEqual(session, given.key.Span, given.comparand.Span, given.value.Span, given.options),
            static done => !done.IsNull,
            cancellationToken
        );

    public long Integer(KeyCommand command, ReadOnlySpan<byte> key)
    {
        InProcessSession session = Begin(command);
        try
        {
            session.Add(key);
            session.Run();
            return session.Integer;
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public long Integer(KeyCommand command, ReadOnlySpan<byte> key, long number)
    {
        InProcessSession session = Begin(command);
        try
        {
            session.Add(key);
            session.Add(number);
            session.Run();
            return session.Integer;
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public ValueTask<long> IntegerAsync(KeyCommand command, ReadOnlyMemory<byte> key, long? number, CancellationToken cancellationToken) =>
        CallAsync(
            Begin(command),
            (key, number),
            static (session, given) =>
            {
                session.Add(given.key.Span);
                if (given.number is { } number)
                    session.Add(number);
            },
            static done => done.Integer,
            cancellationToken
        );

    public byte[]? HashGet(ReadOnlySpan<byte> key, ReadOnlySpan<byte> field)
    {
        InProcessSession session = Begin(commands.HGet, "HGET"u8);
        try
        {
            session.Add(key);
            session.Add(field);
            session.Run();
            return session.IsNull ? null : session.Bulk.ToArray();
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public bool HashSet(ReadOnlySpan<byte> key, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value)
    {
        InProcessSession session = Begin(commands.HSet, "HSET"u8);
        try
        {
            session.Add(key);
            session.Add(field);
            session.Add(value);
            session.Run();
            return session.Integer != 0;
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public bool HashDelete(ReadOnlySpan<byte> key, ReadOnlySpan<byte> field)
    {
        InProcessSession session = Begin(commands.HDel, "HDEL"u8);
        try
        {
            session.Add(key);
            session.Add(field);
            session.Run();
            return session.Integer != 0;
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public ValueTask<byte[]?> HashGetAsync(ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> field, CancellationToken cancellationToken) =>
        CallAsync(
            Begin(commands.HGet, "HGET"u8),
            (key, field),
            static (session, given) =>
            {
                session.Add(given.key.Span);
                session.Add(given.field.Span);
            },
            static done => done.IsNull ? null : done.Bulk.ToArray(),
            cancellationToken
        );

    public ValueTask<bool> HashSetAsync(
        ReadOnlyMemory<byte> key,
        ReadOnlyMemory<byte> field,
        ReadOnlyMemory<byte> value,
        CancellationToken cancellationToken
    ) =>
        CallAsync(
            Begin(commands.HSet, "HSET"u8),
            (key, field, value),
            static (session, given) =>
            {
                session.Add(given.key.Span);
                session.Add(given.field.Span);
                session.Add(given.value.Span);
            },
            static done => done.Integer != 0,
            cancellationToken
        );

    public ValueTask<bool> HashDeleteAsync(ReadOnlyMemory<byte> key, ReadOnlyMemory<byte> field, CancellationToken cancellationToken) =>
        CallAsync(
            Begin(commands.HDel, "HDEL"u8),
            (key, field),
            static (session, given) =>
            {
                session.Add(given.key.Span);
                session.Add(given.field.Span);
            },
            static done => done.Integer != 0,
            cancellationToken
        );

    public IGarnetTransaction BeginTransaction()
    {
        InProcessTransaction transaction = new(sessions, commands, sessions.Rent(), database);
        sessions.Add(transaction);
        return transaction;
    }

    [OverloadResolutionPriority(1)]
    public RespValue Execute(string command, params ReadOnlySpan<string> arguments)
    {
        InProcessSession session = Begin(command);
        try
        {
            foreach (string argument in arguments)
                session.Add(argument);
            session.Run();
            return session.Reply;
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public RespValue Execute(string command, params ReadOnlySpan<ReadOnlyMemory<byte>> arguments)
    {
        InProcessSession session = Begin(command);
        try
        {
            foreach (ReadOnlyMemory<byte> argument in arguments)
                session.Add(argument.Span);
            session.Run();
            return session.Reply;
        }
        finally
        {
            sessions.Return(session);
        }
    }

    public ValueTask<RespValue> ExecuteAsync(string command, string[] arguments, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(arguments);
        return CallAsync(
            Begin(command),
            arguments,
            static (session, arguments) =>
            {
                foreach (string argument in arguments)
                    session.Add(argument);
            },
            static done => done.Reply,
            cancellationToken
        );
    }

    public ValueTask<RespValue> ExecuteAsync(
        string command,
        ReadOnlyMemory<byte>[] arguments,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(arguments);
        return CallAsync(
            Begin(command),
            arguments,
            static (session, arguments) =>
            {
                foreach (ReadOnlyMemory<byte> argument in arguments)
                    session.Add(argument.Span);
            },
            static done => done.Reply,
            cancellationToken
        );
    }

    private InProcessSession Begin(string command)
    {
        ArgumentException.ThrowIfNullOrEmpty(command);
        Command? found = commands.Find(command);
        InProcessSession session = sessions.Rent();
        session.Begin(found, command, database);
        return session;
    }

    private InProcessSession Begin(Command? command, ReadOnlySpan<byte> name, bool keepsBlock = false)
    {
        InProcessSession session = sessions.Rent();
        session.Begin(command, name, database, keepsBlock);
        return session;
    }

    private InProcessSession Begin(KeyCommand command) =>
        command switch
        {
            KeyCommand.Del => Begin(commands.Del, "DEL"u8),
            KeyCommand.Exists => Begin(commands.Exists, "EXISTS"u8),
            KeyCommand.Persist => Begin(commands.Persist, "PERSIST"u8),
            KeyCommand.PTtl => Begin(commands.PTtl, "PTTL"u8),
            KeyCommand.IncrBy => Begin(commands.IncrBy, "INCRBY"u8),
            KeyCommand.PExpire => Begin(commands.PExpire, "PEXPIRE"u8),
            _ => Begin(commands.PExpireAt, "PEXPIREAT"u8),
        };

    private void RunGet(InProcessSession session, ReadOnlySpan<byte> key)
    {
        session.Begin(commands.Get, "GET"u8, database, keepsBlock: true);
        session.Add(key);
        session.Run();
    }

    private void BeginRenewal(InProcessSession session, ReadOnlySpan<byte> key, bool touches)
    {
        session.Begin(commands.GetEx, "GETEX"u8, database, keepsBlock: !touches);
        session.Add(key);
        session.Add("SLIDING"u8);
        if (touches)
            session.Add("TOUCH"u8);
    }

    private static void AddSet(InProcessSession session, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, in SetOptions options)
    {
        session.Add(key);
        session.Add(value);
        SetArguments.Add(session, options);
    }

    private static void AddSetIfEqual(
        InProcessSession session,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> comparand,
        ReadOnlySpan<byte> value,
        in SetOptions options
    )
    {
        session.Add(key);
        session.Add(value);
        session.Add("IFEQ"u8);
        session.Add(comparand);
        SetArguments.Add(session, options with { Condition = SetCondition.Always });
    }

    // Most calls do not wait and then need no state machine; in either case errors are reported by the task.
    private ValueTask<TResult> CallAsync<TArguments, TResult>(
        InProcessSession session,
        TArguments arguments,
        Action<InProcessSession, TArguments> add,
        Func<InProcessSession, TResult> result,
        CancellationToken cancellationToken
    )
    {
        bool isWaiting = false;
        try
        {
            if (cancellationToken.IsCancellationRequested)
                return ValueTask.FromCanceled<TResult>(cancellationToken);
            add(session, arguments);
            ValueTask run = session.RunAsync(cancellationToken);
            isWaiting = !run.IsCompletedSuccessfully;
            return isWaiting ? AwaitAsync(session, run, result) : new ValueTask<TResult>(result(session));
        }
        catch (GarnetCommandException e)
        {
            return ValueTask.FromException<TResult>(e);
        }
        finally
        {
            if (!isWaiting)
                sessions.Return(session);
        }
    }

    private async ValueTask<TResult> AwaitAsync<TResult>(InProcessSession session, ValueTask run, Func<InProcessSession, TResult> result)
    {
        try
        {
            await run.ConfigureAwait(false);
            return result(session);
        }
        finally
        {
            sessions.Return(session);
        }
    }
}
