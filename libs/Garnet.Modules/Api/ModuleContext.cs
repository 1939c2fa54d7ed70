// One call of a module's command. Lives on the stack of the thread that executes it.
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Modules.Running;
using Garnet.Protocol;
using Garnet.Server.Modules;
using Garnet.Store;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Lists;
using Garnet.Store.Collections.Sets;
using Garnet.Store.Collections.SortedSets;
using Garnet.Store.Collections.Streams;
using Garnet.Store.DataTypes;

namespace Garnet.Modules;

/// <summary>
/// The arguments, the reply and the keys of one call of a command. Passed to the command's method by reference and valid until it returns;
/// spans that it hands out are valid as long, unless they say otherwise. The method must not wait: it runs on a thread that serves many
/// clients, and the keys it has opened are latched.
/// </summary>
public ref struct ModuleContext
{
    private readonly ref byte _context;
    private readonly LoadedModule _module;
    private readonly ModuleScope? _scope; // of a command that calls others
    private ReplyWriter _reply;

    // Inlined, the context is a local variable, whose references are stored without a barrier.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ModuleContext(ref CommandContext context, LoadedModule module, ModuleScope? scope)
    {
        _context = ref ContextReference.ToBytes(ref context);
        _module = module;
        _scope = scope;
        _reply = new ReplyWriter(ref _context);
    }

    /// <summary>Receives the reply: exactly one, which may be an array of several.</summary>
    [UnscopedRef]
    public ref ReplyWriter Reply => ref _reply;

    /// <summary>The number of arguments, including the command's name.</summary>
    public readonly int Count => Inner.Count;

    /// <summary>The bytes of an argument; 0 is the command's name.</summary>
    /// <exception cref="IndexOutOfRangeException">There is no such argument.</exception>
    public readonly ReadOnlySpan<byte> this[int index]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Inner[index];
    }

    /// <summary>
    /// The server's time in Unix milliseconds: the same during the whole call, so that it and the expiry of keys agree. It must not decide
    /// what a repeated call changes; a command that depends on it says what it has changed with <c>Replicate</c>.
    /// </summary>
    public readonly long NowMs => Inner.NowMs;

    /// <summary>The client that called the command.</summary>
    public readonly CallingClient Client => new(ref _context);

    /// <summary>The number of the client's database.</summary>
    public readonly int Database => Inner.Store.Database;

    /// <summary>
    /// Whether the command has run for longer than busy-reply-threshold and should end: other clients of its thread wait for it, and those
    /// that need its keys. A command that loops asks for it in each round and then replies with an error.
    /// </summary>
    public readonly bool ShouldStop => RunningModuleCommand.OfThread.Of(Inner.Scratch).IsOverrun;

    /// <summary>
    /// Whether the call comes from the append-only log or from the primary instead of a client; it must change then what it changed there.
    /// </summary>
    public readonly bool IsReplicated => Inner.Client.Origin.IsReplay;

    private readonly ref CommandContext Inner
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref ContextReference.Of(ref _context);
    }

    /// <summary>Compares an argument with a word of upper-case ASCII letters, in any letter case.</summary>
    public readonly bool Is(int index, scoped ReadOnlySpan<byte> upperCaseWord) => Ascii.EqualsIgnoreCase(this[index], upperCaseWord);

    /// <summary>
    /// Calls a command, with the latches of this one: both are one step for other clients. The module's command declares in its attribute
    /// which keys it may call commands on.
    /// </summary>
    /// <exception cref="CallException">The command replied with an error, and the flags do not make errors replies.</exception>
    /// <exception cref="InvalidOperationException">The module's command does not declare that it calls commands.</exception>
    public readonly CallReply Call(CommandToken token, CallFlags flags) => Call(Request(token), flags);

    /// <inheritdoc cref="Call(CommandToken, CallFlags)"/>
    public readonly CallReply Call(CommandToken token, CallFlags flags, scoped ReadOnlySpan<byte> argument1) =>
        Call(Request(token).Add(argument1), flags);

    /// <inheritdoc cref="Call(CommandToken, CallFlags)"/>
    public readonly CallReply Call(
        CommandToken token,
        CallFlags flags,
        scoped ReadOnlySpan<byte> argument1,
        scoped ReadOnlySpan<byte> argument2
    ) => Call(Request(token).Add(argument1).Add(argument2), flags);

    /// <inheritdoc cref="Call(CommandToken, CallFlags)"/>
    public readonly CallReply Call(
        CommandToken token,
        CallFlags flags,
        scoped ReadOnlySpan<byte> argument1,
        scoped ReadOnlySpan<byte> argument2,
        scoped ReadOnlySpan<byte> argument3
    ) => Call(Request(token).Add(argument1).Add(argument2).Add(argument3), flags);

    /// <inheritdoc cref="Call(CommandToken, CallFlags)"/>
    public readonly CallReply Call(
        CommandToken token,
        CallFlags flags,
        scoped ReadOnlySpan<byte> argument1,
        scoped ReadOnlySpan<byte> argument2,
        scoped ReadOnlySpan<byte> argument3,
        scoped ReadOnlySpan<byte> argument4
    ) => Call(Request(token).Add(argument1).Add(argument2).Add(argument3).Add(argument4), flags);

    /// <summary>As <see cref="Call(CommandToken, CallFlags)"/> for a command with any number of arguments.</summary>
    public readonly CallReply Call(ModuleRequest request, CallFlags flags)
    {
        if (request.Scope is not { } scope || scope != _scope)
            throw new InvalidOperationException($"The command '{Inner.Command.FullName}' does not declare that it calls commands.");
        Command command = request.Token.Command;
        bool succeeded = ModuleCall.Invoke(scope, Inner.Command, command.Parent ?? command, (ModuleCallFlags)flags);
        if (!succeeded && (flags & CallFlags.ErrorsAsReplies) == 0)
            throw new CallException(Encoding.Latin1.GetString(scope.Request.Reply[1..^2]));
        return new CallReply(scope.Request.Reply, out _);
    }

    /// <summary>Begins a command with any number of arguments.</summary>
    /// <exception cref="InvalidOperationException">Commands of modules call each other too deeply.</exception>
    public readonly ModuleRequest Request(CommandToken token)
    {
        ArgumentNullException.ThrowIfNull(token);
        return new ModuleRequest(_scope ?? ScopeWithoutCalls(), token);
    }

    /// <summary>
    /// Replicates this command, and logs it, instead of the call of the module's command. May be called several times: the effects keep
    /// their order, follow those of calls, and are one MULTI/EXEC group. A command that gives effects gives all of them.
    /// </summary>
    /// <exception cref="InvalidOperationException">The effects are too long.</exception>
    public readonly void Replicate(CommandToken token) => BeginEffect(token, 0, 0);

    /// <inheritdoc cref="Replicate(CommandToken)"/>
    public readonly void Replicate(CommandToken token, scoped ReadOnlySpan<byte> argument1) =>
        BeginEffect(token, 1, argument1.Length)?.Add(argument1);

    /// <inheritdoc cref="Replicate(CommandToken)"/>
    public readonly void Replicate(CommandToken token, scoped ReadOnlySpan<byte> argument1, scoped ReadOnlySpan<byte> argument2) =>
        BeginEffect(token, 2, argument1.Length + argument2.Length)?.Add(argument1).Add(argument2);

    /// <inheritdoc cref="Replicate(CommandToken)"/>
    public readonly void Replicate(
        CommandToken token,
        scoped ReadOnlySpan<byte> argument1,
        scoped ReadOnlySpan<byte> argument2,
        scoped ReadOnlySpan<byte> argument3
    ) => BeginEffect(token, 3, argument1.Length + argument2.Length + argument3.Length)?.Add(argument1).Add(argument2).Add(argument3);

    /// <inheritdoc cref="Replicate(CommandToken)"/>
    public readonly void Replicate(
        CommandToken token,
        scoped ReadOnlySpan<byte> argument1,
        scoped ReadOnlySpan<byte> argument2,
        scoped ReadOnlySpan<byte> argument3,
        scoped ReadOnlySpan<byte> argument4
    ) =>
        BeginEffect(token, 4, argument1.Length + argument2.Length + argument3.Length + argument4.Length)
            ?.Add(argument1)
            .Add(argument2)
            .Add(argument3)
            .Add(argument4);

    /// <summary>As <see cref="Replicate(CommandToken)"/> for a command with any number of arguments.</summary>
    public readonly void Replicate(ModuleRequest request)
    {
        ScopedRequest arguments = request.Arguments;
        EffectBuffer? effect = Effects.Begin(ref Inner, _scope, arguments.Count, arguments.Bytes);
        for (int i = 0; effect is not null && i < arguments.Count; i++)
            effect.Add(arguments[i]);
    }

    /// <summary>
    /// As <see cref="Replicate(CommandToken)"/> for a command by its name, which is looked up and checked unless the flags or the module
    /// (<see cref="IModuleHost.SkipCommandValidation"/>) say otherwise. False when it is no command or does not accept so many arguments:
    /// then nothing is replicated.
    /// </summary>
    /// <exception cref="InvalidOperationException">The effects are too long.</exception>
    public readonly bool ReplicateWithFlags(ReplicateFlags flags, scoped ReadOnlySpan<byte> name)
    {
        if (!IsValid(flags, name, 0))
            return false;
        Effects.Begin(ref Inner, _scope, 1, name.Length)?.Add(name);
        return true;
    }

    /// <inheritdoc cref="ReplicateWithFlags(ReplicateFlags, ReadOnlySpan{byte})"/>
    public readonly bool ReplicateWithFlags(ReplicateFlags flags, scoped ReadOnlySpan<byte> name, scoped ReadOnlySpan<byte> argument1)
    {
        if (!IsValid(flags, name, 1))
            return false;
        Effects.Begin(ref Inner, _scope, 2, name.Length + argument1.Length)?.Add(name).Add(argument1);
        return true;
    }

    /// <inheritdoc cref="ReplicateWithFlags(ReplicateFlags, ReadOnlySpan{byte})"/>
    public readonly bool ReplicateWithFlags(
        ReplicateFlags flags,
        scoped ReadOnlySpan<byte> name,
        scoped ReadOnlySpan<byte> argument1,
        scoped ReadOnlySpan<byte> argument2
    )
    {
        if (!IsValid(flags, name, 2))
            return false;
        Effects.Begin(ref Inner, _scope, 3, name.Length + argument1.Length + argument2.Length)?.Add(name).Add(argument1).Add(argument2);
        return true;
    }

    /// <inheritdoc cref="ReplicateWithFlags(ReplicateFlags, ReadOnlySpan{byte})"/>
    public readonly bool ReplicateWithFlags(
        ReplicateFlags flags,
        scoped ReadOnlySpan<byte> name,
        scoped ReadOnlySpan<byte> argument1,
        scoped ReadOnlySpan<byte> argument2,
        scoped ReadOnlySpan<byte> argument3
    )
    {
        if (!IsValid(flags, name, 3))
            return false;
        Effects
            .Begin(ref Inner, _scope, 4, name.Length + argument1.Length + argument2.Length + argument3.Length)
            ?.Add(name)
            .Add(argument1)
            .Add(argument2)
            .Add(argument3);
        return true;
    }

    /// <inheritdoc cref="ReplicateWithFlags(ReplicateFlags, ReadOnlySpan{byte})"/>
    public readonly bool ReplicateWithFlags(
        ReplicateFlags flags,
        scoped ReadOnlySpan<byte> name,
        scoped ReadOnlySpan<byte> argument1,
        scoped ReadOnlySpan<byte> argument2,
        scoped ReadOnlySpan<byte> argument3,
        scoped ReadOnlySpan<byte> argument4
    )
    {
        if (!IsValid(flags, name, 4))
            return false;
        Effects
            .Begin(ref Inner, _scope, 5, name.Length + argument1.Length + argument2.Length + argument3.Length + argument4.Length)
            ?.Add(name)
            .Add(argument1)
            .Add(argument2)
            .Add(argument3)
            .Add(argument4);
        return true;
    }

    /// <summary>
    /// Replicates the call of the module's command as the client sent it. For a command that has other effects as well, or that is to be
    /// repeated although it changed nothing here.
    /// </summary>
    public readonly void ReplicateVerbatim()
    {
        ref CommandContext inner = ref Inner;
        EffectBuffer? effect = Effects.Begin(ref inner, _scope, inner.Count, inner.ArgumentBytes);
        for (int i = 0; effect is not null && i < inner.Count; i++)
            effect.Add(inner[i]);
    }

    /// <summary>
    /// Whether other clients wait for one of these keys already, so that this one should wait behind them instead of taking what there is.
    /// </summary>
    /// <param name="firstKey">Index of the first key's argument.</param>
    /// <param name="keys">Number of keys, which follow each other.</param>
    public readonly bool HasEarlierWaiters(int firstKey, int keys = 1)
    {
        CheckKeys(firstKey, keys);
        return Inner.MustQueue(firstKey, keys);
    }

    /// <summary>
    /// Makes the client wait until one of these keys is changed and has a type; then the command is executed again, for one client after
    /// the other in the order in which they began to wait. The command must not have replied, and returns after this call. The wait also
    /// ends with the timeout (the reply is null then), with CLIENT UNBLOCK, and with the connection; a module is not unloaded meanwhile.
    /// </summary>
    /// <param name="firstKey">Index of the first key's argument.</param>
    /// <param name="keys">Number of keys, which follow each other.</param>
    /// <param name="type">The type.</param>
    /// <param name="timeoutMs">In milliseconds; 0 for none.</param>
    /// <returns>False in transactions and scripts, where nothing may wait: the command replies as if the time were over.</returns>
    /// <exception cref="InvalidOperationException">The command has replied, or does not have the flag Blocking.</exception>
    public bool TryWaitForKeys(int firstKey, int keys, KeyType type, long timeoutMs)
    {
        CheckKeys(firstKey, keys);
        CheckWait(timeoutMs);
        ref CommandContext inner = ref Inner;
        if (!inner.MayBlock)
            return false;
        long nowMs = inner.Client.Executor.Time.GetUtcNow().ToUnixTimeMilliseconds();
        inner.Block((RecordType)type, firstKey, keys, timeoutMs == 0 ? 0 : nowMs + timeoutMs);
        _reply.Leave();
        return true;
    }

    /// <summary>
    /// Makes the client wait for a task, whose result another method replies with. The command must not have replied, and returns after
    /// this call; its keys are not latched while the client waits. The wait also ends with the timeout (the reply is null then), with
    /// CLIENT UNBLOCK, and with the connection; a module is not unloaded meanwhile. If the task fails, its exception becomes the reply.
    /// </summary>
    /// <param name="start">
    /// Begins the task, after the command and on a thread that serves many clients; the token says that the wait has ended.
    /// </param>
    /// <param name="timeoutMs">In milliseconds; 0 for none.</param>
    /// <param name="reply">Writes the reply.</param>
    /// <returns>False in transactions and scripts, where nothing may wait: the command replies as if the time were over.</returns>
    /// <exception cref="InvalidOperationException">The command has replied, or does not have the flag Blocking.</exception>
    public bool TryWaitFor<T>(Func<CancellationToken, Task<T>> start, long timeoutMs, WaitReply<T> reply)
    {
        ArgumentNullException.ThrowIfNull(start);
        ArgumentNullException.ThrowIfNull(reply);
        CheckWait(timeoutMs);
        ref CommandContext inner = ref Inner;
        if (!inner.MayBlock)
            return false;
        inner.Suspend(new TaskWait<T>(in inner, _module, start, timeoutMs, reply));
        _reply.Leave();
        return true;
    }

    /// <summary>
    /// Tells subscribers of notifications (<c>notify-keyspace-events</c>) and modules of an event of a key, once the command has ended.
    /// </summary>
    /// <param name="keyEvent">The event, from <see cref="IModuleHost.AddKeyEvent"/>.</param>
    /// <param name="keyArgument">Index of the key's argument.</param>
    public readonly void Notify(KeyEventToken keyEvent, int keyArgument)
    {
        ArgumentNullException.ThrowIfNull(keyEvent);
        Inner.Notify(keyEvent.Event, keyArgument);
    }

    /// <summary>For generated code: an argument as an integer; writes the error and returns false when it is none.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind(int index, out long value)
    {
        if (IntegerText.TryParse(this[index], out value))
            return true;
        _reply.WriteError(ErrorText.NotInteger);
        return false;
    }

    /// <inheritdoc cref="TryBind(int, out long)"/>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind(int index, out int value)
    {
        bool isInteger = IntegerText.TryParse(this[index], out long wide) && (int)wide == wide;
        value = isInteger ? (int)wide : 0;
        if (!isInteger)
            _reply.WriteError(ErrorText.NotInteger);
        return isInteger;
    }

    /// <summary>For generated code: an argument as a double; writes the error and returns false when it is none.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind(int index, out double value)
    {
        if (DoubleText.TryParse(this[index], out value) && !double.IsNaN(value))
            return true;
        _reply.WriteError(ErrorText.NotFloat);
        return false;
    }

    /// <summary>For generated code: opens a string; writes the error and returns false when the key has another type.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind(int index, out StringKey key)
    {
        bool isOpen = TryOpen(index, RecordType.String, out RecordHandle record);
        key = isOpen ? new StringKey(ref _context, record) : default;
        return isOpen;
    }

    /// <summary>For generated code: opens a hash; writes the error and returns false when the key has another type.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind(int index, out HashKey key)
    {
        bool isOpen = TryOpen(index, RecordType.Hash, out RecordHandle record);
        key = isOpen ? new HashKey(ref _context, new HashValue(record)) : default;
        return isOpen;
    }

    /// <summary>For generated code: opens a set; writes the error and returns false when the key has another type.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind(int index, out SetKey key)
    {
        bool isOpen = TryOpen(index, RecordType.Set, out RecordHandle record);
        key = isOpen ? new SetKey(ref _context, new SetValue(record)) : default;
        return isOpen;
    }

    /// <summary>For generated code: opens a list; writes the error and returns false when the key has another type.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind(int index, out ListKey key)
    {
        bool isOpen = TryOpen(index, RecordType.List, out RecordHandle record);
        key = isOpen ? new ListKey(ref _context, new ListValue(record)) : default;
        return isOpen;
    }

    /// <summary>For generated code: opens a sorted set; writes the error and returns false when the key has another type.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind(int index, out SortedSetKey key)
    {
        bool isOpen = TryOpen(index, RecordType.SortedSet, out RecordHandle record);
        key = isOpen ? new SortedSetKey(ref _context, new SortedSetValue(record)) : default;
        return isOpen;
    }

    /// <summary>For generated code: opens a stream; writes the error and returns false when the key has another type.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind(int index, out StreamKey key)
    {
        bool isOpen = TryOpen(index, RecordType.Stream, out RecordHandle record);
        key = isOpen ? new StreamKey(ref _context, new StreamValue(record)) : default;
        return isOpen;
    }

    /// <summary>For generated code: opens a key of a module's type; writes the error and returns false when it has another.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool TryBind<T>(int index, out CustomKey<T> key)
        where T : ModuleType, IModuleType<T>
    {
        ref CommandContext inner = ref Inner;
        RecordHandle record = inner.Open(index);
        var value = new CustomValue(record);
        if (!inner.Command.IsWrite)
            inner.CountLookup(record.Exists, index);
        bool isOpen = !record.Exists || value.Is(T.Instance.Inner);
        key = isOpen ? new CustomKey<T>(ref _context, value) : default;
        if (!isOpen)
            _reply.WriteError(ErrorText.WrongType);
        return isOpen;
    }

    /// <summary>For generated code: a string to be read without a latch.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly bool TryBind(int index, out ReadOnlyString key)
    {
        key = new ReadOnlyString(ref _context, index);
        return true;
    }

    /// <summary>For generated code: a hash to be read without a latch.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly bool TryBind(int index, out ReadOnlyHash key)
    {
        key = new ReadOnlyHash(ref _context, index);
        return true;
    }

    /// <summary>For generated code: latches several keys before any of them is opened.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly void Latch(scoped ReadOnlySpan<int> positions)
    {
        ref CommandContext inner = ref Inner;
        Span<KeyReference> keys = inner.Scratch.Pools.KeyReferences(positions.Length);
        for (int i = 0; i < positions.Length; i++)
            keys[i] = new KeyReference(inner.Store.Database, inner.Store.Hash(inner[positions[i]]));
        inner.LatchKeys(keys);
    }

    /// <summary>For generated code: the arguments from one on.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public readonly ArgumentList ArgumentsFrom(int first) => new(ref _context, first);

    /// <summary>For generated code: an option that is unknown or lacks its value.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void WriteSyntaxError() => _reply.WriteError(ErrorText.Syntax);

    private readonly void CheckKeys(int firstKey, int keys)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(firstKey, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(keys, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(keys, Count - firstKey);
    }

    private readonly void CheckWait(long timeoutMs)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(timeoutMs);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(timeoutMs, int.MaxValue);
        if ((Inner.Command.Flags & Engine.Requests.CommandFlags.Blocking) == 0)
            throw new InvalidOperationException($"The command '{Inner.Command.FullName}' does not have the flag Blocking.");
        if (_reply.Missing != 1)
            throw new InvalidOperationException("The command has replied already.");
    }

    // The words of the command are in it already; null when no one takes effects.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly EffectBuffer? BeginEffect(CommandToken token, int arguments, long bytes)
    {
        ArgumentNullException.ThrowIfNull(token);
        return Effects.Begin(ref Inner, _scope, token.Words.Length + arguments, token.Encoded.Length + bytes)?.AddEncoded(token.Encoded);
    }

    private readonly bool IsValid(ReplicateFlags flags, scoped ReadOnlySpan<byte> name, int arguments) =>
        (flags & ReplicateFlags.SkipValidation) != 0
        || _module.SkipsCommandValidation
        || (Inner.Client.Executor.Commands.FindOriginal(name) is { } command && command.AcceptsArgumentCount(1 + arguments));

    private readonly ModuleScope ScopeWithoutCalls() =>
        ModuleScopes.OfThread.Of(Inner.Scratch).Next(Inner.Client, Inner.Scratch)
        ?? throw new InvalidOperationException("Commands of modules call each other too deeply.");

    private bool TryOpen(int index, RecordType type, out RecordHandle record)
    {
        ref CommandContext inner = ref Inner;
        record = inner.Open(index);
        if (!inner.Command.IsWrite)
            inner.CountLookup(record.Exists, index);
        if (!record.Exists || record.Type == type)
            return true;
        _reply.WriteError(ErrorText.WrongType);
        return false;
    }
}
