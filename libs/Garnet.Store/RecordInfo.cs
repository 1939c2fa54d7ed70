// What a reader is told about a record beside its value. Immutable.
using Garnet.Store.Collections.Trees;
using Garnet.Store.Records;

namespace Garnet.Store;

/// <summary>Facts about a record, taken together with its value.</summary>
public readonly struct RecordInfo
{
    // As the header has it.
    private readonly byte _form;

    /// <summary>Facts of one record.</summary>
    public RecordInfo(RecordType type, long expiresAtMs, byte access)
    {
        _form = (byte)type;
        ExpiresAtMs = expiresAtMs;
        Access = access;
    }

    internal RecordInfo(ulong header, long expiresAtMs, TreeStore? trees = null)
    {
        Trees = trees;
        _form = (byte)(header & RecordHeader.FormMask);
        ExpiresAtMs = expiresAtMs;
        Access = RecordHeader.Access(header);
    }

    /// <summary>The kind of value.</summary>
    public RecordType Type => RecordHeader.Type(_form);

    /// <summary>True for a string that was changed in place since it was set.</summary>
    public bool IsEdited => _form == RecordHeader.Edited;

    /// <summary>
    /// True for a string that was computed, and not set since: it is no integer to OBJECT ENCODING even where it reads as one.
    /// </summary>
    public bool IsComputed => _form == RecordHeader.Computed;

    /// <summary>Unix time in milliseconds at which the key expires; -1 when it does not.</summary>
    public long ExpiresAtMs { get; }

    /// <summary>The record's access byte (LRU/LFU state).</summary>
    public byte Access { get; }

    /// <summary>
    /// The trees that the value may point to; null when somebody can change the record during the read, so that nothing may be followed.
    /// </summary>
    internal TreeStore? Trees { get; }
}
