// Command filters of modules: what they see, and what becomes of what they change.
using Garnet.Engine.Execution;
using Garnet.Server.Tests.Commands;
using Garnet.Server.Tests.Persistence;
using Garnet.Store;
using Xunit;

namespace Garnet.Server.Tests.Modules;

public sealed class CommandFilterTests
{
    public CommandFilterTests() => Filters.Seen.Clear();

    private static InProcessServer NewServer(Action<GarnetOptions>? configure = null) =>
        new(configure, recordEffects: true, extensions: ModuleServer.With(typeof(Filters)));

    private static List<string> Take(string filter)
    {
        List<string> seen = [.. Filters.Seen.Where(each => each.StartsWith(filter, StringComparison.Ordinal))];
        Filters.Seen.Clear();
        return seen;
    }

    [Fact]
    public void A_changed_request_is_executed_and_replicated_as_if_it_had_been_sent()
    {
        using InProcessServer server = NewServer();
        Assert.Equal("+OK\r\n", server.Call("FILTER", "SET", "k", "v"));
        Assert.Equal(["SET k v"], server.Effects.Take());
        Assert.Equal("*3\r\n$5\r\nfirst\r\n$1\r\nb\r\n$1\r\na\r\n", server.Call("FILTER", "become", "a", "b"));
        Assert.Equal("-ERR unknown command 'nosuch', with args beginning with: 'unknown' \r\n", server.Call("FILTER", "unknown"));
        server.Client.Send([.. InProcessClient.Request("FILTER", "GET", "k"), .. InProcessClient.Request("FILTER", "DEL", "k")]);
        Assert.Equal("$1\r\nv\r\n:1\r\n", server.Client.Receive());
    }

    [Fact]
    public void A_rejected_request_is_not_executed_and_aborts_a_transaction()
    {
        using InProcessServer server = NewServer();
        Assert.Equal("-NOTTODAY said the filter  +OK\r\n", server.Call("FILTER", "reject"));
        Assert.DoesNotContain(Take("all"), static seen => seen.Contains("reject", StringComparison.Ordinal));
        server.Call("MULTI");
        server.Call("SET", "k", "v");
        Assert.StartsWith("-NOTTODAY", server.Call("FILTER", "reject"), StringComparison.Ordinal);
        Assert.StartsWith("-EXECABORT", server.Call("EXEC"), StringComparison.Ordinal);
        Assert.Equal(":0\r\n", server.Call("EXISTS", "k"));
        Assert.Equal("-NOTTODAY said the filter  +OK\r\n", server.Call("EVAL", "return redis.pcall('FILTER', 'reject')", "0"));
        Assert.Equal("*2\r\n$5\r\nfirst\r\n$1\r\na\r\n", server.Call("EVAL", "return redis.call('FILTER', 'become', 'a')", "0"));
    }

    [Fact]
    public void A_filter_that_fails_lets_nothing_pass()
    {
        using InProcessServer server = NewServer(static options => options.ProtoMaxBulkLengthBytes = 1 << 20);
        Assert.Equal("-ERR InvalidDataException in a command filter of the module 'filters'\r\n", server.Call("FILTER", "throw"));
        Assert.Equal("-ERR ArgumentOutOfRangeException in a command filter of the module 'filters'\r\n", server.Call("FILTER", "only"));
        Assert.Contains("filters=3,", server.Call("INFO", "modules"), StringComparison.Ordinal);
        Assert.Contains("exceptions=2,", server.Call("INFO", "modules"), StringComparison.Ordinal);
        Assert.Equal("+PONG\r\n", server.Call("PING"));
    }

    [Fact]
    public void A_request_that_grows_beyond_the_limits_is_refused()
    {
        using InProcessServer server = NewServer(static options => options.ClientQueryBufferLimitBytes = 1 << 20);
        Assert.Equal("-ERR InvalidOperationException in a command filter of the module 'filters'\r\n", server.Call("FILTER", "long"));
    }

    [Fact]
    public void Filters_see_each_request_once_in_their_order()
    {
        using InProcessServer server = NewServer();
        server.Call("GET", "k");
        Assert.Equal(["own Client GET k", "all Client GET k"], Filters.Seen);
        Filters.Seen.Clear();
        server.Call("MULTI");
        server.Call("SET", "k", "v");
        server.Call("EXEC");
        Assert.Equal(["all Client MULTI", "all Client SET k v", "all Client EXEC"], Take("all"));

        // Executed again for the element that it waits for, which is no further request.
        InProcessClient waiter = server.Connect();
        waiter.Call("BLPOP", "list", "0");
        server.Call("RPUSH", "list", "a");
        Assert.Equal("*2\r\n$4\r\nlist\r\n$1\r\na\r\n", Later.Receive(waiter));
        Assert.Equal(["all Client BLPOP list 0", "all Client RPUSH list a"], Take("all"));
    }

    [Fact]
    public void A_request_that_waits_passes_the_filters_once()
    {
        using InProcessServer server = NewServer();
        InProcessClient paused = server.Connect();
        server.Call("CLIENT", "PAUSE", "10000", "WRITE");
        Filters.Seen.Clear();
        Assert.Equal("", paused.Call("FILTER", "SET", "k", "v"));
        Assert.Equal(["all Client SET k v"], Take("all"));
        server.Call("CLIENT", "UNPAUSE");
        Assert.Equal("+OK\r\n", Later.ReceiveUntilReady(paused));
        Assert.Equal(["all Client CLIENT UNPAUSE"], Take("all"));
        Assert.Equal("+PONG\r\n", paused.Call("PING"));
        Assert.Equal(["all Client PING"], Take("all"));
    }

    [Fact]
    public async Task A_request_that_is_put_off_when_it_was_to_run_alone_passes_the_filters_once()
    {
        using InProcessServer server = NewServer();
        Filters.Seen.Clear();
        using StoreSession inside = server.Store.OpenSession();
        inside.EnterBatch();
        Task<string> call = Task.Run(() => server.Call("FILTER", "FLUSHALL"));
        Eventually.True(() => server.Store.Epochs.IsBarred(inside));
        server.Server.Clients.Pause.Begin(long.MaxValue, onlyWrites: true, server.NowMs);
        inside.LeaveBatch();
        Assert.Equal("", await call);
        server.Server.Clients.Pause.Lift();
        Assert.Equal("+OK\r\n", Later.ReceiveUntilReady(server.Client));
        Assert.Equal(["all Client FLUSHALL"], Take("all"));
    }

    [Fact]
    public void Calls_of_scripts_and_modules_are_seen_unless_the_filter_leaves_them_out()
    {
        using InProcessServer server = NewServer();
        server.Call("EVAL", "return redis.call('GET', KEYS[1])", "1", "k");
        Assert.Contains("all Script GET k", Filters.Seen);
        Assert.DoesNotContain("own Script GET k", Filters.Seen);
        Filters.Seen.Clear();
        server.Call("FILTERS.CALL", "k");
        Assert.Equal(["own Client FILTERS.CALL k", "all Client FILTERS.CALL k", "all Module GET k"], Filters.Seen);
        Filters.Seen.Clear();
        server.Call("FILTERS.LATER");
        Eventually.True(static () => Filters.Seen.Contains("all Module GET later"));
        Assert.DoesNotContain("own Module GET later", Filters.Seen);
    }

    [Fact]
    public void Clients_that_have_not_logged_in_are_seen_and_remain_bound_by_the_rules()
    {
        using InProcessServer server = NewServer(static options => options.Password = "secret");
        Assert.StartsWith("-NOAUTH", server.Call("FILTER", "SET", "k", "v"), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", server.Call("FILTER", "AUTH", "secret"));
        Assert.Equal("+OK\r\n", server.Call("FILTER", "SET", "k", "v"));
        server.Call("ACL", "SETUSER", "default", "-get");
        Assert.StartsWith("-NOPERM", server.Call("FILTER", "GET", "k"), StringComparison.Ordinal);
    }

    [Fact]
    public void The_log_is_not_filtered_again()
    {
        using LoggedServer logged = new(extensions: ModuleServer.With(typeof(Filters)));
        Assert.Equal("+OK\r\n", logged.Call("FILTER", "SET", "k", "v"));
        Filters.Seen.Clear();
        logged.Restart();
        Assert.Empty(Take("all Client SET"));
        Assert.Equal("$1\r\nv\r\n", logged.Call("FILTER", "GET", "k"));
    }
}
