// Prepares the process of these tests before the first one.
using System.Runtime.CompilerServices;

namespace Garnet.EndToEnd.Tests;

internal static class TestProcess
{
    // Tests block threads of the pool, as clients that wait for replies. Servers in the same process need others at once, for handshakes,
    // replication and timers; the pool would add two a second.
    private const int PoolThreads = 48;

    [ModuleInitializer]
    internal static void Prepare()
    {
        ThreadPool.GetMinThreads(out _, out int minIO);
        ThreadPool.SetMinThreads(PoolThreads, minIO);
    }
}
