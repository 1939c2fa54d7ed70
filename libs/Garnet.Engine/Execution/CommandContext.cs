// Everything a command needs to execute. Lives on the stack of the batch loop; one per batch, refilled for each command.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Garnet.Engine.Clients;
using Garnet.Engine.Requests;
using Garnet.Engine.Rules;
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.DataTypes;
using Garnet.Store.Records;

namespace Garnet.Engine.Execution;

/// <summary>
/// The arguments, the reply and the store for one command. Latches taken through <see cref="Open(int)"/> are released by the dispatcher
/// after Execute has returned; before that, the dispatcher passes the command to the write sink: verbatim when keys changed, or as the
/// effects given with <see cref="ContextEffects"/>.
/// </summary>
internal ref struct CommandContext
{
    /// <summary>Receives the command's single reply.</summary>
    public RespWriter Reply;

    private ReadOnlySpan<byte> _buffer;
    private ReadOnlySpan<ArgumentRange> _arguments;
    private ArgumentTable? _table;
    private int _firstArgument;
    private HeldArguments? _held;
    private int _kept; // arguments from this one on that are held outside of the buffer have not been released
    private bool _hasHash;
    private ulong _firstKeyHash;

    internal CommandContext(ClientSession client, ThreadScratch scratch, RespWriter reply)
    {
        Client = client;
        Scratch = scratch;
        Reply = reply;
        Command = null!;
        Origin = client.Origin;
        Asked = client.Origin.Asked;
    }

    /// <summary>The client that sent the command.</summary>
    public readonly ClientSession Client { get; }

    /// <summary>The options that commands depend on.</summary>
    public readonly EngineSettings Settings => Client.Executor.Settings;

    /// <summary>Who runs the command.</summary>
    internal Origin Origin { get; private set; }

    /// <summary>The gates that the command is asked.</summary>
    internal GateMask Asked { get; private set; }

    /// <summary>
    /// The command's flags, or those that its script declares; of EXEC with those of its queue. Set before gates are asked.
    /// </summary>
    internal CommandFlags EffectiveFlags { get; set; }

    /// <summary>Whether the command runs even if memory is exhausted: a script that has begun to write is not stopped.</summary>
    internal bool AllowsOom { get; set; }

    /// <summary>Why the last command was refused.</summary>
    internal Refusal Refusal { get; set; }

    /// <summary>
    /// Set by a command that has to wait although it was let in, because something has changed before it began to run alone: it has done
    /// nothing, and is asked again after this.
    /// </summary>
    internal Task? RetryAfter { get; set; }

    /// <summary>
    /// Set by a command that was let in and did not begin: it was refused, or has to wait, when it was asked again. It ends without a reply
    /// of its own and does not count as called.
    /// </summary>
    internal bool HasNotBegun { get; set; }

    /// <summary>Makes the command one of another origin, on behalf of the client.</summary>
    internal void SetOrigin(Origin origin)
    {
        Origin = origin;
        Asked = origin.AskedWithin(Client.Origin);
    }

    /// <summary>The client's view of the store.</summary>
    public readonly StoreSession Store => Client.Store;

    /// <summary>The command being executed (the subcommand, for containers).</summary>
    public Command Command { get; internal set; }

    /// <summary>Number of arguments, including the command's name.</summary>
    public readonly int Count => _arguments.Length;

    /// <summary>Unix milliseconds of the command's start.</summary>
    public readonly long NowMs => Client.Store.NowMs;

    /// <summary>Unix milliseconds by which keys and fields have expired for the client: 0 where it sees expired ones.</summary>
    public readonly long ExpiryNowMs => Client.Store.Expiry.NowMs;

    /// <summary>
    /// Unix milliseconds to be stored as the present time in values: <see cref="NowMs"/>, except while a log is replayed, when that clock
    /// stands still so that nothing expires.
    /// </summary>
    public readonly long RunningNowMs => Client.Origin.IsReplay ? Client.Executor.Time.GetUtcNow().ToUnixTimeMilliseconds() : NowMs;

    /// <summary>
    /// Whether an expiry that a command sets has passed, so that the key or field is removed instead; not in import mode, when its source
    /// decides what is removed.
    /// </summary>
    public readonly bool HasPassed(long expiresAtMs) => expiresAtMs <= NowMs && !Settings.ImportsData;

    /// <summary>Size of the request as it was sent; for a command of a transaction that of EXEC.</summary>
    internal long RequestBytes { get; set; }

    /// <summary>
    /// Size of EXEC's reply before this command of its transaction; as in Valkey it counts as part of the command's reply.
    /// </summary>
    internal long EarlierReplyBytes { get; set; }

    /// <summary>The memory and counters of the thread.</summary>
    internal readonly ThreadScratch Scratch { get; }

    internal PendingReply? Pending { get; private set; }

    /// <summary>Whether the command leaves the elements to clients that already wait for them.</summary>
    internal bool IsDeferred { get; set; }

    /// <summary>The blocked command that is being executed again, or null.</summary>
    internal BlockedCommand? Resumed { get; set; }

    /// <summary>Whether the effects given replace the request, also when there are none.</summary>
    internal bool EffectsGiven { get; set; }

    /// <summary>The number of changes that the command counts as if it changed anything.</summary>
    internal long Changes { get; private set; }

    /// <summary>The bytes of argument <paramref name="index"/>; 0 is the command's name. Valid until Execute returns.</summary>
    public readonly ReadOnlySpan<byte> this[int index]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            ArgumentRange range = _arguments[index];
            return range.IsInBuffer
                ? MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref MemoryMarshal.GetReference(_buffer), range.Offset), range.Length)
                : GetOutside(range, index);
        }
    }

    /// <summary>The hash of a key argument in the current database (already known for the first key of a prefetched batch).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly ulong Hash(int keyArgument) =>
        _hasHash && keyArgument == Command.SimpleFirstKey ? _firstKeyHash : Client.Store.Hash(this[keyArgument]);

    /// <summary>Latches the key at an argument for reading and writing; held until the command ends.</summary>
    public readonly RecordHandle Open(int keyArgument) => Client.Store.Open(Client.Store.Database, this[keyArgument], Hash(keyArgument));

    /// <summary>
    /// As <see cref="Open(int)"/> for a key whose value must have a type, or be absent; writes the error and returns false for another
    /// type.
    /// </summary>
    /// <param name="keyArgument">Argument index of the key.</param>
    /// <param name="type">The type.</param>
    /// <param name="countsLookup">Whether to count a hit or miss, as reading commands do.</param>
    /// <param name="record">The opened record.</param>
    internal bool TryOpen(int keyArgument, RecordType type, bool countsLookup, out RecordHandle record)
    {
        record = Open(keyArgument);
        if (countsLookup)
            this.CountLookup(record.Exists, keyArgument);
        if (!record.Exists || record.Type == type)
            return true;
        Reply.WriteError(ErrorText.WrongType);
        return false;
    }

    /// <summary>
    /// As <see cref="TryOpen(int, RecordType, bool, out RecordHandle)"/> for a custom type, whose value is empty when the key is absent.
    /// </summary>
    public bool TryOpen(int keyArgument, CustomType type, bool countsLookup, out CustomValue value)
    {
        RecordHandle record = Open(keyArgument);
        value = new CustomValue(record);
        if (countsLookup)
            this.CountLookup(record.Exists, keyArgument);
        if (!record.Exists || value.Is(type))
            return true;
        Reply.WriteError(ErrorText.WrongType);
        return false;
    }

    /// <summary>
    /// Case-insensitive comparison of an argument with an upper-case ASCII word. As in Valkey, whose words are C strings, a zero byte ends
    /// the argument.
    /// </summary>
    public readonly bool Is(int index, ReadOnlySpan<byte> upperCaseWord)
    {
        ReadOnlySpan<byte> word = this[index];
        if (word.Length > upperCaseWord.Length && word[upperCaseWord.Length] == 0)
            word = word[..upperCaseWord.Length];
        return System.Text.Ascii.EqualsIgnoreCase(word, upperCaseWord);
    }

    /// <summary>
    /// Stores an argument as a record's string value; a large one that was received into its own block is stored without a copy.
    /// </summary>
    /// <param name="record">The opened record.</param>
    /// <param name="valueArgument">Index of the argument.</param>
    /// <param name="expiresAtMs">Unix milliseconds of expiry, -1 for none.</param>
    /// <param name="sliding">The sliding expiry; requires an expiry.</param>
    public readonly void SetString(ref RecordHandle record, int valueArgument, long expiresAtMs = -1, in SlidingExpiry sliding = default)
    {
        if (_arguments[valueArgument].IsExternal && _held!.TryShare(_arguments[valueArgument].ExternalHandle, out ValueBlock block))
            record.SetBlock(block, expiresAtMs, sliding);
        else
            record.Set(RecordType.String, this[valueArgument], expiresAtMs, sliding);
    }

    /// <summary>
    /// Declares that neither the command nor the values it stores refer to the arguments before this one any more. If a request is so long
    /// that its arguments are stored outside of the receive buffer, they are released early, so that large data does not exist twice until
    /// the command ends.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void ReleaseBefore(int index)
    {
        if (_held is not null)
            ReleaseHeld(index);
    }

    /// <summary>
    /// True when arguments were released that the logs would show: the command can no longer be shown except for its first arguments.
    /// </summary>
    internal readonly bool HasReleased => _kept > LoggedArguments.MaxArguments;

    private void ReleaseHeld(int index)
    {
        // The append-only log and MONITOR receive the whole command at its end; a transaction keeps its own arguments.
        if (HasSink || Client.Transactions.IsExecuting || (Client.Executor.Observers.Present & ObserverMask.Monitors) != 0)
            return;
        for (_kept = Math.Max(_kept, LoggedArguments.MaxArguments); _kept < index; _kept++)
        {
            if (_arguments[_kept].IsExternal)
                _held!.Release(_arguments[_kept].ExternalHandle, _arguments[_kept].Length);
        }
    }

    /// <summary>Replies with a record's string value; a large one is sent in place.</summary>
    public void WriteString(in RecordHandle record)
    {
        if (record.TryReferenceBlock(out ValueBlock block))
            BlockReply.Write(ref Reply, Client.Transactions.IsCalled ? null : Client.Connection, block);
        else
            Reply.WriteBulk(record.Value);
    }

    /// <summary>Parses an argument as a 64-bit integer like Valkey; writes the usual error and returns false when it is not one.</summary>
    public bool TryGetInteger(int index, out long value)
    {
        if (IntegerText.TryParse(this[index], out value))
            return true;
        Reply.WriteError(ErrorText.NotInteger);
        return false;
    }

    /// <summary>Replies with the error for a wrong number of arguments of this command.</summary>
    public void WriteArityError() => Reply.WriteError($"ERR wrong number of arguments for '{Command.FullName}' command");

    /// <summary>
    /// Lets the command finish later: its reply is written when the pending reply's wait is over. The caller must write no reply and hold
    /// no latch.
    /// </summary>
    public void Suspend(PendingReply pending)
    {
        Client.Executor.Waits.Mark(pending);
        Pending = pending;
    }

    /// <summary>
    /// Sets the number of changes that the command counts as if it changes anything (shown by INFO, and used by the save schedule); the
    /// default is one.
    /// </summary>
    public void CountChanges(long changes) => Changes = changes;

    /// <summary>True when effects have to be described (a write sink is set); otherwise commands can skip that work.</summary>
    public readonly bool HasSink => Store.Store.Changes.Sink is not null;

    /// <summary>The request, if it is its own effect as it was received and has the command's own name; see <see cref="EncodedRequest"/>.</summary>
    internal readonly bool TryGetEncoded(out ReadOnlySpan<byte> request)
    {
        request = default;
        return !Command.IsRenamed && EncodedRequest.TryFind(_buffer, _arguments, out request);
    }

    /// <summary>Loads the arguments of a request parsed into a table.</summary>
    internal void Load(ReadOnlySpan<byte> requestBuffer, ArgumentTable arguments, int first, int count)
    {
        Load(requestBuffer, arguments.Items.Slice(first, count), arguments.External as HeldArguments);
        _table = arguments;
        _firstArgument = first;
    }

    /// <summary>Loads arguments from the buffer, or from memory held outside of it.</summary>
    internal void Load(ReadOnlySpan<byte> requestBuffer, ReadOnlySpan<ArgumentRange> ranges, HeldArguments? outside = null)
    {
        _buffer = requestBuffer;
        _arguments = ranges;
        _held = outside;
        _kept = 0;
        _hasHash = false;
        Pending = null;
        EffectsGiven = false;
        Changes = 1;
        IsDeferred = false;
    }

    /// <summary>Sets the precomputed hash of the command's first key.</summary>
    internal void SetFirstKeyHash(ulong hash)
    {
        _hasHash = true;
        _firstKeyHash = hash;
    }

    /// <summary>
    /// The block in which a large argument was received, with a reference that the caller releases; empty when it has none.
    /// </summary>
    internal readonly ValueBlock ShareBlock(int index) =>
        _arguments[index].IsExternal && _held!.TryShare(_arguments[index].ExternalHandle, out ValueBlock block) ? block : default;

    /// <summary>Keeps an argument beyond its request: by reference if it has its own block, else as a copy.</summary>
    internal readonly int HoldArgument(int index, HeldArguments keeper)
    {
        ArgumentRange range = _arguments[index];
        return range.IsExternal ? keeper.Share(_held!, range.ExternalHandle, range.Length) : keeper.Keep(this[index]);
    }

    /// <summary>
    /// Keeps all arguments beyond their request, outside of the managed heap; those already stored there are taken over without a copy. The
    /// caller releases the result.
    /// </summary>
    /// <param name="ranges">Receives the position of each argument.</param>
    internal readonly HeldArguments TakeArguments(Span<ArgumentRange> ranges)
    {
        HeldArguments keeper = _held ?? new HeldArguments(Store.Store);
        keeper.IsTransferred = true;
        for (int i = 0; i < ranges.Length; i++)
            ranges[i] = _arguments[i].IsExternal ? _arguments[i] : ArgumentRange.External(keeper.Keep(this[i]), _arguments[i].Length);
        return keeper;
    }

    private readonly ReadOnlySpan<byte> GetOutside(ArgumentRange range, int index) =>
        range.IsExternal ? _held!.Get(range.ExternalHandle, range.Length) : _table!.Get(_buffer, _firstArgument + index);

    /// <summary>Sum of the argument lengths.</summary>
    internal readonly long ArgumentBytes
    {
        get
        {
            long bytes = 0;
            foreach (ArgumentRange argument in _arguments)
                bytes += argument.Length;
            return bytes;
        }
    }
}
