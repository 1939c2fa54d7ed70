// Random histories with MIGRATE, the same on ours and on Valkey: equal replies, and equal data at the source and at the target.
using System.Globalization;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Replication;

public sealed class MigrateHistoryTests(ITestOutputHelper output)
{
    private const string Valkey = "valkey-server";
    private const string Timeout = "20000";
    private const int Keys = 8;

    [PeerFact(Valkey, Optional = true)]
    public void Random_histories_are_answered_as_by_Valkey()
    {
        int seed = TestSeed.ChooseAnew(output);
        using var ours = ReplicationNode.Start(ReplicationNode.Ours);
        using var valkey = ReplicationNode.Start(Valkey);
        using var oursTarget = ReplicationNode.Start(Valkey);
        using var valkeyTarget = ReplicationNode.Start(Valkey);
        int rounds = FaultScale.Count(10, 1000);
        for (int round = 0; round < rounds; round++)
        {
            List<string> expected = Run(valkey, valkeyTarget, new Random(seed + round));
            List<string> replies = Run(ours, oursTarget, new Random(seed + round));
            Assert.True(expected.SequenceEqual(replies), Difference(seed + round, expected, replies));
        }
    }

    // Every command with its reply, and then the data of both servers.
    private static List<string> Run(ReplicationNode source, ReplicationNode target, Random random)
    {
        using RespExchange here = source.Connect();
        using RespExchange there = target.Connect();
        here.Execute("FLUSHALL");
        there.Execute("FLUSHALL");
        List<string> lines = [];
        for (int i = 0; i < 40; i++)
        {
            string[] command = Next(random, target.Port);
            RespExchange client = random.Next(6) == 0 && command[0] != "MIGRATE" ? there : here;
            string shown = string.Join(' ', command).Replace($" {target.Port} ", " port ", StringComparison.Ordinal);
            lines.Add($"{shown}: {client.ExecuteText(command)}");
        }

        return [.. lines, .. source.Data().Select(WithoutExpiry), "target:", .. target.Data().Select(WithoutExpiry)];
    }

    private static string[] Next(Random random, int port) =>
        random.Next(12) switch
        {
            0 or 1 => ["SET", Key(random), $"v{random.Next(100)}"],
            2 => ["RPUSH", $"l{random.Next(Keys)}", $"{random.Next(10)}", "x"],
            3 => ["HSET", $"h{random.Next(Keys)}", $"f{random.Next(4)}", new string('y', random.Next(300))],
            4 => ["PEXPIRE", Key(random), "10000000"],
            5 => ["DEL", Key(random)],
            6 => ["SELECT", $"{random.Next(3)}"],
            7 => ["SADD", $"s{random.Next(Keys)}", $"{random.Next(1000)}"],
            _ => Migrate(random, port),
        };

    private static string[] Migrate(Random random, int port)
    {
        List<string> words = ["MIGRATE", "127.0.0.1", port.ToString(CultureInfo.InvariantCulture)];
        bool hasList = random.Next(2) == 0;
        words.Add(hasList && random.Next(20) > 0 ? "" : Key(random));
        // Databases that the target has: keys whose SELECT it refuses are stored by Valkey in the one selected before.
        words.AddRange([$"{random.Next(3)}", random.Next(20) == 0 ? "x" : Timeout]);
        if (random.Next(3) == 0)
            words.Add("COPY");
        if (random.Next(2) == 0)
            words.Add("REPLACE");
        if (random.Next(25) == 0)
            words.Add("WHAT");
        // Valkey sends a key twice that is named twice, and the target refuses it.
        if (hasList)
            words.AddRange(["KEYS", .. Enumerable.Range(0, random.Next(5)).Select(_ => Key(random)).Distinct()]);
        return [.. words];
    }

    private static string Key(Random random) => $"{"klhs"[random.Next(4)]}{random.Next(Keys)}";

    // It is relative, and the servers do not run at the same moment.
    private static string WithoutExpiry(string line) => System.Text.RegularExpressions.Regex.Replace(line, " :[0-9]{3,} ", " expires ");

    private static string Difference(int seed, List<string> expected, List<string> replies)
    {
        int at = expected.Zip(replies).TakeWhile(static pair => pair.First == pair.Second).Count();
        string history = string.Join("", expected.Take(at).Where(static line => line.Contains(": ", StringComparison.Ordinal)));
        return $"seed {seed}: Valkey '{expected.ElementAtOrDefault(at)}', ours '{replies.ElementAtOrDefault(at)}' after\n{history}";
    }
}
