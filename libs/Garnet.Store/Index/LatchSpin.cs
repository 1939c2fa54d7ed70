// How a thread waits for a latch, and for what is held as shortly. Any thread.
using Garnet.Store.Epochs;

namespace Garnet.Store.Index;

/// <summary>Latches are held for microseconds, unless their holder is not running.</summary>
internal static class LatchSpin
{
    /// <summary>Waits briefly: spins first, then yields to other threads (the holder may share this core).</summary>
    public static void Pause(ref int spins)
    {
        if (++spins < 16)
        {
            Thread.SpinWait(spins);
            return;
        }

        WaitProbe.Report();
        if (spins < 64)
            Thread.Yield();
        else
            Thread.Sleep(spins < 256 ? 0 : 1);
    }
}
