// CONFIG's replies compared with those of Valkey, if installed. One server of each kind, on sockets in temporary folders.
using System.Net;
using System.Text;
using Garnet.Server.Configuration;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class ConfigBesideValkeyTests
{
    // Options with the same values and ranges in both servers; '_' stands for a space within an argument.
    private const string Script = """
        CONFIG GET maxmemory
        CONFIG GET MAXMEMORY maxmemory
        CONFIG GET timeout databases
        CONFIG GET slowlog-max-len slowlog-*
        CONFIG GET bin[d]
        CONFIG GET appendonly requirepass
        CONFIG GET client-output-buffer-limit
        CONFIG GET no-such-option
        CONFIG GET
        CONFIG
        CONFIG FOO
        CONFIG SET
        CONFIG SET timeout
        CONFIG SET timeout 5 maxclients
        CONFIG SET timeout 5
        CONFIG GET timeout
        CONFIG SET timeout 6 foo 1
        CONFIG GET timeout
        CONFIG SET foo 1 timeout 6
        CONFIG SET timeout 6 TIMEOUT 7
        CONFIG SET databases 3 foo 1
        CONFIG SET foo 1 databases 3
        CONFIG SET timeout 6 maxclients 0
        CONFIG GET timeout
        CONFIG SET maxmemory 1x
        CONFIG SET maxmemory 10mb
        CONFIG GET maxmemory
        CONFIG SET maxmemory 0
        CONFIG SET maxmemory -1
        CONFIG SET maxmemory
        CONFIG SET tcp-keepalive -1
        CONFIG SET tcp-keepalive abc
        CONFIG SET tcp-backlog 1
        CONFIG SET unixsocket x
        CONFIG SET dir /tmp
        CONFIG SET logfile x
        CONFIG SET loglevel LOUD
        CONFIG SET loglevel WARNING
        CONFIG GET loglevel
        CONFIG SET protected-mode maybe
        CONFIG SET protected-mode YES
        CONFIG SET slowlog-max-len -2
        CONFIG SET slowlog-max-len 5 commandlog-slow-execution-max-len 6
        CONFIG GET slowlog-max-len
        CONFIG SET client-output-buffer-limit normal
        CONFIG SET client-output-buffer-limit x_1_1_1
        CONFIG SET client-output-buffer-limit normal_1mb_1kb_10
        CONFIG GET client-output-buffer-limit
        CONFIG SET client-output-buffer-limit normal_1mb_1kb_-10
        CONFIG SET client-query-buffer-limit 1
        CONFIG SET proto-max-bulk-len 2mb
        CONFIG GET proto-max-bulk-len
        CONFIG SET hll-sparse-max-bytes 99999999999999999999999
        CONFIG SET hll-sparse-max-bytes 9223372036854775808
        CONFIG SET aof-timestamp-enabled maybe
        CONFIG SET oom-score-adj 1
        CONFIG SET notify-keyspace-events x!
        CONFIG SET notify-keyspace-events nmAEK
        CONFIG GET notify-keyspace-events
        CONFIG SET notify-keyspace-events ng$lshzxetdK
        CONFIG GET notify-keyspace-events
        CONFIG SET notify-keyspace-events nzx
        CONFIG GET notify-keyspace-events
        CONFIG SET locale-collate nowhere
        CONFIG SET proc-title-template {name}_{port}
        CONFIG SET proc-title-template {title}_{port}
        CONFIG GET proc-title-template
        CONFIG GET hash-max-* set-max-* zset-max-* stream-node-max-* list-max-listpack-size list-max-ziplist-size
        CONFIG SET hash-max-ziplist-entries 10 set-max-intset-entries 7
        CONFIG SET hash-max-listpack-entries -1
        CONFIG SET hash-max-listpack-value 1kb
        CONFIG SET list-max-listpack-size -9999999999
        CONFIG GET list-compress-depth
        CONFIG SET list-compress-depth -1
        CONFIG SET list-compress-depth 2147483648
        CONFIG SET list-compress-depth 3
        CONFIG GET list-compress-depth
        CONFIG GET hash-max-* set-max-intset-entries
        CONFIG SET prefetch-batch-max-size 129
        CONFIG SET save 1
        CONFIG SET save a_b
        CONFIG SET save
        CONFIG GET save
        CONFIG SET enable-debug-command yes
        CONFIG REWRITE
        CONFIG REWRITE x
        CONFIG RESETSTAT
        CONFIG HELP
        """;

    // Values of the test's own command line, and what the runtime does.
    private static readonly string[] Chosen = ["tls-prefer-server-ciphers"];

    [PeerFact("valkey-server", Optional = true)]
    public async Task CONFIG_answers_as_Valkey_does()
    {
        using var valkey = PeerServer.Start("valkey-server");
        await using GarnetServer server = new GarnetServerBuilder().Listen(new IPEndPoint(IPAddress.Loopback, 0)).Build();
        await server.StartAsync();
        using var theirs = RespExchange.Connect(valkey.EndPoint);
        using var ours = RespExchange.Connect(server.EndPoints[0]);
        var differences = new StringBuilder();
        foreach (string line in Script.Split('\n'))
        {
            string[] words = [.. line.TrimEnd('\r').Split(' ').Select(word => word.Replace('_', ' '))];
            string expected = theirs.ExecuteText(words);
            string actual = ours.ExecuteText(words);
            if (expected != actual)
                differences.AppendLine(line).Append("  valkey ").AppendLine(expected).Append("  ours   ").AppendLine(actual);
        }
        Assert.Equal("", differences.ToString());
    }

    // The committed list of names against a running server's, and the defaults and refusals of what is accepted without effect.
    [PeerFact("valkey-server", Optional = true)]
    public void Options_without_effect_have_the_names_and_defaults_of_Valkey()
    {
        using var valkey = PeerServer.Start("valkey-server");
        using var theirs = RespExchange.Connect(valkey.EndPoint);
        Dictionary<string, string> all = Pairs(theirs.ExecuteText("CONFIG", "GET", "*"));
        string[] names = File.ReadAllLines(RepositoryRoot.Combine("test", "Garnet.Server.Tests", "Configuration", "valkey-options.txt"));
        Assert.Empty(all.Keys.Except(names));
        // Hidden options are shown when they are named; options for builds with debugging, RDMA or TLS are not there.
        Assert.True(all.Count > 200, $"{all.Count}");
        var differences = new List<string>();
        foreach (OptionDescriptor option in OptionTable.All.Where(static option => option.Group == OptionGroup.Valkey))
        {
            Dictionary<string, string> one = Pairs(theirs.ExecuteText("CONFIG", "GET", option.Name));
            string ours = option.Format(new GarnetOptions());
            if (one.TryGetValue(option.Name, out string? value) && value != ours && !Chosen.Contains(option.Name))
                differences.Add($"{option.Name}: valkey {value}, ours {ours}");
        }

        Assert.Empty(differences);
    }

    private static Dictionary<string, string> Pairs(string reply)
    {
        // An array of bulk strings, none of which contains a line end.
        string[] lines = reply.Split("\r\n");
        string[] words = [.. lines.Where((_, i) => i % 2 == 0 && i > 0).SkipLast(lines.Length % 2 == 0 ? 0 : 1)];
        return words.Chunk(2).Where(static pair => pair.Length == 2).ToDictionary(static pair => pair[0], static pair => pair[1]);
    }
}
