// A key whose bucket is latched: where its record is, how it is published and removed. Used by the session's thread until EndCommand.
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Garnet.Store.Changes;
using Garnet.Store.Collections;
using Garnet.Store.DataTypes;
using Garnet.Store.Epochs;
using Garnet.Store.Index;
using Garnet.Store.Maintenance;
using Garnet.Store.Snapshots;
using Garnet.Store.Tiering;

namespace Garnet.Store.Records;

/// <summary>
/// The path of every change of a key: it passes the old image to a running snapshot, updates the index and the counters, and notifies the
/// key's observers. Never copy one and use both copies.
/// </summary>
internal unsafe ref struct LatchedKey
{
    // The stamp of a hidden record: no command gets that far.
    private const int HiddenStamp = int.MinValue;

    private long _bucket;
    private int _database;
    private int _stamp;
    private KeyChangeKind _lastRaised;
    private byte* _record;
    private long* _entry;

    /// <summary>Finds the key's record in its latched bucket, or under the barrier.</summary>
    public LatchedKey(StoreSession session, ReadOnlySpan<byte> key, ulong salted, int database, int physical, long bucket) =>
        Find(session, key, salted, database, physical, bucket);

    /// <summary>The session that holds the latch.</summary>
    public StoreSession Session { readonly get; private set; }

    /// <summary>The key; must stay valid until EndCommand.</summary>
    public ReadOnlySpan<byte> Key { readonly get; private set; }

    /// <summary>The key's salted hash.</summary>
    public ulong Salted { readonly get; private set; }

    /// <summary>The physical database.</summary>
    public int Physical { readonly get; private set; }

    /// <summary>The record; null when absent.</summary>
    public readonly byte* Record => _record;

    /// <summary>The record's header; 0 when absent.</summary>
    public readonly ulong Header => _record == null ? 0 : *(ulong*)_record;

    /// <summary>The record's address in the log; 0 when absent.</summary>
    public readonly long Address => _record == null ? 0 : IndexEntry.AddressOf(*_entry);

    private readonly HybridLogStore Store => Session.Store;

    /// <summary>
    /// Like the constructor, but in place: single-key commands call this, and copying the struct costs more than setting its fields.
    /// </summary>
    [MemberNotNull(nameof(Session))]
    public void Find(StoreSession session, ReadOnlySpan<byte> key, ulong salted, int database, int physical, long bucket)
    {
        Session = session;
        Key = key;
        Salted = salted;
        _bucket = bucket;
        _database = database;
        Physical = physical;
        _stamp = session.Changes.Stamp;
        _lastRaised = default;
        _record = session.Reads.Find(bucket, salted, physical, key, out _entry);
        if (_record != null && IndexEntry.IsCold(*_entry) && session.Barrier.IsExclusive)
            LoadNow();
    }

    /// <summary>What the record contributes to the counters of expiry, given its header.</summary>
    public readonly RecordShare Share(ulong header) => RecordShare.Of(Store, _record, header);

    /// <summary>
    /// Called before each change: another handle of this command may have moved the record since, and an active snapshot takes the old
    /// image.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeforeChange()
    {
        if (_stamp != Session.Changes.Stamp)
            FindAgain();

        SnapshotRound? snapshot = Store.Snapshots.Round;
        if (snapshot is not null && _record != null)
            snapshot.BeforeChange(_record, Session.Slot);
    }

    /// <summary>
    /// The one place where a record becomes the key's: makes the index refer to it, retires the old one, and updates the counters.
    /// </summary>
    /// <param name="record">The record, complete with its header.</param>
    /// <param name="address">Its address in the log.</param>
    /// <param name="inPlace">Whether it is the old one, rewritten.</param>
    /// <param name="expiresAtMs">Its expiry, -1 for none.</param>
    /// <param name="before">What the old record contributed to the counters of expiry.</param>
    public void Publish(byte* record, long address, bool inPlace, long expiresAtMs, in RecordShare before)
    {
        EpochSlot slot = Session.Slot;
        if (_record == null)
        {
            _entry = Store.Index.Insert(_bucket, IndexEntry.Of(Salted, address));
            slot.Keys[Physical]++;
            Session.Changes.Created++;
            _stamp = ++Session.Changes.Stamp;
        }
        else if (!inPlace)
        {
            long oldAddress = IndexEntry.AddressOf(*_entry);
            *_entry = IndexEntry.Of(Salted, address);
            Store.Log.MarkDead(slot, oldAddress);
            _stamp = ++Session.Changes.Stamp;
        }

        bool isStub = ColdRecord.IsStub(record, *(ulong*)record);
        if (IndexEntry.IsCold(*_entry) != isStub)
            *_entry ^= IndexEntry.Cold;

        _record = record;
        if (expiresAtMs >= 0)
            Store.Log.ScheduleExpiry(address, expiresAtMs);

        if (DataTypeTable.HasElementExpiry(RecordHeader.Type(*(ulong*)record)) && !isStub)
            Store.Log.ScheduleExpiry(address, FieldExpiry.EarliestOf(RecordHeader.Value(record, *(ulong*)record)));

        before.Become(Share(*(ulong*)record), slot, Physical);
    }

    /// <summary>The one place where a change of this key is counted and announced.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Raise(KeyChangeKind kind)
    {
        if (kind.IsCounted())
        {
            Session.Changes.Count++;
            Session.Slot.Changes++;
        }

        if ((*BucketLayout.Word(Store.Index.Bucket(_bucket)) & BucketWord.Observed) != 0)
            Store.Watches.Touch(kind, Salted, _bucket, _database, Key);

        if (Store.Changes.Observers.Length != 0)
            NotifyObservers(kind);
    }

    /// <summary>
    /// Makes the record absent if it has expired: removes it, or hides it from this handle while expired keys are to be kept. A change
    /// through the handle removes a hidden record first.
    /// </summary>
    public void Expire(long nowMs)
    {
        long expires = _record == null ? -1 : RecordHeader.ExpiresAt(_record, Header);
        if (expires < 0 || nowMs <= expires)
            return;

        // Removing it takes space for its image while a snapshot runs.
        if (Store.Holds.Expired() || !Store.Snapshots.HasSpace)
        {
            _stamp = HiddenStamp;
            _record = null;
            _entry = null;
            return;
        }

        RemoveIfExpired(nowMs);
    }

    /// <summary>Removes the record if it has expired: counts it, passes its DEL to the sink, notifies watchers.</summary>
    public void RemoveIfExpired(long nowMs)
    {
        long expires = _record == null ? -1 : RecordHeader.ExpiresAt(_record, Header);
        if (expires < 0 || nowMs <= expires)
            return;

        Session.Slot.Expired++;
        NotifyRemoval(KeyChangeKind.Expired);
        // A snapshot has it: what continues from there, a replica for example, is told of the removal only afterwards.
        BeforeChange();
        Remove();
    }

    /// <summary>
    /// Evicts the record: counts it, passes its DEL to the sink, notifies watchers, and passes its image to a running snapshot.
    /// </summary>
    public void Evict()
    {
        Session.Slot.Evicted++;
        Store.Budget.Evicted.Add(Salted);
        NotifyRemoval(KeyChangeKind.Evicted);
        BeforeChange();
        Remove();
    }

    /// <summary>Removes a record of a flushed database, which no client can see, without notifications.</summary>
    public void RemoveFlushed()
    {
        if (_record != null)
        {
            BeforeChange();
            Remove();
        }
    }

    /// <summary>Unlinks and frees the record, unannounced.</summary>
    public void Remove()
    {
        ulong header = Header;
        long address = IndexEntry.AddressOf(*_entry);
        Share(header).Become(default, Session.Slot, Physical);
        *_entry = 0;
        if (BucketWord.Overflow(*BucketLayout.Word(Store.Index.Bucket(_bucket))) != 0)
            Store.Index.TrimOverflow(_bucket);

        if (ColdRecord.IsStub(_record, header))
            Store.Tier!.Release(ColdRecord.LocatorOf(_record, header));
        else if ((header & RecordHeader.BlockValue) != 0)
            Store.Blocks.Release(RecordHeader.ValueBlockOf(_record, header));
        else if (CollectionTrees.IsTree(_record, header))
            CollectionTrees.Of(RecordHeader.Value(_record, header)).Drop(Store.Trees);

        if ((header & RecordHeader.BlockKey) != 0)
            Store.Blocks.Release(RecordHeader.KeyBlockOf(_record, header));

        EpochSlot slot = Session.Slot;
        Store.Log.MarkDead(slot, address);
        slot.Keys[Physical]--;
        Session.Changes.Created--;
        _stamp = ++Session.Changes.Stamp;
        _record = null;
        _entry = null;
    }

    /// <summary>Ensures that expiry examines the record when one of its elements is due.</summary>
    public readonly void ScheduleElementExpiry(long expiresAtMs)
    {
        if (_record != null)
            Store.Log.ScheduleExpiry(IndexEntry.AddressOf(*_entry), expiresAtMs);
    }

    /// <summary>Maintains the number of hashes with expiring fields, from the state before and after a change.</summary>
    public readonly void CountVolatile(bool before, bool after) =>
        new RecordShare(false, 0, before).Become(new RecordShare(false, 0, after), Session.Slot, Physical);

    // Another handle of this command may have moved the record, or it is hidden and its key is about to be written.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void FindAgain()
    {
        bool wasHidden = _stamp == HiddenStamp;
        _stamp = Session.Changes.Stamp;
        _record = Session.Reads.Find(_bucket, Salted, Physical, Key, out _entry);
        if (wasHidden)
            RemoveIfExpired(Session.Expiry.NowMs);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void LoadNow()
    {
        ColdKeys.LoadNow(Session, _entry, Salted);
        _stamp = Session.Changes.Stamp;
        _record = Store.Log.Resolve(IndexEntry.AddressOf(*_entry));
    }

    // Before the record is freed: the key passed to sink and observers may be inside it.
    private void NotifyRemoval(KeyChangeKind kind)
    {
        Store.Changes.Sink?.Append(_database, Session.Slot.Effects.Delete(Key));
        Raise(kind);
    }

    // Once for each kind and command: a command that adds a thousand members changes its key once.
    private void NotifyObservers(KeyChangeKind kind)
    {
        bool isPrepared = _database >= Store.Databases.Count;
        if (isPrepared || kind == _lastRaised || (kind == KeyChangeKind.Modified && _lastRaised == KeyChangeKind.Created))
            return;

        _lastRaised = kind;
        Store.Changes.Notify(new KeyChange(kind, _database, Key));
    }
}
