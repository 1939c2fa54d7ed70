// The keys of one MIGRATE on their way to the target. Used by the command's thread or task.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Persistence.Rdb;
using Garnet.Protocol;
using Garnet.Server.Persistence;
using Garnet.Store;
using Garnet.Store.Watching;

namespace Garnet.Server.Migration;

/// <summary>
/// Rounds of three steps: <see cref="Collect"/> reads keys and writes the requests for the target, a <see cref="TargetLink"/> sends them
/// and notes the answers, <see cref="Remove"/> deletes the keys that the target has accepted and that have not changed since they were
/// read. The others are sent again in the next round.
/// </summary>
/// <param name="arguments">The arguments.</param>
/// <param name="isAlone">Whether nothing else can run between the steps, so that no key can change.</param>
internal sealed class KeyTransfer(MigrateArguments arguments, bool isAlone)
{
    // The limit of what is kept of the keys' values at once, apart from a single larger one.
    private const int RoundBytes = 1 << 20;
    private const int MaxRepetitions = 16;

    private readonly HashSet<KeyName>? _seen = arguments.Keys > 1 ? new HashSet<KeyName>(new KeyNameComparer()) : null;
    private readonly EffectBuffer _requests = new();
    private readonly List<MigratedKey> _round = [];
    private readonly List<MigratedKey> _changed = [];
    private int _next;
    private bool _hasFound;
    private byte[]? _error;

    /// <summary>The keys of the present round, each with one request.</summary>
    public IReadOnlyList<MigratedKey> Round => _round;

    /// <summary>The requests of the present round.</summary>
    public ReadOnlyMemory<byte> Requests => _requests.WrittenMemory;

    /// <summary>Whether it cannot go on.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>Reads the next keys; those that have changed since they were sent come first.</summary>
    public void Collect(ref CommandContext context)
    {
        context.SuppressEffect();
        _requests.Clear();
        Unwatch(context.Store);
        foreach (MigratedKey key in _changed)
            AddAgain(ref context, key);
        _changed.Clear();
        while (_next < arguments.Keys && _requests.Bytes < RoundBytes)
            Add(ref context, context[arguments.FirstKey + _next++]);
    }

    /// <summary>Deletes what has arrived; returns the number of keys.</summary>
    public int Remove(ref CommandContext context)
    {
        context.SuppressEffect();
        if (arguments.Copies || !_round.Exists(static key => key.IsAccepted))
            return 0;
        int database = context.Store.Database;
        if (!isAlone)
            context.Store.Latch([.. _round.Select(key => new KeyReference(database, key.Hash))], mayAdd: false);
        List<MigratedKey> removed = [];
        foreach (MigratedKey key in _round)
        {
            if (!key.IsAccepted)
                continue;
            RecordHandle record = context.Store.Open(key.Name, key.Hash);
            if (key.Watcher is { IsTouched: true })
                MarkChanged(key);
            else if (record.Delete())
                removed.Add(key);
        }

        if (removed.Count > 0 && context.HasSink)
        {
            EffectBuffer effect = context.BeginEffect(removed.Count + 1).Add("DEL"u8);
            foreach (MigratedKey key in removed)
                effect.Add(key.Name);
        }

        return removed.Count;
    }

    /// <summary>The target has refused something; only the first such error is reported.</summary>
    public void OnTargetError(string text) => _error ??= Encoding.Latin1.GetBytes("ERR Target instance replied with error: " + text);

    /// <summary>The transfer ends; an earlier error of the target is reported rather than this one.</summary>
    public void Fail(string error)
    {
        HasFailed = true;
        _error ??= Encoding.Latin1.GetBytes(error);
    }

    /// <summary>Writes the command's reply.</summary>
    public void WriteReply(ref RespWriter reply)
    {
        if (_error is not null)
            reply.WriteError(_error);
        else if (_hasFound)
            reply.WriteOk();
        else
            reply.WriteSimpleString("NOKEY"u8);
    }

    /// <summary>Forgets the round. Inside a batch or outside, without latches.</summary>
    public void Unwatch(StoreSession store)
    {
        using StoreVisit visit = new(store);
        foreach (MigratedKey key in _round)
            Unwatch(store, key);
        _round.Clear();
    }

    private void Add(ref CommandContext context, ReadOnlySpan<byte> name)
    {
        StoreSession store = context.Store;
        MigratedKey key = new(name.ToArray(), store.Hash(name), isAlone || arguments.Copies ? null : new KeyWatcher());
        if (_seen?.Add(new KeyName(store.Database, key.Name, key.Hash)) == false)
            return;
        bool exists = TryAddValue(ref context, key, arguments.Replaces);
        if (!exists)
            Unwatch(store, key);
        context.CountLookup(exists, key.Name);
        _hasFound |= exists;
    }

    // What the target has is this server's own, and is replaced by what is here now: another value, or none. A key that is absent stays
    // watched, as it may be created again before the target has deleted it.
    private void AddAgain(ref CommandContext context, MigratedKey key)
    {
        bool canExpire = key.ExpiresAtMs >= 0;
        if (TryAddValue(ref context, key, replaces: true))
            return;
        if (canExpire && key.ExpiresAtMs <= context.NowMs)
            Unwatch(context.Store, key);
        else
            AddRequest(key, 1, RdbPayloads.OfThread.Of(context.Scratch).Writer.EncodeString([]), replaces: true, isAbsolute: true);
    }

    // Watched first, so that any change after the reading is noticed.
    private bool TryAddValue(ref CommandContext context, MigratedKey key, bool replaces)
    {
        StoreSession store = context.Store;
        RdbPayloadWriter writer = RdbPayloads.OfThread.Of(context.Scratch).Writer;
        if (key.Watcher is { } watcher)
            store.Store.Watches.Watch(store, store.Database, key.Name, key.Hash, watcher);
        // A string is encoded without a latch, because compressing a large one takes long.
        PayloadReader reader = new(writer);
        ReadOutcome outcome = store.Reads.Read(key.Name, key.Hash, RecordType.String, ref reader);
        long expiresAtMs = reader.ExpiresAtMs;
        if (outcome is not (ReadOutcome.Found or ReadOutcome.Missing) && !TryEncode(store, key, writer, out expiresAtMs))
            outcome = ReadOutcome.Missing;
        if (outcome == ReadOutcome.Missing)
            return false;
        key.ExpiresAtMs = expiresAtMs;
        AddRequest(key, expiresAtMs < 0 ? 0 : Math.Max(1, expiresAtMs - context.NowMs), writer.Written, replaces, isAbsolute: false);
        return true;
    }

    private bool TryEncode(StoreSession store, MigratedKey key, RdbPayloadWriter writer, out long expiresAtMs)
    {
        RecordHandle record = store.Open(key.Name, key.Hash);
        bool exists = record.Exists;
        expiresAtMs = exists ? record.ExpiresAtMs : -1;
        if (exists && !DumpPayload.TryEncode(writer, in record, out _, out string error))
        {
            Fail(error);
            exists = false;
        }

        if (!isAlone)
            store.EndCommand();
        return exists;
    }

    // An absolute time in the past deletes the key.
    private void AddRequest(MigratedKey key, long ttl, ReadOnlySpan<byte> payload, bool replaces, bool isAbsolute)
    {
        key.IsAccepted = false;
        _round.Add(key);
        _requests.Begin(4 + (replaces ? 1 : 0) + (isAbsolute ? 1 : 0)).Add("RESTORE"u8).Add(key.Name).Add(ttl).Add(payload);
        if (replaces)
            _requests.Add("REPLACE"u8);
        if (isAbsolute)
            _requests.Add("ABSTTL"u8);
    }

    private static void Unwatch(StoreSession store, MigratedKey key)
    {
        if (key.Watcher is { } watcher)
            store.Store.Watches.Unwatch(store, watcher);
    }

    private void MarkChanged(MigratedKey key)
    {
        if (key.Repetitions++ < MaxRepetitions)
        {
            _changed.Add(key);
            return;
        }

        string error = $"IOERR a key was changed during each of {key.Repetitions} transfers; both instances have it";
        _error ??= Encoding.Latin1.GetBytes(error);
    }

    private struct PayloadReader(RdbPayloadWriter writer) : IValueReader
    {
        public long ExpiresAtMs { get; private set; } = -1;

        public void Read(ReadOnlySpan<byte> value, in RecordInfo info)
        {
            writer.EncodeString(value);
            ExpiresAtMs = info.ExpiresAtMs;
        }
    }
}
