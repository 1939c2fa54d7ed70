// A module that is loaded, used and unloaded again and again leaves nothing in the process. The built command; a folder of its own.
using System.Diagnostics;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class ModuleRoundsTests(ITestOutputHelper output)
{
    private const int WarmUpRounds = 10;
    private const long MaxGrowthBytes = 1 << 20;
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(60);

    // With timers, waiting clients and keys: what a module can leave behind.
    [LinuxFact]
    public void Memory_threads_and_handles_are_as_before()
    {
        string configuration = Path.GetFileName(Path.GetDirectoryName(AppContext.BaseDirectory.TrimEnd('/')))!;
        string module = RepositoryRoot.Combine(
            "samples",
            "Garnet.DelayedQueue",
            "bin",
            configuration,
            "net10.0",
            "Garnet.DelayedQueue.dll"
        );
        // A fixed number of I/O threads: one that is added meanwhile has two handles.
        using var server = GarnetProcess.StartManaged("--enable-module-command", "local", "--save", "", "--io-threads", "1");
        using RespExchange client = server.Connect();
        using RespExchange waiter = server.Connect();
        for (int i = 0; i < WarmUpRounds; i++)
            LoadUseUnload(client, waiter, module);
        long heap = client.ManagedHeapBytes();
        int threads = Threads(server);
        string[] handles = Handles(server, module);
        int rounds = FaultScale.Count(30, 1000);
        for (int i = 0; i < rounds; i++)
            LoadUseUnload(client, waiter, module);
        Assert.DoesNotContain("xception", server.Output, StringComparison.Ordinal);

        long start = Stopwatch.GetTimestamp();
        while (
            client.ManagedHeapBytes() - heap > MaxGrowthBytes
            || Threads(server) > threads
            || Handles(server, module).Length > handles.Length
        )
        {
            Assert.True(
                Stopwatch.GetElapsedTime(start) < Longest,
                $"{rounds} rounds: {client.ManagedHeapBytes() - heap} bytes, {Threads(server) - threads} threads more; "
                    + $"handles: {string.Join(' ', Handles(server, module))}; before: {string.Join(' ', handles)}"
            );
            Thread.Sleep(100);
        }

        output.WriteLine(
            $"{rounds} rounds: {client.ManagedHeapBytes() - heap} bytes more on the managed heap, resident {ProcessReadings.ResidentBytes(server.Id)}"
        );
    }

    private static void LoadUseUnload(RespExchange client, RespExchange waiter, string module)
    {
        Assert.Equal("+OK\r\n", client.ExecuteText("MODULE", "LOAD", module));
        Assert.Equal(":1\r\n", client.ExecuteText("DELAY.ADD", "queue", "20", "item"));
        waiter.Send(RespExchange.Encode([.. ((string[])["DELAY.TAKE", "queue", "0"]).Select(Encoding.ASCII.GetBytes)]));
        Assert.Equal("$4\r\nitem\r\n", Encoding.ASCII.GetString(waiter.ReadReply()!));
        Assert.Equal("+OK\r\n", client.ExecuteText("MODULE", "UNLOAD", "delay"));
    }

    private static int Threads(GarnetProcess server) => Directory.GetDirectories($"/proc/{server.Id}/task").Length;

    // The runtime keeps its own assemblies open from their first use on, which may be at any time.
    private static string[] Handles(GarnetProcess server, string module) =>
        [
            .. Directory
                .GetFileSystemEntries($"/proc/{server.Id}/fd")
                .Select(static handle => new FileInfo(handle).LinkTarget ?? "")
                .Where(target => target == module || !target.EndsWith(".dll", StringComparison.Ordinal)),
        ];
}
