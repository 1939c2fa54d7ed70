// Creates records of any type, for commands that depend only on the type. One thread.
using System.Text;
using Garnet.Store;

namespace Garnet.Server.Tests.Commands.Keys;

/// <summary>Writes records without executing commands.</summary>
internal static class Records
{
    /// <summary>Sets a key of database 0 to a value of any type.</summary>
    public static void Set(HybridLogStore store, string key, RecordType type, ReadOnlySpan<byte> value)
    {
        using StoreSession session = store.OpenSession();
        byte[] name = Encoding.Latin1.GetBytes(key);
        session.EnterBatch();
        RecordHandle record = session.Open(name, session.Hash(name));
        record.Set(type, value, -1);
        session.LeaveBatch();
    }
}
