// Large strings that a snapshot still has to write, while part of them is changed: copied outside of latches, once. Each test has its own
// server.
using Garnet.Persistence.Rdb;
using Garnet.Persistence.Snapshots;
using Garnet.Store.Records;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Persistence;

public sealed class SharedBlockTests
{
    private const int Bytes = 9_000_000;
    private const string Path = "/data/dump.rdb";
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    [Theory]
    [InlineData("SETRANGE", "k", "4000000", "changed")]
    [InlineData("APPEND", "k", "changed")]
    [InlineData("SETBIT", "k", "40000001", "0")]
    [InlineData("BITFIELD", "k", "SET", "u8", "3000", "77")]
    public void The_snapshot_has_the_old_string_and_the_client_changes_a_copy(params string[] command)
    {
        FaultyDisk disk = new() { MaxPerWrite = 1 << 20 };
        using ManualResetEventSlim goOn = new();
        disk.Fail = (_, step) =>
        {
            if (step == "create")
                goOn.Wait(Patience);
            return null;
        };
        using InProcessServer server = new(options => options.Dir = "/data", recordEffects: true, disk: disk);
        string old = new('o', Bytes);
        try
        {
            server.Call("SET", "k", old);
            using InProcessClient watcher = server.Connect();
            Assert.Equal("+Background saving started\r\n", server.Call("BGSAVE"));
            Assert.Equal("+OK\r\n", watcher.Call("WATCH", "k"));
            server.Effects.Take();

            // Replacing the string by its copy is not a change of the key: observers are notified only of the command itself.
            SharedBlocks.Copy(server.Store, 0, "k"u8);
            Assert.Empty(server.Effects.Take());
            Assert.Equal("+OK\r\n+QUEUED\r\n*1\r\n+PONG\r\n", watcher.Call("MULTI") + watcher.Call("PING") + watcher.Call("EXEC"));
            string reply = Await(server.Client, command);
            Assert.DoesNotContain("-", reply, StringComparison.Ordinal);
            Assert.Single(server.Effects.Take());
        }
        finally
        {
            goOn.Set();
        }

        Assert.True(SpinWait.SpinUntil(() => server.Server.Persistence.Snapshots.LastOutcome is not null, Patience));
        Assert.Equal(SaveResult.Success, server.Server.Persistence.Snapshots.LastOutcome!.Result);
        // The first client's session may still be on its way back from the copying thread to its reader.
        using InProcessClient reader = server.Connect();
        string young = reader.Call("GET", "k").Split("\r\n")[1];
        using InProcessServer loaded = new();
        loaded.Call("SET", "k", old);
        loaded.Call(command);
        Assert.Equal(loaded.Call("GET", "k").Split("\r\n")[1], young);
        loaded.Call("FLUSHALL");
        new RdbLoader(loaded.Store, new RdbLoadOptions()).Load(new MemoryStream(disk.Read(Path)!));
        Assert.Equal(old, loaded.Call("GET", "k").Split("\r\n")[1]);
    }

    [Fact]
    public void Only_the_client_whose_command_needs_the_copy_waits_for_it()
    {
        using InProcessServer server = new();
        server.Call("SET", "k", new string('o', Bytes));
        server.Call("COPY", "k", "other");
        Assert.Equal(":9000000\r\n", Await(server.Client, "SETRANGE", "k", "0", "n"));

        // The first client's session may still be on its way back from the copying thread to its reader.
        using InProcessClient another = server.Connect();
        Assert.Equal("$1\r\nn\r\n", another.Call("GETRANGE", "k", "0", "0"));
        Assert.Equal("$1\r\no\r\n", another.Call("GETRANGE", "other", "0", "0"));

        // Each string has its own block now, so the next change is made at once.
        Assert.Equal(":9000000\r\n", another.Call("SETRANGE", "other", "1", "n"));
    }

    private static string Await(InProcessClient client, string[] command)
    {
        client.Send(InProcessClient.Request(command));
        return LoggedServer.Await(client);
    }

    private static string Await(InProcessClient client, string name, params string[] arguments) => Await(client, [name, .. arguments]);
}
