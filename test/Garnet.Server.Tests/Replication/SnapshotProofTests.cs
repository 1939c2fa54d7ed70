// A replica keeps its data until a snapshot has proved that it can be loaded.
using System.Text;
using Garnet.Server.Replication;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Replication;

public sealed class SnapshotProofTests(ITestOutputHelper output) : IDisposable
{
    private const string Begin = "+FULLRESYNC " + ScriptedPrimary.Id + " 100\r\n";
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-proof-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("$0\r\n")]
    [InlineData("$5\r\nREDIS")]
    [InlineData("$9\r\nREDIS0011")]
    [InlineData("$9\r\nREDIS0099")]
    [InlineData("$10\r\nREDIS0011\u00ff")]
    [InlineData("$18\r\nREDIS0011\u00ff\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008")]
    [InlineData("$19\r\nREDIS0011\u00ff\0\0\0\0\0\0\0\0x")]
    [InlineData("$24\r\nREDIS0011\u00fa\u0001a\u0001b\u00f0\u00ff\0\0\0\0\0\0\0\0")]
    [InlineData("$100\r\nREDIS0011\u00ff\0\0\0\0\0\0\0\0")]
    [InlineData("$EOF:0123456789abcdef0123456789abcdef01234567\r\n0123456789abcdef0123456789abcdef01234567")]
    [InlineData("$EOF:0123456789abcdef0123456789abcdef01234567\r\nREDIS0011\u00ff")]
    [InlineData("-ERR no\r\n")]
    public async Task What_cannot_be_loaded_leaves_the_data_and_its_history(string payload)
    {
        await AssertKeptAsync(Begin + payload);
    }

    [Fact]
    public async Task A_library_that_does_not_compile_leaves_the_data()
    {
        const string library = "#!lua name=l\nthis is not Lua";
        string snapshot = $"REDIS0011\u00f5{(char)library.Length}{library}\u00ff" + new string('\0', 8);
        await AssertKeptAsync($"{Begin}${snapshot.Length}\r\n{snapshot}");
    }

    [Fact]
    public async Task A_snapshot_that_was_damaged_anywhere_leaves_the_data_or_is_loaded_as_a_whole()
    {
        int seed = TestSeed.ChooseAnew(output);
        Random random = new(seed);
        byte[] snapshot = Snapshot();
        for (int round = 0; round < FaultScale.Count(20, 5_000); round++)
        {
            byte[] damaged = [.. snapshot];
            damaged[random.Next(damaged.Length)] ^= (byte)(1 << random.Next(8));
            string text = Encoding.Latin1.GetString(random.Next(4) == 0 ? damaged[..random.Next(damaged.Length)] : damaged);
            ScriptedPrimary primary = new(ScriptedPrimary.Handshake + $"{Begin}${text.Length}\r\n{text}", 1 + random.Next(5000));
            using InProcessServer server = Start(primary);
            await primary.Ended.WaitAsync(TimeSpan.FromSeconds(60));
            bool isLoaded = server.Server.Replication.History.Id == ScriptedPrimary.Id;
            Assert.Equal(isLoaded ? ":500\r\n" : ":2\r\n", server.Call("DBSIZE"));
            Assert.Equal(isLoaded ? "$-1\r\n" : "$3\r\nold\r\n", server.Call("GET", "a"));
        }
    }

    [Fact]
    public async Task A_good_one_replaces_the_data()
    {
        string text = Encoding.Latin1.GetString(Snapshot());
        ScriptedPrimary primary = new(ScriptedPrimary.Handshake + $"{Begin}${text.Length}\r\n{text}");
        using InProcessServer server = Start(primary);
        await primary.Ended.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal(":500\r\n", server.Call("DBSIZE"));
        Assert.Equal("*2\r\n$1\r\n1\r\n$1\r\n2\r\n", server.Call("LRANGE", "list", "0", "-1"));
        Assert.Equal("$-1\r\n", server.Call("GET", "a"));
        Assert.Equal(ScriptedPrimary.Id, server.Server.Replication.History.Id);
    }

    private async Task AssertKeptAsync(string answer)
    {
        ScriptedPrimary primary = new(ScriptedPrimary.Handshake + answer);
        using InProcessServer server = Start(primary);
        string id = server.Server.Replication.History.Id;
        await primary.Ended.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal("$3\r\nold\r\n", server.Call("GET", "a"));
        Assert.Equal(":2\r\n", server.Call("DBSIZE"));
        Assert.Equal(":1\r\n", server.Call("FCALL", "f", "0"));
        Assert.Equal(id, server.Server.Replication.History.Id);
        Assert.Null(server.Server.Persistence.Loading);
        Assert.Equal("+OK\r\n", server.Call("REPLICAOF", "NO", "ONE"));
        Assert.Equal("+OK\r\n", server.Call("SET", "a", "1"));
    }

    // A server with some data that follows the primary.
    private InProcessServer Start(IServerConnector primary)
    {
        InProcessServer server = new(options => options.Dir = _folder, connector: primary);
        server.Call("SET", "a", "old");
        server.Call("RPUSH", "b", "1");
        server.Call(
            "FUNCTION",
            "LOAD",
            "#!lua name=old\nredis.register_function{function_name='f', callback=function() return 1 end, flags={'no-writes'}}"
        );
        Assert.Equal("+OK\r\n", server.Call("REPLICAOF", "primary", "1"));
        return server;
    }

    private byte[] Snapshot()
    {
        using InProcessServer server = new(options => options.Dir = _folder);
        for (int i = 0; i < 499; i++)
            server.Call("SET", $"k{i}", new string('v', i));
        server.Call("RPUSH", "list", "1", "2");
        Assert.Equal("+OK\r\n", Commands.Later.Receive(Ask(server, "SAVE")));
        byte[] bytes = File.ReadAllBytes(Path.Combine(_folder, "dump.rdb"));
        File.Delete(Path.Combine(_folder, "dump.rdb"));
        return bytes;

        static InProcessClient Ask(InProcessServer server, string command)
        {
            server.Client.Send(InProcessClient.Request(command));
            return server.Client;
        }
    }
}
