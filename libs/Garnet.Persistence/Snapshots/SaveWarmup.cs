// Saves a small store to nowhere, so that the code for saving is compiled before it is needed. Runs once per process, on its own thread.
using System.Text;
using Garnet.Persistence.Files;
using Garnet.Store;

namespace Garnet.Persistence.Snapshots;

/// <summary>
/// The runtime recompiles frequently called code with better optimisation while it runs. Without the warm-up this falls into the first
/// seconds of the first save, for the writers' code too: with 2 busy processors it took 0.2 s of the first second's 2 s of processor time,
/// and that second kept 66 % of its throughput.
/// </summary>
internal static class SaveWarmup
{
    // Nothing is written there. It is not relative: the working directory may be gone.
    private static readonly string Imagined = Path.Combine(AppContext.BaseDirectory, "rehearsal");

    private const int Keys = 2000;
    private const int ValueBytes = 500;

    // The runtime counts calls only after no new method has been called for a tenth of a second, and compiles in two steps.
    private const int Rounds = 8;
    private const int PauseMs = 150;
    private static int s_hasRun;

    /// <summary>Starts the warm-up, unless it has run in this process.</summary>
    public static void Start()
    {
        if (Interlocked.Exchange(ref s_hasRun, 1) == 0)
            new Thread(Run) { IsBackground = true, Name = "garnet-rehearsal" }.Start();
    }

    private static void Run()
    {
        using var store = new HybridLogStore(new StoreOptions { PageSizeBits = 16, Databases = 1 }, TimeProvider.System);
        using StoreSession session = store.OpenSession();
        using var saver = new BackgroundSaver(store, new NullDisk(), TimeProvider.System, static () => 0);
        byte[][] keys = [.. Enumerable.Range(0, Keys).Select(static i => Encoding.ASCII.GetBytes($"key:{i}"))];
        byte[] value = new byte[ValueBytes];
        Set(session, keys, value);
        for (int round = 0; round < Rounds; round++)
        {
            if (saver.TryStart(session, new SaveRequest { Path = Imagined }, out Task<SaveOutcome> done))
            {
                // Half of the keys reach the snapshot through the writer, half through the walk.
                Set(session, keys.AsSpan(0, Keys / 2), value);
                done.Wait();
            }

            Thread.Sleep(PauseMs);
        }
    }

    private static void Set(StoreSession session, ReadOnlySpan<byte[]> keys, byte[] value)
    {
        session.EnterBatch();
        foreach (byte[] key in keys)
        {
            _ = session.Store.Snapshots.MustWait(0);
            session.Open(key, session.Hash(key)).Set(value);
            session.EndCommand();
        }

        session.LeaveBatch();
    }
}
