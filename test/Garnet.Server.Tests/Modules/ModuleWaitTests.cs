// Commands of modules that wait for keys and for tasks. Each test has its own server.
using Garnet.Modules.Running;
using Garnet.Server.Composition;
using Garnet.Server.Tests.Commands;
using Xunit;

namespace Garnet.Server.Tests.Modules;

public sealed class ModuleWaitTests
{
    private static InProcessServer NewServer() => new(recordEffects: true, extensions: ModuleServer.With(typeof(Waiters)));

    [Fact]
    public void Clients_that_wait_for_a_key_are_served_in_their_order()
    {
        using InProcessServer server = NewServer();
        InProcessClient[] waiters = [server.Connect(), server.Connect()];
        foreach (InProcessClient waiter in waiters)
            Assert.Equal("", waiter.Call("WAIT.TAKE", "k", "0"));
        Assert.Equal(":3\r\n", server.Call("RPUSH", "k", "a", "b", "c"));
        Assert.Equal("$1\r\na\r\n", Later.Receive(waiters[0]));
        Assert.Equal("$1\r\nb\r\n", Later.Receive(waiters[1]));
        Assert.Equal("$1\r\nc\r\n", server.Call("WAIT.TAKE", "k", "0"));
        Assert.Equal(
            ["RPUSH k a b c", "WAIT.TAKE k 0", "WAIT.TAKE k 0", "WAIT.TAKE k 0"],
            server
                .Effects.Take()
                .Where(static effect =>
                    !effect.StartsWith("RPUSH events", StringComparison.Ordinal)
                    && !effect.StartsWith("RPUSH changes", StringComparison.Ordinal)
                )
        );
    }

    [Fact]
    public void A_wait_for_a_key_ends_with_its_time_by_command_and_with_the_connection()
    {
        using InProcessServer server = NewServer();
        InProcessClient waiter = server.Connect();
        waiter.Call("WAIT.TAKE", "k", "1000");
        server.Clock.Advance(TimeSpan.FromSeconds(1.5));
        Assert.Equal("*-1\r\n", Later.ReceiveUntilReady(waiter));
        waiter.Call("WAIT.TAKE", "k", "0");
        Assert.Equal(":1\r\n", server.Call("CLIENT", "UNBLOCK", $"{waiter.Session.Id}", "ERROR"));
        Assert.StartsWith("-UNBLOCKED", Later.ReceiveUntilReady(waiter), StringComparison.Ordinal);
        waiter.Call("WAIT.TAKE", "k", "0");
        waiter.Dispose();
        server.Call("RPUSH", "k", "a");
        Assert.Equal("$1\r\na\r\n", server.Call("WAIT.TAKE", "k", "0"));
    }

    [Fact]
    public void Nothing_waits_inside_a_transaction_or_script()
    {
        using InProcessServer server = NewServer();
        server.Call("MULTI");
        server.Call("WAIT.TAKE", "k", "0");
        server.Call("WAIT.TASK", "t", "0");
        Assert.Equal("*2\r\n$-1\r\n$-1\r\n", server.Call("EXEC"));
        Assert.Equal("$-1\r\n", server.Call("EVAL", "return redis.call('WAIT.TAKE', KEYS[1], '0')", "1", "k"));
    }

    [Fact]
    public void A_task_replies_when_it_has_a_result()
    {
        using InProcessServer server = NewServer();
        InProcessClient waiter = server.Connect();
        Assert.Equal("", waiter.Call("WAIT.TASK", "t", "0"));
        Assert.Equal(":1\r\n", server.Call("WAIT.DONE", "t", "value"));
        Assert.Equal("$5\r\nvalue\r\n", Later.ReceiveUntilReady(waiter));
        Assert.Equal(":0\r\n", server.Call("WAIT.DONE", "t", "value"));
        Assert.Equal("+PONG\r\n", waiter.Call("PING"));
    }

    [Fact]
    public void A_task_is_told_that_its_client_waits_no_longer()
    {
        using InProcessServer server = NewServer();
        InProcessClient waiter = server.Connect();
        waiter.Call("WAIT.TASK", "t", "1000");
        server.Clock.Advance(TimeSpan.FromSeconds(1.5));
        Assert.Equal("$-1\r\n", Later.ReceiveUntilReady(waiter));
        Eventually.True(() => server.Call("WAIT.COUNT") == ":0\r\n");
        waiter.Call("WAIT.TASK", "t", "0");
        Assert.Equal(":1\r\n", server.Call("CLIENT", "UNBLOCK", $"{waiter.Session.Id}", "ERROR"));
        Assert.StartsWith("-UNBLOCKED", Later.ReceiveUntilReady(waiter), StringComparison.Ordinal);
        waiter.Call("WAIT.TASK", "t", "0");
        waiter.Dispose();
        Eventually.True(() => server.Call("WAIT.COUNT") == ":0\r\n" && server.Server.Modules.All[0].Waiting == 0);
    }

    [Fact]
    public void A_wait_that_is_not_declared_or_too_late_is_an_error()
    {
        using InProcessServer server = NewServer();
        Assert.StartsWith(
            "-ERR InvalidOperationException in command 'wait.undeclared': The command 'wait.undeclared' does not have the flag Blocking.",
            server.Call("WAIT.UNDECLARED"),
            StringComparison.Ordinal
        );
        Assert.Equal("+OK\r\n", server.Call("WAIT.AFTER"));
        Assert.Contains("exceptions=2,", server.Call("INFO", "modules"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_module_is_not_unloaded_while_clients_wait_for_it()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-modules-").FullName;
        try
        {
            using InProcessServer server = new(
                static options => options.EnableModuleCommand = CommandAccess.Yes,
                extensions: new ServerExtensions { ModuleFormat = AssemblyModules.Instance }
            );
            string path = Path.Combine(folder, "Garnet.BadModule.dll");
            File.Copy(typeof(BadModule.BadModule).Assembly.Location, path);
            Assert.Equal("+OK\r\n", server.Call("MODULE", "LOAD", path));
            InProcessClient waiter = server.Connect();
            waiter.Call("BAD.WAIT", "0");
            Assert.Equal(
                "-ERR Error unloading module: clients wait for the module's commands. End their wait before unloading\r\n",
                server.Call("MODULE", "UNLOAD", "bad")
            );
            Assert.Equal(":1\r\n", server.Call("CLIENT", "UNBLOCK", $"{waiter.Session.Id}"));
            Assert.Equal("$-1\r\n", Later.ReceiveUntilReady(waiter));
            Assert.Equal("+OK\r\n", server.Call("MODULE", "UNLOAD", "bad"));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
