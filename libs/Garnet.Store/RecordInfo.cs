// The properties of a record that a reader receives with its value. Immutable.
using Garnet.Store.Collections.Trees;
using Garnet.Store.Records;

namespace Garnet.Store;

/// <summary>Properties of a record, read together with its value.</summary>
internal readonly struct RecordInfo
{
    // The form bits of the header.
    private readonly byte _form;

    /// <summary>Properties of one record.</summary>
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
    /// True for a string that was computed and not set since: OBJECT ENCODING does not report int, even if it reads as an integer.
    /// </summary>
    public bool IsComputed => _form == RecordHeader.Computed;

    /// <summary>Unix time in milliseconds at which the key expires; -1 when it does not.</summary>
    public long ExpiresAtMs { get; }

    /// <summary>The record's access byte (LRU/LFU state).</summary>
    public byte Access { get; }

    /// <summary>
    /// The trees that the value may point to; null when the record can be changed during the read, so that no pointer may be followed.
    /// </summary>
    internal TreeStore? Trees { get; }
}
