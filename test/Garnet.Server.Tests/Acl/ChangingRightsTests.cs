// Rights, roles and databases that change between a command's queueing and EXEC. A random test prints its seed.
using System.Text;
using Garnet.Server.Tests.Commands;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Acl;

public sealed class ChangingRightsTests(ITestOutputHelper output)
{
    private const string Library = "#!lua name=l\nserver.register_function('f',function(k) return server.call('get',k[1]) end)";

    private static readonly string[] Queued =
    [
        "SELECT 0",
        "SELECT 1",
        "SELECT 99",
        "GET b",
        "SET a 1",
        "MSET a 1 b 2",
        "RENAME a b",
        "MOVE a 1",
        "COPY a c DB 1",
        "SWAPDB 0 1",
        "FLUSHDB",
        "LPUSH l x",
        "BLPOP l 0",
        "EVAL return_server.call('get',KEYS[1]) 1 a",
        "EVAL return_server.call('select','1') 0",
        "EVAL return_server.call('set','c'..'d','1') 0",
        "FCALL f 1 a",
        "AUTH u pw",
        "AUTH default x",
        "HELLO 3 AUTH v pw",
        "SORT l BY w* GET v*",
        "PUBLISH c m",
        "SPUBLISH c m",
        "DBSIZE",
        "KEYS *",
        "SCAN 0",
        "RANDOMKEY",
        "XADD s * f v",
        "ACL WHOAMI",
        "CONFIG GET maxmemory",
    ];

    private static readonly string[] Changes =
    [
        "ACL SETUSER u on >pw ~* &* +@all alldbs",
        "ACL SETUSER u resetkeys ~a",
        "ACL SETUSER u -get",
        "ACL SETUSER u -select",
        "ACL SETUSER u db=0",
        "ACL SETUSER u db=0,1",
        "ACL SETUSER u alldbs",
        "ACL SETUSER u -@all +multi +exec +auth",
        "ACL SETUSER u off",
        "ACL SETUSER v on >pw ~* &* +@all db=1",
        "ACL DELUSER v",
        "ACL SETUSER default db=0",
        "ACL SETUSER default alldbs",
        "REPLICAOF 127.0.0.1 1",
        "REPLICAOF NO ONE",
        "SWAPDB 0 1",
        "FLUSHALL",
        "CONFIG SET replica-serve-stale-data no",
        "CONFIG SET replica-serve-stale-data yes",
        "CONFIG SET min-replicas-to-write 1",
        "CONFIG SET min-replicas-to-write 0",
        "FUNCTION FLUSH",
        "SCRIPT FLUSH",
    ];

    [Fact]
    public void A_SELECT_that_EXEC_refuses_leaves_the_other_commands_in_their_database()
    {
        using InProcessServer server = new();
        InProcessClient client = server.Connect();
        server.Call("ACL", "SETUSER", "u", "on", ">pw", "~*", "+@all", "db=0,1");
        server.Call("SET", "b", "zero");
        client.Call("AUTH", "u", "pw");
        client.Call("MULTI");
        client.Call("GET", "a");
        client.Call("SELECT", "1");
        client.Call("GET", "b");
        server.Call("ACL", "SETUSER", "u", "resetdbs", "db=0");
        string reply = client.Call("EXEC");
        Assert.StartsWith("*3\r\n$-1\r\n-NOPERM ", reply, StringComparison.Ordinal);
        Assert.EndsWith(Replies.Bulk("zero"), reply, StringComparison.Ordinal);
    }

    [Fact]
    public void A_login_in_a_transaction_decides_about_the_SELECT_after_it()
    {
        using InProcessServer server = new();
        server.Call("ACL", "SETUSER", "u", "on", ">pw", "~*", "+@all", "db=0");
        server.Call("SET", "b", "zero");
        server.Call("MULTI");
        server.Call("AUTH", "u", "pw");
        server.Call("SELECT", "1");
        server.Call("GET", "b");
        string reply = server.Call("EXEC");
        Assert.StartsWith("*3\r\n+OK\r\n-NOPERM ", reply, StringComparison.Ordinal);
        Assert.EndsWith(Replies.Bulk("zero"), reply, StringComparison.Ordinal);
    }

    [Fact]
    public void No_order_of_changes_ends_a_connection()
    {
        int seed = TestSeed.ChooseAnew(output);
        Random random = new(seed);
        int rounds = FaultScale.Count(400, 40_000);
        using InProcessServer server = new();
        InProcessClient administrator = server.Connect();
        administrator.Session.Login.Begin(null);
        for (int round = 0; round < rounds; round++)
        {
            StringBuilder history = new();
            void Run(InProcessClient client, string line)
            {
                history.Append(client == administrator ? "admin: " : "client: ").AppendLine(line);
                string reply = client.Call([
                    .. line.Split(' ').Select(word => word.Replace("return_", "return ", StringComparison.Ordinal)),
                ]);
                Assert.True(reply.Length > 0 && !client.IsClosed, $"no reply\n{history}");
            }

            using InProcessClient client = new(server.Server, 2);
            administrator.Call("FUNCTION", "LOAD", "REPLACE", Library);
            Run(administrator, "ACL SETUSER u on >pw ~* &* +@all alldbs");
            if (random.Next(2) == 0)
                Run(client, "AUTH u pw");
            if (random.Next(3) == 0)
                Run(client, "WATCH a");
            Run(client, "MULTI");
            for (int i = random.Next(1, 8); i > 0; i--)
            {
                if (random.Next(3) == 0)
                    Run(administrator, Changes[random.Next(Changes.Length)]);
                if (client.IsClosed)
                    break;
                Run(client, Queued[random.Next(Queued.Length)]);
            }

            for (int i = random.Next(3); i > 0; i--)
                Run(administrator, Changes[random.Next(Changes.Length)]);
            // Deleting its user closes a client.
            if (!client.IsClosed)
                Run(client, "EXEC");
            Run(administrator, "PING");
        }
    }
}
