// Looks for keys of a module's types. Under the barrier.
using Garnet.Store;
using Garnet.Store.DataTypes;

namespace Garnet.Server.Modules;

/// <summary>Whether any key has one of some types, in any database. Takes time in proportion to the number of keys.</summary>
internal static class CustomKeys
{
    private const int BucketsPerStep = 1024;

    public static bool Any(StoreSession session, CustomType[] types)
    {
        int database = session.Database;
        try
        {
            for (session.Database = 0; session.Database < session.Store.Databases.Count; session.Database++)
            {
                if (session.Store.Databases.KeyCount(session.Database) > 0 && AnyInDatabase(session, types))
                    return true;
            }

            return false;
        }
        finally
        {
            session.Database = database;
        }
    }

    private static bool AnyInDatabase(StoreSession session, CustomType[] types)
    {
        Search search = new() { Keys = [] };
        long cursor = 0;
        do
        {
            cursor = session.Reads.Scan(session.Database, cursor, BucketsPerStep, ref search);
            foreach (byte[] key in search.Keys)
            {
                if (Array.Exists(types, type => new CustomValue(session.Open(key, session.Hash(key))).Is(type)))
                    return true;
            }

            search.Keys.Clear();
        } while (cursor != 0);
        return false;
    }

    private struct Search : IKeyVisitor
    {
        public List<byte[]> Keys { get; init; }

        public readonly bool SeesExpired => false;

        public readonly void Visit(ReadOnlySpan<byte> key, in RecordInfo info)
        {
            if (info.Type == RecordType.Custom)
                Keys.Add(key.ToArray());
        }
    }
}
