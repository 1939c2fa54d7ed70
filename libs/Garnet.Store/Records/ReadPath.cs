// Looks up keys: optimistically by version check, or under a latch. Passed to the session inside a batch, used by its thread.
using System.Numerics;
using System.Runtime.CompilerServices;
using Garnet.Store.Collections;
using Garnet.Store.Eviction;
using Garnet.Store.Index;
using Garnet.Store.Log;
using Garnet.Store.Memory;
using Garnet.Store.Tiering;

namespace Garnet.Store.Records;

/// <summary>
/// An optimistic read loads the bucket's word, finds and consumes the value, and loads the word again: if it is unchanged and was not
/// latched, no writer intervened. What is read in between may be torn but never out of bounds: records stay in place while an epoch can see
/// them, and all lengths come from one header word.
/// </summary>
internal sealed unsafe class ReadPath(HybridLogStore store, HeldLatches held)
{
    private const int AnyType = -1;
    private const int OptimisticTries = 8;
    private readonly HashIndex _index = store.Index;
    private readonly RecordLog _log = store.Log;
    private readonly DatabaseMap _databases = store.Databases.Map;
    private KeyIteration? _iteration;

    /// <summary>The session that holds the slot.</summary>
    public StoreSession Session { get; set; } = null!;

    private enum Attempt
    {
        Done,
        Again,
        NeedsLatch,
        Expired,
    }

    /// <summary>
    /// Reads a key without a latch (under its latch when the session holds it, or after several failed attempts), which counts as an
    /// access. An expired key is missing.
    /// </summary>
    public ReadOutcome Read<TReader>(ReadOnlySpan<byte> key, ulong hash, RecordType type, ref TReader reader)
        where TReader : struct, IValueReader, allows ref struct => Read(key, hash, (int)type, ref reader);

    /// <summary>Reads a key of any type without counting as an access.</summary>
    public ReadOutcome ReadAny<TReader>(ReadOnlySpan<byte> key, ulong hash, ref TReader reader)
        where TReader : struct, IValueReader, allows ref struct => Read(key, hash, AnyType, ref reader);

    /// <summary>True when a live key exists.</summary>
    public bool Exists(ReadOnlySpan<byte> key, ulong hash)
    {
        ExistenceReader reader = default;
        return ReadAny(key, hash, ref reader) == ReadOutcome.Found;
    }

    private ReadOutcome Read<TReader>(ReadOnlySpan<byte> key, ulong hash, int type, ref TReader reader)
        where TReader : struct, IValueReader, allows ref struct
    {
        int database = Session.Database;
        int physical = _databases.PhysicalOf(database);
        ulong salted = _databases.Salt(hash, physical);
        if (held.Count == 0 && !Session.Barrier.IsExclusive)
        {
            for (int i = 0; i < OptimisticTries; i++)
            {
                Attempt attempt = TryRead(key, salted, physical, type, ref reader, out ReadOutcome outcome);
                if (attempt == Attempt.Done)
                    return outcome;

                if (attempt != Attempt.Again)
                    break;

                Thread.SpinWait(1 << i);
            }
        }

        return ReadLatched(database, key, salted, physical, type, ref reader);
    }

    /// <summary>Prefetches the record that an already fetched bucket has for a hash.</summary>
    public void PrefetchRecord(ulong hash)
    {
        ulong salted = _databases.Salt(hash, _databases.PhysicalOf(Session.Database));
        byte* bucket = _index.Bucket(_index.Locate(salted));
        uint matches = BucketLayout.Match(bucket, IndexEntry.TagOf(salted));
        if (matches != 0)
        {
            long entry = Volatile.Read(ref ((long*)bucket)[BitOperations.TrailingZeroCount(matches)]);
            if (entry != 0)
                _log.Prefetch(IndexEntry.AddressOf(entry));
        }
    }

    /// <summary>Finds a key's record in a latched bucket (or under the barrier); null when absent.</summary>
    public byte* Find(long number, ulong salted, int physical, ReadOnlySpan<byte> key, out long* place)
    {
        byte* bucket = _index.Bucket(number);
        uint tag = IndexEntry.TagOf(salted);
        ulong shape = RecordHeader.ShapeOf(physical, key.Length);
        while (true)
        {
            for (uint matches = BucketLayout.Match(bucket, tag); matches != 0; matches &= matches - 1)
            {
                place = (long*)bucket + BitOperations.TrailingZeroCount(matches);
                if (*place == 0)
                    continue;

                byte* record = _log.Resolve(IndexEntry.AddressOf(*place));
                ulong header = *(ulong*)record;
                bool isEqual =
                    (header & RecordHeader.ShapeMask) == shape
                        ? RecordHeader.KeyEquals(record, header, key)
                        : (header & RecordHeader.BlockKey) != 0
                            && RecordHeader.Physical(header) == physical
                            && key.SequenceEqual(RecordHeader.Key(record, header));
                if (isEqual)
                    return record;
            }

            uint next = BucketWord.Overflow(*BucketLayout.Word(bucket));
            if (next == 0)
            {
                place = null;
                return null;
            }

            bucket = _index.OverflowBucket(next);
        }
    }

    /// <summary>
    /// Visits the keys of some buckets and returns the next cursor; 0 both starts and ends the scan. Buckets are visited in the order of
    /// bit-reversed hashes, so a key present during the whole iteration is visited at least once, however the index grows or shrinks
    /// meanwhile. The visitor receives copies and holds no latch. Expired keys are not visited.
    /// </summary>
    public long Scan<TVisitor>(int database, long cursor, int buckets, ref TVisitor visitor)
        where TVisitor : struct, IKeyVisitor, allows ref struct =>
        (_iteration ??= new KeyIteration(this, store)).Scan(database, cursor, buckets, ref visitor);

    /// <summary>Visits one random live key of a database; false when there is none.</summary>
    public bool TryRandomKey<TVisitor>(int database, ref TVisitor visitor)
        where TVisitor : struct, IKeyVisitor, allows ref struct =>
        (_iteration ??= new KeyIteration(this, store)).TryRandomKey(database, ref visitor);

    // One attempt without a latch.
    private Attempt TryRead<TReader>(
        ReadOnlySpan<byte> key,
        ulong salted,
        int physical,
        int type,
        ref TReader reader,
        out ReadOutcome outcome
    )
        where TReader : struct, IValueReader, allows ref struct
    {
        outcome = ReadOutcome.Missing;
        long number = _index.Locate(salted);
        byte* bucket = _index.Bucket(number);
        long* wordPlace = BucketLayout.Word(bucket);
        long word = Volatile.Read(ref *wordPlace);
        if ((word & BucketWord.Latched) != 0 || !BucketWord.Owns(word, salted, number))
            return Attempt.Again;

        Attempt found = FindUnlatched(bucket, word, salted, physical, key, out byte* record, out ulong header);
        if (found != Attempt.Done)
            return found;

        if (record == null)
            return IsUnchanged(wordPlace, word) ? Attempt.Done : Attempt.Again;

        long expires = RecordHeader.ExpiresAt(record, header);
        if (Session.Expiry.IsPast(expires))
            return IsUnchanged(wordPlace, word) ? Attempt.Expired : Attempt.Again;

        var info = new RecordInfo(header, expires);
        if (type >= 0 && (int)info.Type != type)
        {
            if (!IsUnchanged(wordPlace, word))
                return Attempt.Again;

            outcome = ReadOutcome.WrongType;
            UpdateAccess(record, info, type);
            return Attempt.Done;
        }

        outcome = ReadOutcome.Found;
        if ((header & RecordHeader.BlockValue) != 0)
            return ReadPinned(record, header, wordPlace, word, type, info, ref reader);

        // If a value points to a tree, only the latch keeps the tree's nodes from changing.
        ReadOnlySpan<byte> value = RecordHeader.InlineValue(record, header);
        if (info.Type != RecordType.String && PackedForm.Kind(value) == PackedForm.Tree)
            return Attempt.NeedsLatch;

        reader.Read(value, info);
        if (!IsUnchanged(wordPlace, word))
            return Attempt.Again;

        UpdateAccess(record, info, type);
        return Attempt.Done;
    }

    // The byte is written only when it changes: at most about once per second.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void UpdateAccess(byte* record, in RecordInfo info, int type)
    {
        ref readonly SessionAccesses accesses = ref Session.Accesses;
        if ((info.Access & accesses.Mask) != accesses.Stamp && type != AnyType && accesses.Touches)
            accesses.Touch(record);
    }

    // Adds a reference, then verifies that there was no write until then: later writers see the reference and copy the block instead of
    // changing it.
    private Attempt ReadPinned<TReader>(
        byte* record,
        ulong header,
        long* wordPlace,
        long word,
        int type,
        in RecordInfo info,
        ref TReader reader
    )
        where TReader : struct, IValueReader, allows ref struct
    {
        BlockHeader* block = RecordHeader.ValueBlockOf(record, header);
        if (ColdLocator.IsLocator((long)block))
            return ReadCold(record, wordPlace, word, type, info, ref reader);

        if (!store.Blocks.IsHeader(block) || !BlockHeap.TryReference(block))
            return Attempt.Again;

        Attempt attempt = Attempt.Again;
        if (IsUnchanged(wordPlace, word))
        {
            reader.Read(new ReadOnlySpan<byte>(block->Data, block->Length), info);
            UpdateAccess(record, info, type);
            attempt = Attempt.Done;
        }

        store.Blocks.Release(block);
        return attempt;
    }

    // The value is on disk. Those who need it have waited for it, so they do not get here; under the latch it is certain.
    private Attempt ReadCold<TReader>(byte* record, long* wordPlace, long word, int type, in RecordInfo info, ref TReader reader)
        where TReader : struct, IValueReader, allows ref struct
    {
        if (!IgnoresValue<TReader>())
            return Attempt.NeedsLatch;

        reader.Read([], info);
        if (!IsUnchanged(wordPlace, word))
            return Attempt.Again;

        UpdateAccess(record, info, type);
        return Attempt.Done;
    }

    // Known when the code is compiled.
    private static bool IgnoresValue<TReader>()
        where TReader : struct, allows ref struct => typeof(IKeyReader).IsAssignableFrom(typeof(TReader));

    // True when no writer has held the bucket's latch since the word was loaded; this validates all earlier reads.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsUnchanged(long* wordPlace, long word)
    {
        Volatile.ReadBarrier();
        return *(long*)wordPlace == word;
    }

    private Attempt FindUnlatched(
        byte* bucket,
        long word,
        ulong salted,
        int physical,
        ReadOnlySpan<byte> key,
        out byte* record,
        out ulong header
    )
    {
        uint tag = IndexEntry.TagOf(salted);
        ulong shape = RecordHeader.ShapeOf(physical, key.Length);
        for (int chain = 0; chain < HashIndex.MaxChain; chain++)
        {
            for (uint matches = BucketLayout.Match(bucket, tag); matches != 0; matches &= matches - 1)
            {
                long entry = Volatile.Read(ref ((long*)bucket)[BitOperations.TrailingZeroCount(matches)]);
                if (IndexEntry.TagOf((ulong)entry) != tag || IndexEntry.AddressOf(entry) == 0)
                    continue;

                record = _log.Resolve(IndexEntry.AddressOf(entry));
                header = Volatile.Read(ref *(ulong*)record);
                if ((header & RecordHeader.ShapeMask) == shape)
                {
                    if (RecordHeader.KeyEquals(record, header, key))
                        return Attempt.Done;
                }
                else if ((header & RecordHeader.BlockKey) != 0)
                {
                    return Attempt.NeedsLatch;
                }
            }

            uint next = BucketWord.Overflow(word);
            if (next == 0)
            {
                record = null;
                header = 0;
                return Attempt.Done;
            }

            bucket = _index.OverflowBucket(next);
            word = Volatile.Read(ref *BucketLayout.Word(bucket));
        }

        record = null;
        header = 0;
        return Attempt.NeedsLatch;
    }

    private ReadOutcome ReadLatched<TReader>(int database, ReadOnlySpan<byte> key, ulong salted, int physical, int type, ref TReader reader)
        where TReader : struct, IValueReader, allows ref struct
    {
        using var latch = new BriefLatch(Session, salted);
        return ReadUnderLatch(new LatchedKey(Session, key, salted, database, physical, latch.Bucket), type, ref reader);
    }

    private ReadOutcome ReadUnderLatch<TReader>(LatchedKey key, int type, ref TReader reader)
        where TReader : struct, IValueReader, allows ref struct
    {
        if (key.Record == null)
            return ReadOutcome.Missing;

        if (Session.Expiry.IsPast(RecordHeader.ExpiresAt(key.Record, key.Header)))
        {
            key.Expire(Session.Expiry.NowMs);
            return ReadOutcome.Missing;
        }

        var info = new RecordInfo(key.Header, RecordHeader.ExpiresAt(key.Record, key.Header), store.Trees);
        ReadOutcome outcome = type >= 0 && (int)info.Type != type ? ReadOutcome.WrongType : ReadOutcome.Found;
        if (outcome == ReadOutcome.Found)
        {
            bool isLeftOut = IgnoresValue<TReader>() && ColdRecord.IsStub(key.Record, key.Header);
            reader.Read(isLeftOut ? [] : RecordHeader.Value(key.Record, key.Header), info);
        }

        if (type != AnyType && Session.Accesses.Touches)
            Session.Accesses.Touch(key.Record);

        return outcome;
    }

    private readonly struct ExistenceReader : IKeyReader
    {
        public void Read(ReadOnlySpan<byte> value, in RecordInfo info) { }
    }
}
