// Files and payloads exchanged with real servers. Each test has its own servers and folders.
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Interop;

public sealed class RdbInteropTests(ITestOutputHelper output) : IDisposable
{
    private const int Keys = 250;
    private static readonly string[] Debugging = ["--enable-debug-command", "yes"];
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-interop-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [PeerFact("redis-server")]
    public void A_file_of_Redis_round_trips_through_this_server() => Exchange("redis-server");

    [PeerFact("valkey-server", Optional = true)]
    public void A_file_of_Valkey_round_trips_through_this_server() => Exchange("valkey-server");

    [PeerFact("redis-server")]
    public void Payloads_of_Redis_round_trip_through_this_server() => Restore("redis-server");

    [PeerFact("valkey-server", Optional = true)]
    public void Payloads_of_Valkey_round_trip_through_this_server() => Restore("valkey-server");

    [PeerFact("valkey-server", Optional = true)]
    public void Expiries_of_fields_round_trip_through_this_server()
    {
        using var peer = PeerServer.Start("valkey-server", Debugging);
        using var server = TestServer.Start(options => options.Dir = _folder);
        using var theirs = RespExchange.Connect(peer.EndPoint);
        using RespExchange ours = server.Connect();
        theirs.ExecuteText("HSET", "k", "a", "1", "b", "2", "c", "3");
        Assert.Equal("*1\r\n:1\r\n", theirs.ExecuteText("HPEXPIREAT", "k", "4102444800123", "FIELDS", "1", "b"));
        Assert.Equal("+OK\r\n", Copy(theirs, ours, "k", "k"));
        Assert.Equal("+OK\r\n", ours.ExecuteText("SAVE"));
        using var second = PeerServer.Start("valkey-server", [.. Debugging, "--dir", _folder]);
        using var loaded = RespExchange.Connect(second.EndPoint);
        Assert.Equal("*3\r\n:-1\r\n:4102444800123\r\n:-1\r\n", loaded.ExecuteText("HPEXPIRETIME", "k", "FIELDS", "3", "a", "b", "c"));
        Assert.Equal(theirs.ExecuteText("DEBUG", "DIGEST"), loaded.ExecuteText("DEBUG", "DIGEST"));
    }

    // Equal digests over all databases mean equal keys, values and expiries.
    private void Exchange(string peer)
    {
        int seed = TestSeed.Choose(output, 1);
        using var source = PeerServer.Start(peer, [.. Debugging, "--dir", _folder]);
        using var theirs = RespExchange.Connect(source.EndPoint);
        var data = new PeerData(new Random(seed), theirs);
        data.Fill(Keys);
        theirs.ExecuteText("SELECT", "9");
        data.Fill(20);
        Assert.Equal("+OK\r\n", theirs.ExecuteText("SAVE"));

        using (var server = TestServer.Start(options => options.Dir = _folder))
        {
            using RespExchange ours = server.Connect();
            WaitUntilLoaded(ours);
            Assert.Equal($":{Keys}\r\n", ours.ExecuteText("DBSIZE"));
            Assert.Equal("+OK\r\n", ours.ExecuteText("CONFIG", "SET", "rdbcompression", seed % 2 == 0 ? "yes" : "no"));
            Assert.Equal("+OK\r\n", ours.ExecuteText("SAVE"));
        }

        using var target = PeerServer.Start(peer, [.. Debugging, "--dir", _folder]);
        using var loaded = RespExchange.Connect(target.EndPoint);
        Assert.Equal($":{Keys}\r\n", loaded.ExecuteText("DBSIZE"));
        Assert.Equal(theirs.ExecuteText("DEBUG", "DIGEST"), loaded.ExecuteText("DEBUG", "DIGEST"));
    }

    private void Restore(string peer)
    {
        int seed = TestSeed.Choose(output, 2);
        using var reference = PeerServer.Start(peer, Debugging);
        using var server = TestServer.Start(options => options.Dir = _folder);
        using var theirs = RespExchange.Connect(reference.EndPoint);
        using RespExchange ours = server.Connect();
        new PeerData(new Random(seed), theirs).Fill(Keys);
        for (int i = 0; i < Keys; i++)
        {
            theirs.ExecuteText("PERSIST", $"k{i}");
            Assert.Equal("+OK\r\n", Copy(theirs, ours, $"k{i}", $"k{i}"));
            Assert.Equal(theirs.ExecuteText("TYPE", $"k{i}"), ours.ExecuteText("TYPE", $"k{i}"));
            Assert.Equal("+OK\r\n", Copy(ours, theirs, $"k{i}", $"copy{i}"));
            string digests = theirs.ExecuteText("DEBUG", "DIGEST-VALUE", $"k{i}", $"copy{i}");
            string[] both = digests.Split("\r\n", StringSplitOptions.RemoveEmptyEntries)[1..];
            Assert.True(
                both[0] == both[1],
                $"k{i} differs, a {theirs.ExecuteText("TYPE", $"k{i}")} of {theirs.ExecuteText("DUMP", $"k{i}").Length} bytes."
            );
        }
    }

    private static string Copy(RespExchange from, RespExchange to, string key, string target)
    {
        byte[] reply = from.Execute("DUMP", key)!;
        int start = reply.AsSpan().IndexOf("\r\n"u8) + 2;
        return Encoding.Latin1.GetString(
            to.Execute([Encoding.ASCII.GetBytes("RESTORE"), Encoding.ASCII.GetBytes(target), [(byte)'0'], reply[start..^2]])!
        );
    }

    private static void WaitUntilLoaded(RespExchange client)
    {
        DateTime deadline = DateTime.UtcNow.AddMinutes(2);
        while (client.ExecuteText("PING").StartsWith("-LOADING", StringComparison.Ordinal))
        {
            Assert.True(DateTime.UtcNow < deadline, "The data is not loaded.");
            Thread.Sleep(10);
        }
    }
}
