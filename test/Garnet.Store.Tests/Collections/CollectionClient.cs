// Opens keys of one store for tests of collections, with one command per use. Used by one thread at a time.
using System.Text;

namespace Garnet.Store.Tests.Collections;

/// <summary>A session that stays in its batch between commands.</summary>
internal sealed class CollectionClient : IDisposable
{
    public CollectionClient(HybridLogStore store)
    {
        Session = store.OpenSession();
        Session.EnterBatch();
    }

    public StoreSession Session { get; }

    /// <summary>Ends the previous command and latches a key.</summary>
    public RecordHandle Open(byte[] key)
    {
        Session.EndCommand();
        Session.RefreshTime();
        return Session.Open(key, Session.Hash(key));
    }

    public void EndCommand() => Session.EndCommand();

    public void Dispose() => Session.Dispose();

    /// <summary>Runs an action outside of the session's batch.</summary>
    public void Outside(Action action)
    {
        Session.LeaveBatch();
        action();
        Session.EnterBatch();
    }

    /// <summary>A random element: a word, an integer of any size, text that only looks like an integer, or long text.</summary>
    public static byte[] RandomElement(Random random, int kinds) =>
        random.Next(12) switch
        {
            0 => Encoding.ASCII.GetBytes(random.Next(kinds).ToString()),
            1 => Encoding.ASCII.GetBytes((-random.Next(kinds)).ToString()),
            2 => Encoding.ASCII.GetBytes((random.Next(kinds) * 1_000_003L).ToString()),
            3 => Encoding.ASCII.GetBytes((random.Next(kinds) * -4_000_000_000_007L).ToString()),
            4 => Encoding.ASCII.GetBytes("0" + random.Next(kinds)),
            5 => Encoding.ASCII.GetBytes(new string('x', random.Next(60, 140)) + random.Next(kinds)),
            6 => Encoding.ASCII.GetBytes(random.Next(30) == 0 ? new string('y', random.Next(4000, 6000)) : "-" + random.Next(3)),
            7 => [(byte)random.Next(256), (byte)random.Next(4)],
            8 => [],
            _ => Encoding.ASCII.GetBytes("element:" + random.Next(kinds)),
        };
}
