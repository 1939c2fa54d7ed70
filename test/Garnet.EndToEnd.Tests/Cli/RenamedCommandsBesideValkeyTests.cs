// What clients see of renamed commands, compared with Valkey, if installed. One server of each kind, on sockets in temporary folders.
using System.Text;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class RenamedCommandsBesideValkeyTests
{
    private static readonly string[] Renamed =
    [
        "--rename-command",
        "FLUSHALL",
        "",
        "--rename-command",
        "CONFIG",
        "b840fc02d524045429941cc15f59e41cb7be6c52",
        "--rename-command",
        "set",
        "Put",
        "--rename-command",
        "EVAL",
        "run.script",
    ];

    // '_' stands for a space within an argument.
    private const string Script = """
        FLUSHALL
        flushall async
        CONFIG GET port
        B840fc02d524045429941cc15f59e41cb7be6c52 GET timeout
        b840fc02d524045429941cc15f59e41cb7be6c52 NOSUCH
        b840fc02d524045429941cc15f59e41cb7be6c52
        SET a 1
        PUT a 1
        put a
        GET a
        RUN.SCRIPT return_redis.call('put','b','2') 0
        run.script return_redis.call('set','b','3') 0
        EVAL return_1 0
        GET b
        MULTI
        PUT c 3
        GET c
        EXEC
        MULTI
        SET c 4
        EXEC
        COMMAND INFO flushall
        COMMAND INFO set
        COMMAND GETKEYS put k v
        COMMAND GETKEYS set k v
        COMMAND LIST FILTERBY PATTERN flush*
        COMMAND LIST FILTERBY PATTERN put
        COMMAND LIST FILTERBY PATTERN set
        ACL SETUSER app on nopass ~* +set -get
        ACL SETUSER app +put
        ACL SETUSER app +flushall
        ACL SETUSER app +b840fc02d524045429941cc15f59e41cb7be6c52
        ACL SETUSER app +config|get
        ACL LIST
        ACL DRYRUN app put k v
        ACL DRYRUN app set k v
        ACL DRYRUN app flushall
        ACL DRYRUN app get k
        ACL CAT geo
        AUTH app x
        PUT d 4
        GET d
        b840fc02d524045429941cc15f59e41cb7be6c52 GET timeout
        b840fc02d524045429941cc15f59e41cb7be6c52 SET timeout 1
        FLUSHALL
        """;

    [PeerFact("valkey-server", Optional = true)]
    public void Clients_see_renamed_commands_as_in_Valkey()
    {
        using var valkey = PeerServer.Start("valkey-server", Renamed);
        using var garnet = GarnetProcess.Start(Renamed);
        using var theirs = RespExchange.Connect(valkey.EndPoint);
        using RespExchange ours = garnet.Connect();
        var differences = new StringBuilder();
        foreach (string line in Script.Split('\n'))
        {
            string[] words = [.. line.TrimEnd('\r').Split(' ').Select(word => word.Replace('_', ' '))];
            string expected = Sorted(words, theirs.ExecuteText(words));
            string actual = Sorted(words, ours.ExecuteText(words));
            if (expected != actual)
                differences.AppendLine(line).Append("  valkey ").AppendLine(expected).Append("  ours   ").AppendLine(actual);
        }
        Assert.Equal("", differences.ToString());
    }

    // The order of these is that of a hash table; the hash of a user's password is random.
    private static string Sorted(string[] words, string reply) =>
        words[0] is "ACL" or "COMMAND" ? string.Join("\r\n", reply.Split("\r\n").Order(StringComparer.Ordinal)) : reply;
}
