// A store, a saver and a disk with injected faults. Used by one test.
using System.Text;
using Garnet.Persistence.Rdb;
using Garnet.Persistence.Snapshots;
using Garnet.Store;
using Garnet.Testing;
using Xunit;

namespace Garnet.Persistence.Tests.Snapshots;

/// <summary>Holds keys, saves them, and reads files back.</summary>
internal sealed class SaverScene : IDisposable
{
    public const string Folder = "/data";
    public const string File = "/data/dump.rdb";
    private const int Keys = 300;
    private readonly StoreSession _session;

    public SaverScene()
    {
        Store = new HybridLogStore(new StoreOptions { PageSizeBits = 20 }, Time);
        _session = Store.OpenSession();
        Saver = new BackgroundSaver(Store, Disk, Time, static () => -1);
        Fill("first");
    }

    public ManualTimeProvider Time { get; } = new();

    public HybridLogStore Store { get; }

    public FaultyDisk Disk { get; } = new();

    public BackgroundSaver Saver { get; }

    /// <summary>The expected content of the store.</summary>
    public Dictionary<string, string> Model { get; } = [];

    /// <summary>Gives every key a new value, some of them long, about two megabytes in total.</summary>
    public void Fill(string word)
    {
        for (int i = 0; i < Keys; i++)
            Set("key" + i, $"{word}{i}:" + new string((char)('a' + (i % 26)), i % 10 == 0 ? 40_000 : 3000));
    }

    public void Set(string key, string value)
    {
        byte[] bytes = Encoding.ASCII.GetBytes(key);
        _session.EnterBatch();
        _session.Open(bytes, _session.Hash(bytes)).Set(Encoding.ASCII.GetBytes(value));
        _session.LeaveBatch();
        Model[key] = value;
    }

    /// <summary>Starts a save on this thread; false when the saver refuses it.</summary>
    public bool TryStart(SaveRequest request, out Task<SaveOutcome> done) => Saver.TryStart(_session, request, out done);

    /// <summary>Saves; optionally changes every key meanwhile.</summary>
    public SaveOutcome Save(bool writesMeanwhile = false)
    {
        Assert.True(Saver.TryStart(_session, new SaveRequest { Path = File }, out Task<SaveOutcome> done));
        if (writesMeanwhile)
            Fill("meanwhile");
        Assert.True(done.Wait(TimeSpan.FromMinutes(2)));
        return done.Result;
    }

    /// <summary>The content of a file; throws if it is not a complete snapshot.</summary>
    public static Dictionary<string, string> Load(byte[] file)
    {
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 20 }, TimeProvider.System);
        new RdbLoader(store, new RdbLoadOptions { Workers = 1 }).Load(new MemoryStream(file));
        using StoreSession session = store.OpenSession();
        var found = new Dictionary<string, string>();
        var visitor = new Visitor([]);
        long cursor = 0;
        do
        {
            session.EnterBatch();
            cursor = session.Reads.Scan(0, cursor, 16, ref visitor);
            session.LeaveBatch();
        } while (cursor != 0);
        foreach (byte[] key in visitor.Keys)
        {
            session.EnterBatch();
            found[Encoding.ASCII.GetString(key)] = Encoding.ASCII.GetString(session.Open(key, session.Hash(key)).Value);
            session.LeaveBatch();
        }

        return found;
    }

    public void Dispose()
    {
        Saver.Dispose();
        _session.Dispose();
        Store.Dispose();
    }

    private readonly struct Visitor(List<byte[]> keys) : IKeyVisitor
    {
        public List<byte[]> Keys => keys;

        public bool SeesExpired => false;

        public void Visit(ReadOnlySpan<byte> key, in RecordInfo info) => keys.Add(key.ToArray());
    }
}
