// Every origin asks the gates that it should, no more and no fewer. One thread, but for what each test says.
using System.Collections.Concurrent;
using System.Text;
using System.Text.RegularExpressions;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;
using Garnet.Server.Composition;
using Garnet.Server.Modules;
using Garnet.Server.Persistence;
using Garnet.Server.Tests.Commands;
using Garnet.Server.Tests.Migration;
using Garnet.Server.Tests.Modules;
using Garnet.Server.Tests.Replication;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Execution;

public sealed partial class OriginGateTests
{
    // The table of the design: a new gate or origin has no line or letter here, and fails. C connection, P in process, S script, M module's
    // call, U module's call with the client's rights, R replica's stream, L loader, B blocked client, G migration.
    private static readonly (GateMask Gate, string Origins)[] Table =
    [
        (GateMask.ScriptCallable, "S"),
        (GateMask.Protected, "CPSMUG"),
        (GateMask.NoMulti, "CPRG"),
        (GateMask.ModuleCallable, "MU"),
        (GateMask.Permission, "CSUBG"),
        (GateMask.EffectsOnly, "RL"),
        (GateMask.ScriptWrites, "S"),
        (GateMask.Redirect, "CPSMUBG"),
        (GateMask.Memory, "CPSMUBG"),
        (GateMask.Saved, "CPSMUBG"),
        (GateMask.Replicas, "CPSMUBG"),
        (GateMask.ReadOnly, "CPSMUBG"),
        (GateMask.Subscriber, "CBG"),
        (GateMask.Stale, "CPSMUBG"),
        (GateMask.Loading, "CPSMUBG"),
        (GateMask.Busy, "CPSMUBG"),
        (GateMask.Feed, "CBG"),
        (GateMask.Size, "CPSMUG"),
        (GateMask.Pause, "CPG"),
        (GateMask.SnapshotSpace, "CPG"),
        (GateMask.LogSpace, "CPG"),
        (GateMask.ColdValue, "CPRLG"),
        (GateMask.SharedBlock, "CPG"),
    ];

    private static readonly (char Letter, Origin Origin)[] Letters =
    [
        ('C', Origin.Connection),
        ('P', Origin.InProcess),
        ('S', Origin.Script),
        ('M', Origin.ModuleCall),
        ('U', Origin.ModuleCallAsUser),
        ('R', Origin.ReplicaStream),
        ('L', Origin.Loader),
        ('B', Origin.Blocked),
        ('G', Origin.Migration),
    ];

    public static TheoryData<string> Origins => [.. Origin.All.Select(static origin => origin.Name)];

    [Fact]
    public void Every_gate_and_every_origin_stands_in_the_table()
    {
        using InProcessServer server = new();
        Assert.Equal(server.Server.Executor.Gates.All.Select(static gate => gate.Bit), Table.Select(static line => line.Gate));
        Assert.Equal(Origin.All, Letters.Select(static each => each.Origin));
    }

    [Fact]
    public void The_map_shows_the_same_table()
    {
        Dictionary<string, string> shown = [];
        foreach (string line in File.ReadLines(RepositoryRoot.Combine("ARCHITECTURE.md")))
        {
            if (!line.StartsWith("| `", StringComparison.Ordinal) || line.Split('|') is not [_, var gates, _, var origins, _])
                continue;
            foreach (Match gate in GateName().Matches(gates))
                shown[gate.Groups[1].Value] = string.Concat(origins.Where(char.IsAsciiLetterUpper));
        }

        Assert.Equal(Table.ToDictionary(static line => line.Gate.ToString(), static line => line.Origins), shown);
    }

    // Two with the same bit would be one, and one among those of observers would be told of commands. The store's own are in Conditions.
    [Fact]
    public void Every_gate_has_the_bit_of_its_place_before_those_of_observers()
    {
        Assert.Equal(
            Enumerable.Range(0, Table.Length).Select(static place => (GateMask)(1u << place)),
            Table.Select(static line => line.Gate)
        );
        Assert.All(Table, static line => Assert.Equal(0u, (uint)line.Gate & (uint)ObserverMask.All));
    }

    [GeneratedRegex("`([A-Za-z]+)Gate`")]
    private static partial Regex GateName();

    // The gates are asked in the order of their bits; each is raised.
    [Theory]
    [MemberData(nameof(Origins))]
    public async Task An_origin_asks_the_gates_of_the_table_in_their_order(string name)
    {
        Origin origin = Origin.All.Single(each => each.Name == name);
        ConcurrentQueue<(Origin Origin, GateMask Gate)> asked = [];
        using ScriptedOrigins origins = new();
        origins.Record(asked);
        await origins.RunAsync(origin);
        GateMask[] recorded = [.. asked.Where(each => each.Origin == origin).Select(static each => each.Gate)];
        char letter = Letters.Single(each => each.Origin == origin).Letter;
        GateMask[] expected = [.. Table.Where(line => line.Origins.Contains(letter)).Select(static line => line.Gate)];
        // What a step of MIGRATE does, or a command that EXEC runs, is asked each time.
        Assert.True(recorded.Length > 0 && recorded.Length % expected.Length == 0, string.Join(' ', recorded));
        GateMask late = ~(origin.AskedBeforeMemory | GateMask.Memory);
        GateMask[] order =
        [
            .. expected.Where(gate => (gate & origin.AskedBeforeMemory) != 0),
            .. expected.Where(static gate => gate == GateMask.Memory),
            .. expected.Where(gate => (gate & late & origin.AskedBeforeSaved) != 0),
            .. expected.Where(gate => (gate & late & ~origin.AskedBeforeSaved) != 0),
        ];
        for (int i = 0; i < recorded.Length; i += expected.Length)
            Assert.Equal(order, recorded.Skip(i).Take(expected.Length));
    }

    [Theory]
    [MemberData(nameof(Origins))]
    public async Task What_a_gate_refuses_does_not_run(string name)
    {
        Origin origin = Origin.All.Single(each => each.Name == name);
        char letter = Letters.Single(each => each.Origin == origin).Letter;
        foreach ((GateMask gate, _) in Table.Where(line => line.Origins.Contains(letter)))
        {
            ConcurrentQueue<(Origin Origin, GateMask Gate)> asked = [];
            using ScriptedOrigins origins = new();
            origins.Record(asked, refused: gate, by: origin);
            await origins.RunAsync(origin);
            Assert.Contains((origin, gate), asked);
            Assert.False(origins.HasRun(origin), $"{gate}");
        }
    }

    // Before the barrier, and under it; there all but those that cannot have changed, or are worth nothing then.
    [Theory]
    [InlineData("FLUSHALL")]
    [InlineData("EVAL return~1 0")]
    [InlineData("FUNCTION LOAD #!lua~name=l\nserver.register_function('f',function()~end)")]
    public void A_command_that_runs_alone_asks_again(string command)
    {
        ConcurrentQueue<(Origin Origin, GateMask Gate)> asked = [];
        using InProcessServer server = new(static options => options.LuaEnableInsecureApi = true);
        ScriptedOrigins.Record(server, asked, GateMask.None, by: null);
        server.Call([.. command.Split(' ').Select(static word => word.Replace('~', ' '))]);
        GateMask[] first = [.. Table.Where(static line => line.Origins.Contains('C')).Select(static line => line.Gate)];
        const GateMask Lasting = GateMask.Memory | GateMask.Size | GateMask.SharedBlock;
        Assert.Equal([.. first, .. first.Where(static gate => (gate & Lasting) == 0)], asked.Select(static each => each.Gate));
    }

    private sealed class ScriptedOrigins : IDisposable
    {
        private readonly ScriptedTarget _target = new();
        private InProcessServer _server;

        public ScriptedOrigins() => _server = new InProcessServer(extensions: ModuleServer.With(typeof(Callers)), connector: _target);

        private Action<InProcessServer> _record = static _ => { };

        public void Record(ConcurrentQueue<(Origin Origin, GateMask Gate)> asked, GateMask refused = GateMask.None, Origin? by = null)
        {
            _record = server => Record(server, asked, refused, by);
            _record(_server);
        }

        public static void Record(
            InProcessServer server,
            ConcurrentQueue<(Origin Origin, GateMask Gate)> asked,
            GateMask refused,
            Origin? by
        )
        {
            foreach (Gate gate in server.Server.Executor.Gates.All)
            {
                server.Server.Executor.Replace(new RecordingGate(gate.Bit, asked) { Refused = gate.Bit == refused ? by : null });
                server.Store.Conditions.Set((uint)gate.Bit, areRaised: true);
            }
        }

        public bool HasRun(Origin origin) =>
            origin == Origin.Blocked ? _server.Call("EXISTS", "list") == Replies.Integer(0)
            : origin == Origin.Migration ? _server.Call("EXISTS", "k") == Replies.Integer(0)
            : _server.Call("EXISTS", "k") == Replies.Integer(1);

        public Task RunAsync(Origin origin) =>
            origin.Name switch
            {
                "connection" => Call("SET", "k", "v"),
                "in process" => CallInProcess(),
                "script" => Call("EVAL", "return server.pcall('set','k','v')", "1", "k"),
                "module" => Call("CALL.WITH", "k", "0", ""),
                "module as user" => Call("CALL.WITH", "k", AsUser, ""),
                "replica" => FollowAsync(),
                "loader" => Load(),
                "blocked client" => Unblock(),
                "migration" => MigrateAsync(),
                _ => throw new InvalidOperationException($"Nothing drives the origin '{origin.Name}'."),
            };

        public void Dispose() => _server.Dispose();

        private static string AsUser => ((int)Garnet.Modules.CallFlags.AsUser).ToString(System.Globalization.CultureInfo.InvariantCulture);

        private Task Call(params string[] command)
        {
            _server.Call(command);
            return Task.CompletedTask;
        }

        private Task CallInProcess()
        {
            RespServer server = _server.Server;
            CallParts parts = new(server.ClientFactory, server.Modules.Filters, server.CommandLogs, server.Store.Databases.Count);
            using ServerCaller caller = new(parts, server.Modules.All.Single());
            foreach (string word in (string[])["SET", "k", "v"])
                caller.Request.Append(Encoding.ASCII.GetBytes(word));
            caller.Execute(server.Commands.Find("SET"u8)!, protocol: 2);
            return Task.CompletedTask;
        }

        private async Task FollowAsync()
        {
            ScriptedPrimary primary = new(ScriptedPrimary.Handshake + ScriptedPrimary.EmptySnapshot + Request("SET", "k", "v"));
            _server.Dispose();
            _server = new InProcessServer(connector: primary);
            _record(_server);
            _server.Call("REPLICAOF", "primary", "1");
            await primary.Ended.WaitAsync(TimeSpan.FromSeconds(60));
        }

        private Task Load()
        {
            RespServer server = _server.Server;
            using EffectReplay replay = new(server.ClientFactory, server.Store.Databases, workers: 0, static () => { });
            try
            {
                replay.Apply(Encoding.ASCII.GetBytes(Request("SET", "k", "v")), "file", 0);
                replay.Settle();
            }
            catch (AppendOnlyLogException)
            {
                // A gate has refused it.
            }

            return Task.CompletedTask;
        }

        private Task Unblock()
        {
            using InProcessClient blocked = new(_server.Server, 2);
            blocked.Send(InProcessClient.Request("BLPOP", "list", "0"));
            _server.Call("RPUSH", "list", "v");
            return Task.CompletedTask;
        }

        // The first step reads the key, the second removes it.
        private async Task MigrateAsync()
        {
            _server.Call("SET", "k", "v");
            using InProcessClient client = new(_server.Server, 2);
            client.Send(InProcessClient.Request("MIGRATE", "127.0.0.1", "1", "k", "0", "10000"));
            Task peer = Task.CompletedTask;
            bool hasConnected = false;
            Eventually.True(() =>
            {
                if (!hasConnected && _target.Connections > 0)
                {
                    hasConnected = true;
                    peer = Task.Run(AnswerAsTarget);
                }

                return client.Receive().Length > 0;
            });
            await peer;
        }

        private void AnswerAsTarget()
        {
            ScriptedTarget.Peer target = _target.Accept();
            // SELECT, RESTORE.
            for (int i = 0; i < 2 && target.Read() is not null; i++)
                target.Answer("+OK\r\n");
        }

        private static string Request(params string[] words) =>
            $"*{words.Length}\r\n" + string.Concat(words.Select(static word => $"${word.Length}\r\n{word}\r\n"));
    }
}
