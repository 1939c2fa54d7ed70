// When and how often a key has been used. Used under the key's latch.
namespace Garnet.Store.Records;

/// <summary>The access byte of a latched record; changing it does not count as a change of the key.</summary>
internal readonly unsafe ref struct RecordUsage(StoreSession session, byte* record)
{
    /// <summary>The access byte (LRU/LFU state); 0 when the record is absent.</summary>
    public byte Access => record == null ? (byte)0 : RecordHeader.Access(*(ulong*)record);

    /// <summary>Records an access to the key.</summary>
    public void Touch()
    {
        if (record != null)
            session.Accesses.Touch(record);
    }

    /// <summary>Counts one more use of the key under policies that count uses, for a command that looked it up twice.</summary>
    public void UseAgain() => session.Accesses.UseAgain(record);

    /// <summary>Sets the access byte to a value from <see cref="Eviction.SessionAccesses.ByteOf"/> or to a frequency.</summary>
    public void SetAccess(byte access)
    {
        if (record != null)
            record[RecordHeader.AccessOffset] = access;
    }
}
