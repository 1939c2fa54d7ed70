// Tells a test that a thread waits for another one inside the store. Each thread sets its own.
namespace Garnet.Store.Epochs;

/// <summary>
/// Tests that walk through the interleavings of threads have to know when one of them cannot go on. Nothing but waits pays for it.
/// </summary>
internal static class WaitProbe
{
    [ThreadStatic]
    private static Action? t_onWait;

    /// <summary>Called on this thread whenever it waits for a latch or for the barrier.</summary>
    public static Action? OnWait
    {
        get => t_onWait;
        set => t_onWait = value;
    }

    /// <summary>The calling thread waits.</summary>
    public static void Report() => t_onWait?.Invoke();
}
