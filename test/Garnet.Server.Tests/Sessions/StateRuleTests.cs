// What the server's state forbids, it forbids to queued commands and to scripts as well. A test that needs a second thread says so.
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Basics;
using Garnet.Server.Tests.Commands;
using Garnet.Server.Tests.Modules;
using Garnet.Store;
using Xunit;

namespace Garnet.Server.Tests.Sessions;

public sealed class StateRuleTests
{
    private const string PrimaryDown = "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.";
    private const string Loading = "LOADING Garnet is loading the dataset in memory";
    private const string ReadOnly = "READONLY You can't write against a read only replica.";
    private const string NoReplicas = "NOREPLICAS Not enough good replicas to write.";

    // These end a connection or the process, change the state under test, or send more than one reply.
    private static readonly string[] Excluded =
    [
        "shutdown",
        "debug",
        "quit",
        "reset",
        "replicaof",
        "slaveof",
        "failover",
        "monitor",
        "sync",
        "psync",
        "config",
        "client",
        "module",
        "auth",
        "hello",
        "subscribe",
        "psubscribe",
        "ssubscribe",
        "unsubscribe",
        "punsubscribe",
        "sunsubscribe",
    ];

    [Theory]
    [InlineData(PrimaryDown)]
    [InlineData(Loading)]
    [InlineData(ReadOnly)]
    [InlineData(NoReplicas)]
    public void EXEC_is_refused_for_what_any_queued_command_would_be_refused_for(string error)
    {
        using InProcessServer server = new();
        List<string> refused = [];
        List<string> allowed = [];
        foreach (Command command in CommandsForTransactions(server))
        {
            string[] request = Request(command);
            server.Call("MULTI");
            string queued = server.Call(request);
            Assert.True(queued == "+QUEUED\r\n", command.FullName);
            Enter(server, error);
            string exec = server.Call("EXEC");
            // It may block.
            using InProcessClient other = new(server.Server, 2);
            string alone = other.Call(request);
            Leave(server);
            bool isRefused = alone == $"-{error}\r\n";
            (isRefused ? refused : allowed).Add(command.FullName);
            Assert.True(
                exec.StartsWith($"-EXECABORT Transaction discarded because of: {error}", StringComparison.Ordinal) == isRefused,
                $"{command.FullName}: alone {alone.Trim()}, EXEC {exec.Trim()}"
            );
            Assert.Equal("-ERR EXEC without MULTI\r\n", isRefused ? server.Call("EXEC") : "-ERR EXEC without MULTI\r\n");
        }

        Assert.True(refused.Count > 50 && allowed.Count > 20, $"{refused.Count} refused, {allowed.Count} allowed");
    }

    [Fact]
    public void Commands_are_not_queued_while_the_state_forbids_them()
    {
        using InProcessServer server = new();
        server.Call("MULTI");
        Enter(server, Loading);
        Assert.Equal($"-{Loading}\r\n", server.Call("GET", "a"));
        Leave(server);
        Assert.Equal("-EXECABORT Transaction discarded because of previous errors.\r\n", server.Call("EXEC"));
    }

    [Theory]
    [InlineData("EVAL", "return 1")]
    [InlineData("EVAL_RO", "return 1")]
    [InlineData("EVAL", "#!lua flags=no-writes\nreturn 1")]
    public void A_script_that_does_not_allow_stale_data_is_refused_even_if_it_calls_nothing(string command, string script)
    {
        using InProcessServer server = new();
        server.Call("CONFIG", "SET", "replica-serve-stale-data", "no");
        server.Call("REPLICAOF", "127.0.0.1", "1");
        Assert.StartsWith("-MASTERDOWN ", server.Call(command, script, "0"), StringComparison.Ordinal);
        Assert.Equal(":1\r\n", server.Call("EVAL", "#!lua flags=allow-stale,no-writes\nreturn 1", "0"));
        server.Call("REPLICAOF", "NO", "ONE");
        Assert.Equal(":1\r\n", server.Call(command, script, "0"));
    }

    [Fact]
    public void A_queued_script_without_declarations_is_refused_in_its_place()
    {
        using InProcessServer server = new();
        InProcessClient second = server.Connect();
        second.Call("CONFIG", "SET", "replica-serve-stale-data", "no");
        server.Call("MULTI");
        server.Call("EVAL", "return 1", "0");
        second.Call("REPLICAOF", "127.0.0.1", "1");
        Assert.Equal($"*1\r\n-{PrimaryDown}\r\n", server.Call("EXEC"));
        server.Call("MULTI");
        Assert.StartsWith("-MASTERDOWN", server.Call("EVAL", "#!lua flags=no-writes\nreturn 1", "0"), StringComparison.Ordinal);
    }

    // With their replies.
    private static readonly Dictionary<string, string> Alone = new()
    {
        ["FLUSHALL"] = Replies.Ok,
        ["FLUSHDB"] = Replies.Ok,
        ["SWAPDB 0 1"] = Replies.Ok,
        ["EXEC"] = "*2\r\n+OK\r\n+OK\r\n",
        ["FUNCTION LOAD #!lua~name=l2\nserver.register_function('g',function()end)"] = "$2\r\nl2\r\n",
        ["FUNCTION FLUSH"] = Replies.Ok,
        ["EVAL server.call('set','k',server.call('get','x'..'y')~or~'2') 0"] = "$-1\r\n",
        ["FCALL f 0"] = Replies.Ok,
        ["SORT list BY w* STORE sorted"] = ":1\r\n",
    };

    public static TheoryData<string> RunAlone() => [.. Alone.Keys];

    // One thread stays in a batch, so that the command of a second one waits at the barrier while the state changes.
    [Theory]
    [MemberData(nameof(RunAlone))]
    public async Task A_command_that_waited_to_run_alone_is_refused_if_the_server_has_become_a_replica(string command)
    {
        using InProcessServer server = new(options => options.ReplicaOf = "127.0.0.1 1");
        string reply = await CallAtBarrier(server, command, () => server.Server.Roles.Prepare());
        Assert.Contains("READONLY", reply, StringComparison.Ordinal);
        Assert.Equal(1, reply.Count('\n'));
        AssertUnchanged(server);
    }

    [Theory]
    [MemberData(nameof(RunAlone))]
    public async Task A_command_that_waited_to_run_alone_is_refused_if_data_is_being_loaded(string command)
    {
        using InProcessServer server = new();
        string reply = await CallAtBarrier(server, command, () => server.Server.Persistence.Loading = new LoadingStatus(1));
        server.Server.Persistence.Loading = null;
        Assert.Contains("LOADING", reply, StringComparison.Ordinal);
        Assert.Equal(1, reply.Count('\n'));
        AssertUnchanged(server);
    }

    [Theory]
    [MemberData(nameof(RunAlone))]
    public async Task A_command_that_waited_to_run_alone_is_refused_if_its_user_has_lost_the_right(string command)
    {
        using InProcessServer server = new();
        string reply = await CallAtBarrier(server, command, () => server.Server.Users.Set("default", ["-@all", "+get", "+function|list"]));
        server.Server.Users.Set("default", ["+@all"]);
        Assert.Contains("NOPERM", reply, StringComparison.Ordinal);
        Assert.Equal(1, reply.Count('\n'));
        AssertUnchanged(server);
    }

    [Fact]
    public async Task EXEC_that_waited_to_run_alone_refuses_a_command_whose_right_was_lost()
    {
        using InProcessServer server = new();
        string reply = await CallAtBarrier(server, "EXEC", () => server.Server.Users.Set("default", ["-flushdb"]));
        Assert.Contains("-NOPERM", reply, StringComparison.Ordinal);
        Assert.Equal(Replies.Bulk("2"), server.Call("GET", "k"));
    }

    [Theory]
    [MemberData(nameof(RunAlone))]
    public async Task A_command_that_waited_to_run_alone_waits_on_if_clients_have_been_paused(string command)
    {
        using InProcessServer server = new();
        ClientPause pause = server.Server.Clients.Pause;
        long changes = -1;
        Task<string> call = CallAtBarrier(
            server,
            command,
            () =>
            {
                changes = server.Store.Statistics.Changes;
                pause.Begin(long.MaxValue, onlyWrites: false, server.NowMs);
            }
        );
        // It has given the barrier up, and the session waits.
        Eventually.True(() => server.Client.Session.Wait.IsHeldBack);
        Assert.Equal(changes, server.Store.Statistics.Changes);
        Assert.Equal("", await call);
        pause.Lift();
        Assert.Equal(Alone[command], AwaitReply(server.Client));
    }

    [Fact]
    public async Task A_script_that_was_put_off_and_then_had_no_monitor_does_not_hide_the_next()
    {
        using InProcessServer server = new();
        InProcessClient monitor = server.Connect();
        monitor.Call("MONITOR");
        ClientPause pause = server.Server.Clients.Pause;
        Task<string> call = CallAtBarrier(server, "FCALL f 0", () => pause.Begin(long.MaxValue, onlyWrites: true, server.NowMs));
        Eventually.True(() => server.Client.Session.Wait.IsHeldBack);
        await call;
        // No write, so the pause does not put it off.
        Assert.EndsWith("+RESET\r\n", monitor.Call("RESET"), StringComparison.Ordinal);
        pause.Lift();
        AwaitReply(server.Client);
        monitor.Call("MONITOR");
        server.Call("FCALL", "f", "0");
        Assert.Contains("\"FCALL\"", AwaitReply(monitor), StringComparison.Ordinal);
    }

    [Fact]
    public async Task CLIENT_CACHING_applies_to_a_transaction_that_was_put_off()
    {
        using InProcessServer server = new();
        InProcessClient reader = server.Connect(3);
        reader.Call("CLIENT", "TRACKING", "ON", "OPTIN");
        reader.Call("CLIENT", "CACHING", "YES");
        reader.Call("MULTI");
        reader.Call("SWAPDB", "0", "0");
        reader.Call("GET", "k");
        ClientPause pause = server.Server.Clients.Pause;
        Task<string> call = CallAtBarrier(server, reader, "EXEC", () => pause.Begin(long.MaxValue, onlyWrites: false, server.NowMs));
        Eventually.True(() => reader.Session.Wait.IsHeldBack);
        await call;
        pause.Lift();
        AwaitReply(reader);
        server.Call("SET", "k", "2");
        Assert.Equal(">2\r\n$10\r\ninvalidate\r\n*1\r\n$1\r\nk\r\n", AwaitReply(reader));
    }

    [Theory]
    [InlineData("EVAL server.call('set','k',server.call('get','x'..'y')~or~'2') 0")]
    [InlineData("FCALL f 0")]
    public async Task A_script_that_was_put_off_is_shown_to_monitors_once(string command)
    {
        using InProcessServer server = new();
        InProcessClient monitor = server.Connect();
        Assert.Equal(Replies.Ok, monitor.Call("MONITOR"));
        ClientPause pause = server.Server.Clients.Pause;
        Task<string> call = CallAtBarrier(server, command, () => pause.Begin(long.MaxValue, onlyWrites: false, server.NowMs));
        Eventually.True(() => server.Client.Session.Wait.IsHeldBack);
        await call;
        pause.Lift();
        AwaitReply(server.Client);
        string shown = AwaitReply(monitor);
        Assert.Equal(2, shown.Split($"\"{command.Split(' ')[0]}\"").Length);
    }

    private static async Task<string> CallAtBarrier(InProcessServer server, string command, Action change)
    {
        server.Call("SET", "k", "1");
        server.Call("FUNCTION", "LOAD", "#!lua name=l\nserver.register_function('f',function() return server.call('set','k','2') end)");
        server.Call("RPUSH", "list", "a");
        if (command == "EXEC")
        {
            server.Call("MULTI");
            server.Call("SET", "k", "2");
            server.Call("FLUSHDB");
        }

        return await CallAtBarrier(server, server.Client, command, change);
    }

    private static async Task<string> CallAtBarrier(InProcessServer server, InProcessClient client, string command, Action change)
    {
        using StoreSession inside = server.Store.OpenSession();
        inside.EnterBatch();
        string[] request = [.. command.Split(' ').Select(word => word.Replace('~', ' '))];
        Task<string> call = Task.Run(() => client.Call(request));
        Eventually.True(() => server.Store.Epochs.IsBarred(inside));
        change();
        inside.LeaveBatch();
        return await call;
    }

    private static string AwaitReply(InProcessClient client)
    {
        string reply = "";
        Eventually.True(() => (reply = client.Receive()).Length > 0);
        return reply;
    }

    private static void AssertUnchanged(InProcessServer server)
    {
        Assert.Equal(Replies.Bulk("1"), server.Call("GET", "k"));
        string libraries = server.Call("FUNCTION", "LIST");
        Assert.StartsWith("*1\r\n", libraries, StringComparison.Ordinal);
    }

    private static IEnumerable<Command> CommandsForTransactions(InProcessServer server) =>
        server
            .Server.Commands.Commands.SelectMany(command => command.IsContainer ? command.Subcommands : [command])
            .Where(command =>
                command.Handler is not null
                && (command.Flags & (CommandFlags.NoMulti | CommandFlags.Protected)) == 0
                && !command.Has(CommandTraits.ControlsTransaction)
                && !Excluded.Contains((command.Parent ?? command).FullName)
                && !Excluded.Contains(command.FullName)
            );

    // Refused before its arguments are looked at, so any will do.
    private static string[] Request(Command command)
    {
        List<string> request = [.. command.FullName.Split('|')];
        while (request.Count < Math.Abs(command.Descriptor.Arity))
            request.Add("1");
        return [.. request];
    }

    private static void Enter(InProcessServer server, string error)
    {
        using InProcessClient second = new(server.Server, 2);
        switch (error)
        {
            case PrimaryDown:
                second.Call("CONFIG", "SET", "replica-serve-stale-data", "no", "replica-read-only", "no");
                second.Call("REPLICAOF", "127.0.0.1", "1");
                break;
            case ReadOnly:
                second.Call("REPLICAOF", "127.0.0.1", "1");
                break;
            case NoReplicas:
                second.Call("CONFIG", "SET", "min-replicas-to-write", "1");
                break;
            default:
                server.Server.Persistence.Loading = new LoadingStatus(1);
                break;
        }
    }

    private static void Leave(InProcessServer server)
    {
        server.Server.Persistence.Loading = null;
        using InProcessClient second = new(server.Server, 2);
        second.Call("REPLICAOF", "NO", "ONE");
        second.Call("CONFIG", "SET", "replica-serve-stale-data", "yes", "replica-read-only", "yes", "min-replicas-to-write", "0");
    }
}
