// What a record holds, for commands that show, copy or encode values of any type. Used under the key's latch.
using Garnet.Store.Collections;
using Garnet.Store.Collections.Streams;
using Garnet.Store.DataTypes;
using Garnet.Store.Memory;
using Garnet.Store.Tiering;

namespace Garnet.Store.Records;

/// <summary>A look at a latched record; invalid after the next change.</summary>
internal readonly unsafe ref struct RecordContents(HybridLogStore store, byte* record, long address)
{
    /// <summary>The record's address in the log: constant while the value is changed in place, and not a pointer into the
    /// process; 0 when absent.</summary>
    public long Address => address;

    /// <summary>True when the value is in a reference-counted block outside of the log.</summary>
    public bool IsBlock => record != null && (Header & RecordHeader.BlockValue) != 0 && !ColdRecord.IsStub(record, Header);

    /// <summary>Memory that the key takes: record, blocks and its share of the index; 0 when absent.</summary>
    public long MemoryBytes
    {
        get
        {
            if (record == null)
                return 0;

            ulong header = Header;
            long bytes = (RecordHeader.Units(header) * 8L) + 16;
            bytes += IsBlock ? RecordHeader.ValueBlockOf(record, header)->CountedBytes + sizeof(BlockHeader) : 0;
            bytes += CollectionTrees.IsTree(record, header) ? CollectionTrees.Bytes(Value) : 0;
            bytes +=
                (header & RecordHeader.BlockKey) != 0 ? RecordHeader.KeyBlockOf(record, header)->CountedBytes + sizeof(BlockHeader) : 0;
            return bytes;
        }
    }

    /// <summary>The part of <see cref="MemoryBytes"/> that is spare capacity after the value, left by earlier changes; in whole
    /// words.</summary>
    public long SpareBytes => record == null ? 0 : (RecordHeader.Slack(Header) - RecordHeader.SlidingBytesOf(record, Header)) & ~7;

    /// <summary>What is known of the value's type; the record must exist.</summary>
    public DataType DataType => store.Types.Of(RecordHeader.Type(Header), Value);

    /// <summary>Number of elements, fields or members of a collection; 1 for a string, 0 when absent.</summary>
    public long ElementCount => record == null ? 0 : DataType.CountOf(Value);

    private ulong Header => *(ulong*)record;

    private ReadOnlySpan<byte> Value => RecordHeader.Value(record, Header);

    /// <summary>The stream.</summary>
    public StreamView OpenStream() => new(Value, store.Trees);

    /// <summary>The elements of a collection other than a stream, in order.</summary>
    public CollectionImage OpenCollection() => CollectionImage.FromRecord(store.Trees, RecordHeader.Type(Header), Value);
}
