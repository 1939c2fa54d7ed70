// CLIENT PAUSE, CLIENT KILL and INFO's clients section with thousands of connections, on both transports and on Valkey. One process a test.
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Attack.Tests.Connections;

public sealed class ManyClientsTests(ITestOutputHelper output)
{
    // The two servers' buffers are of different sizes, and we have no cluster (docs/info.md).
    private static readonly string[] NotCompared = ["client_recent_max_", "cluster_connections:"];

    private static readonly int Count = FaultScale.Count(1_000, 9_000);

    /// <summary>Garnet's transports; the peer where it is installed.</summary>
    public static TheoryData<string> Servers =>
        Peers.TryFind(AttackedServer.Valkey) is null ? ["epoll", "sockets"] : ["epoll", "sockets", "valkey"];

    [Theory]
    [MemberData(nameof(Servers))]
    public void All_that_CLIENT_PAUSE_held_back_is_executed_once_but_nothing_of_clients_that_left(string kind)
    {
        using AttackedServer server = Start(kind);
        using RespExchange admin = server.Connect();
        List<RespExchange> clients = Connect(server, Count);
        try
        {
            Assert.Equal("+OK\r\n", admin.ExecuteText("CLIENT", "PAUSE", "600000", "WRITE"));
            foreach (RespExchange client in clients)
                client.Send("INCR counter\r\n"u8);
            AwaitField(admin, "blocked_clients", Count);
            Assert.Equal("$-1\r\n", admin.ExecuteText("GET", "counter"));
            foreach (RespExchange client in clients.Take(Count / 2))
                client.Dispose();
            AwaitField(admin, "connected_clients", Count - (Count / 2) + 1);
            Assert.Equal("+OK\r\n", admin.ExecuteText("CLIENT", "UNPAUSE"));
            long[] replies =
            [
                .. clients
                    .Skip(Count / 2)
                    .Select(static client =>
                        long.Parse(Encoding.ASCII.GetString(client.ReadReply()!).AsSpan(1), CultureInfo.InvariantCulture)
                    )
                    .Order(),
            ];
            Assert.Equal(Enumerable.Range(1, Count - (Count / 2)).Select(static each => (long)each), replies);
            AwaitField(admin, "blocked_clients", 0);

            // Of all commands; it ends by its time alone, as UNPAUSE waits too.
            admin.Send("CLIENT PAUSE 300 ALL\r\n"u8);
            Assert.Equal("+OK\r\n", Encoding.ASCII.GetString(admin.ReadReply()!));
            foreach (RespExchange client in clients.Skip(Count / 2))
                client.Send("PING\r\n"u8);
            Assert.All(clients.Skip(Count / 2), static client => Assert.Equal("+PONG\r\n", Encoding.ASCII.GetString(client.ReadReply()!)));
        }
        finally
        {
            clients.ForEach(static client => client.Dispose());
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public void CLIENT_KILL_ends_exactly_those_that_pass_all_filters(string kind)
    {
        const int Groups = 10;
        using AttackedServer server = Start(kind);
        using RespExchange admin = server.Connect();
        List<RespExchange> clients = Connect(server, Count / Groups * Groups);
        int each = Count / Groups;
        try
        {
            var ids = new List<string>();
            for (int i = 0; i < clients.Count; i++)
            {
                RespExchange client = clients[i];
                string group = (i / each).ToString(CultureInfo.InvariantCulture);
                Assert.Equal("+OK\r\n", client.ExecuteText("CLIENT", "SETNAME", "group" + group));
                Assert.Equal("+OK\r\n", client.ExecuteText("CLIENT", "SETINFO", "lib-name", "library" + group));
                Assert.Equal("+OK\r\n", client.ExecuteText("CLIENT", "SETINFO", "lib-ver", i % 2 == 0 ? "even" : "odd"));
                Assert.Equal("+OK\r\n", client.ExecuteText("SELECT", group));
                ids.Add(client.ExecuteText("CLIENT", "ID").Trim()[1..]);
            }

            for (int i = each * 8; i < each * 9; i++)
                clients[i].Send("BLPOP absent 0\r\n"u8);
            AwaitField(admin, "blocked_clients", each);
            int left = clients.Count;
            Kill(0, "NAME", "group");
            Kill(0, "TYPE", "pubsub");
            Kill(0, "MAXAGE", "1000000");
            Kill(0, "NAME", "group1", "DB", "2");
            Kill(each / 2, "NAME", "group0", "LIB-VER", "even");
            Kill(each - (each / 2), "NAME", "group0");
            Kill(each, "LIB-NAME", "library1", "USER", "default", "TYPE", "normal");
            Kill(each, "DB", "2", "NOT-NAME", "group3");
            Kill(each, ["ID", .. ids.Skip(3 * each).Take(each)]);
            Kill(0, ["ID", .. ids.Skip(3 * each).Take(each)]);
            Kill(each, ["DB", "4", "NOT-ID", .. ids.Take(3 * each)]);
            Kill(each, "FLAGS", "b");
            // All but the caller and one group of those left: 5, 6, 7 and 9.
            Kill(3 * each, "NOT-NAME", "group7", "SKIPME", "yes");
            Assert.All(clients.Skip(7 * each).Take(each), static client => Assert.Equal("+PONG\r\n", client.ExecuteText("PING")));
            Assert.All(
                clients.Take(7 * each).Concat(clients.Skip(8 * each)),
                static client => Assert.True(!client.TrySend("PING\r\n"u8) || client.ReadReply() is null)
            );

            void Kill(int expected, params string[] filters)
            {
                Assert.Equal($":{expected}\r\n", admin.ExecuteText(["CLIENT", "KILL", .. filters]));
                left -= expected;
                AwaitField(admin, "connected_clients", left + 1);
            }
        }
        finally
        {
            clients.ForEach(static client => client.Dispose());
        }
    }

    [Theory]
    [InlineData("epoll")]
    [InlineData("sockets")]
    public void INFO_reports_the_same_as_Valkey_for_many_clients(string transport)
    {
        using var garnet = AttackedServer.StartGarnet("--transport", transport, "--maxclients", "10000");
        string[] found = Clients(garnet);
        output.WriteLine(string.Join('\n', found));
        string[] expected =
        [
            "# Clients",
            "connected_clients:301",
            "blocked_clients:200",
            "watching_clients:50",
            "clients_in_timeout_table:100",
            "total_watched_keys:2",
            "total_blocking_keys:101",
            "total_blocking_keys_on_nokey:0",
        ];
        Assert.Equal(expected, found.Intersect(expected));
        using var valkey = AttackedServer.TryStartValkey("--maxclients", "10000");
        if (valkey is not null)
            Assert.Equal(Clients(valkey), found);

        static string[] Clients(AttackedServer server)
        {
            using RespExchange admin = server.Connect();
            List<RespExchange> clients = Connect(server, 300);
            try
            {
                for (int i = 0; i < 100; i++)
                    clients[i].Send(Encoding.ASCII.GetBytes($"BLPOP list{i} shared 0\r\n"));
                for (int i = 100; i < 200; i++)
                    clients[i].Send("BLPOP shared 1000\r\n"u8);
                for (int i = 200; i < 250; i++)
                    Assert.Equal("+OK\r\n", clients[i].ExecuteText("WATCH", "a", "b"));
                AwaitField(admin, "blocked_clients", 200);
                string[] lines = admin.ExecuteText("INFO", "clients").Split("\r\n");
                return [.. lines.Skip(1).Where(static line => !NotCompared.Any(field => line.StartsWith(field, StringComparison.Ordinal)))];
            }
            finally
            {
                clients.ForEach(static client => client.Dispose());
            }
        }
    }

    private static AttackedServer Start(string kind) =>
        kind == "valkey"
            ? AttackedServer.TryStartValkey("--maxclients", "20000")!
            : AttackedServer.StartGarnet("--transport", kind, "--maxclients", "20000");

    private static List<RespExchange> Connect(AttackedServer server, int count)
    {
        var clients = new List<RespExchange>(count);
        for (int i = 0; i < count; i++)
            clients.Add(server.Connect());
        return clients;
    }

    private static void AwaitField(RespExchange admin, string field, long value)
    {
        string clients = "";
        FaultTarget.Await(
            () =>
                (clients = admin.ExecuteText("INFO", "clients")).Contains(
                    string.Create(CultureInfo.InvariantCulture, $"\r\n{field}:{value}\r\n"),
                    StringComparison.Ordinal
                ),
            () => $"{field} does not become {value}:\n{clients}"
        );
    }
}
