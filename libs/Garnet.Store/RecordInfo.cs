// What a reader is told about a record beside its value. Immutable.
namespace Garnet.Store;

/// <summary>Facts about a record, taken together with its value.</summary>
public readonly struct RecordInfo
{
    /// <summary>Facts of one record.</summary>
    public RecordInfo(RecordType type, long expiresAtMs, byte access)
        : this(type, expiresAtMs, access, trees: null)
    {
    }

    internal RecordInfo(RecordType type, long expiresAtMs, byte access, TreeForest? trees)
    {
        Trees = trees;
        Type = type;
        ExpiresAtMs = expiresAtMs;
        Access = access;
    }

    /// <summary>The kind of value.</summary>
    public RecordType Type { get; }

    /// <summary>Unix time in milliseconds at which the key expires; -1 when it does not.</summary>
    public long ExpiresAtMs { get; }

    /// <summary>The record's access byte (LRU/LFU state).</summary>
    public byte Access { get; }

    /// <summary>The trees that the value may point to; null when somebody can change the record during the read, so that nothing may be followed.</summary>
    internal TreeForest? Trees { get; }
}
