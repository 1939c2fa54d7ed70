// A log that is synced each second, and ends with a kill or a power failure: what remains is a prefix that contains everything known to be
// on disk. Each test has its own folder.
using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class EverySecondTests(ITestOutputHelper output) : IDisposable
{
    private static readonly string[] Logged = ["--appendonly", "yes", "--appendfsync", "everysec"];
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-second-").FullName;
    private readonly List<long> _acknowledged = [];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    // How much is lost is reported, not asserted: the disk may be slow.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_log_is_a_prefix_with_all_acknowledged_writes(bool cutsPower)
    {
        Random random = new(TestSeed.Choose(output, cutsPower ? 86 : 85));
        string armed = Path.Combine(_folder, "armed");
        double most = 0;
        int rounds = FaultScale.Count(2, 100);
        for (int round = 0; round < rounds; round++)
        {
            _acknowledged.Clear();
            int seed = random.Next();
            long ended;
            using (GarnetProcess server = GarnetProcess.StartCrashing(_folder, "write old log 0", cutsPower, seed, Logged)!)
            {
                int waitedFor = Push(server, random.Next(300, 1500));
                File.WriteAllText(armed, "");
                Push(server, int.MaxValue);
                ended = Stopwatch.GetTimestamp();
                // Its connections end before its locks do.
                server.WaitForExit(Patience);
                File.Delete(armed);
                using var again = GarnetProcess.StartIn(_folder, Logged);
                int left = CheckPrefix(again, waitedFor, seed);
                most = Math.Max(
                    most,
                    left < _acknowledged.Count ? Stopwatch.GetElapsedTime(_acknowledged[left], ended).TotalMilliseconds : 0
                );
            }
        }

        output.WriteLine($"{rounds} ends; the oldest write lost had been acknowledged {most:F0} ms before");
    }

    // Pushes numbers for a time and waits until they are on disk, or until the server ends; returns their number.
    private int Push(GarnetProcess server, int milliseconds)
    {
        try
        {
            using RespExchange client = server.Connect();
            long start = Stopwatch.GetTimestamp();
            while (Stopwatch.GetElapsedTime(start).TotalMilliseconds < milliseconds)
            {
                if (client.Execute("RPUSH", "numbers", _acknowledged.Count.ToString(CultureInfo.InvariantCulture)) is null)
                    return _acknowledged.Count;
                _acknowledged.Add(Stopwatch.GetTimestamp());
            }

            Assert.Equal("*2\r\n:1\r\n:0\r\n", client.ExecuteText("WAITAOF", "1", "0", "0"));
        }
        catch (Exception e) when (milliseconds == int.MaxValue && e is IOException or SocketException)
        {
            // The server ended.
        }

        return _acknowledged.Count;
    }

    private int CheckPrefix(GarnetProcess server, int least, int seed)
    {
        using RespExchange client = server.Connect();
        string[] numbers = [.. client.ExecuteText("LRANGE", "numbers", "0", "-1").Split("\r\n").Skip(1).Where(static (_, i) => i % 2 == 1)];
        Assert.True(
            numbers.Length >= least && numbers.Length <= _acknowledged.Count + 1,
            $"seed {seed}: {numbers.Length} are left, {least} were on disk, {_acknowledged.Count} were acknowledged"
        );
        for (int i = 0; i < numbers.Length; i++)
            Assert.Equal(i.ToString(CultureInfo.InvariantCulture), numbers[i]);
        Assert.StartsWith(":", client.ExecuteText("DEL", "numbers"), StringComparison.Ordinal);
        Assert.Equal("*2\r\n:1\r\n:0\r\n", client.ExecuteText("WAITAOF", "1", "0", "0"));
        return numbers.Length;
    }
}
