// ZUNION, ZUNIONSTORE and very large unions compared with a model. One thread.
using System.Globalization;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.SortedSets;

public sealed class SortedSetUnionTests(ITestOutputHelper output) : IDisposable
{
    private readonly InProcessServer _server = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    public void Results_agree_with_a_model()
    {
        var random = new Random(TestSeed.Choose(output, 4_200));
        for (int round = 0; round < 200; round++)
        {
            _server.Call("FLUSHALL");
            Dictionary<string, int>[] operands = [.. Enumerable.Range(0, random.Next(1, 5)).Select(key => MakeOperand(random, $"k{key}"))];
            int[] weights = [.. operands.Select(_ => NotZero(random, 3))];
            string aggregation = random.Next(3) switch
            {
                0 => "SUM",
                1 => "MIN",
                _ => "MAX",
            };
            string[] arguments =
            [
                operands.Length.ToString(CultureInfo.InvariantCulture),
                .. operands.Select((_, key) => $"k{key}"),
                "WEIGHTS",
                .. weights.Select(Text),
                "AGGREGATE",
                aggregation,
            ];
            string[] expected = [.. Unite(operands, weights, aggregation).SelectMany(pair => new[] { pair.Key, Text(pair.Value) })];
            Assert.Equal(Bulks(expected), _server.Call(["ZUNION", .. arguments, "WITHSCORES"]));
            Assert.Equal(Integer(expected.Length / 2), _server.Call(["ZUNIONSTORE", "d", .. arguments]));
            Assert.Equal(Bulks(expected), _server.Call("ZRANGE", "d", "0", "-1", "WITHSCORES"));
            CheckMembers(random, expected);
        }
    }

    // Each member is also found by its name and by a scan, and can get another score and be removed.
    private void CheckMembers(Random random, string[] expected)
    {
        if (expected.Length == 0)
            return;
        string[] members = [.. expected.Where((_, i) => i % 2 == 0)];
        Assert.Equal(Bulks([.. expected.Where((_, i) => i % 2 == 1)]), _server.Call(["ZMSCORE", "d", .. members]));
        HashSet<string> scanned = [.. _server.Call("ZSCAN", "d", "0", "COUNT", "100000").Split("\r\n")];
        Assert.DoesNotContain(members, member => !scanned.Contains(member));
        string[] changed = [.. members.Where(_ => random.Next(2) == 0)];
        if (changed.Length > 0)
        {
            Assert.Equal(Integer(0), _server.Call(["ZADD", "d", .. changed.SelectMany(member => new[] { "1000000", member })]));
            Assert.Equal(Integer(changed.Length), _server.Call("ZCOUNT", "d", "1000000", "1000000"));
        }

        Assert.Equal(Integer(members.Length), _server.Call(["ZREM", "d", .. members]));
        Assert.Equal(Integer(0), _server.Call("EXISTS", "d"));
    }

    [Fact]
    public void Unions_of_more_than_a_million_members_are_complete()
    {
        const int members = 1 << 20;
        const int batch = 1 << 14;
        for (int first = 0; first < members; first += batch)
        {
            string[] names = [.. Enumerable.Range(first, batch).Select(Text)];
            _server.Call(["SADD", "s", .. names]);
        }

        _server.Call("ZADD", "z", "5", "7", "-1", "extra");
        Assert.Equal(Integer(members + 1), _server.Call("ZUNIONSTORE", "d", "2", "s", "z"));
        Assert.Equal(Bulks("extra", "-1", "0", "1"), _server.Call("ZRANGE", "d", "0", "1", "WITHSCORES"));
        Assert.Equal(Bulks("7", "6"), _server.Call("ZRANGE", "d", "-1", "-1", "WITHSCORES"));
        _server.Call("SADD", "t", "1", "extra");
        Assert.Equal(Integer(members + 1), _server.Call("SUNIONSTORE", "d", "s", "t"));
        Assert.Equal(Integer(1), _server.Call("SISMEMBER", "d", "extra"));
    }

    // A sorted set, or a set, whose members all have the score 1.
    private Dictionary<string, int> MakeOperand(Random random, string key)
    {
        int most = random.Next(3) switch
        {
            0 => 5,
            1 => 60,
            _ => 600,
        };
        bool isSet = random.Next(3) == 0;
        var members = new Dictionary<string, int>();
        for (int i = random.Next(most); i > 0; i--)
            members[random.Next(2) == 0 ? Text(random.Next(most)) : $"m{random.Next(most)}"] = isSet ? 1 : NotZero(random, 20);
        if (members.Count > 0)
        {
            _server.Call(
                isSet ? ["SADD", key, .. members.Keys] : ["ZADD", key, .. members.SelectMany(pair => new[] { Text(pair.Value), pair.Key })]
            );
        }

        return members;
    }

    private static IEnumerable<KeyValuePair<string, int>> Unite(Dictionary<string, int>[] operands, int[] weights, string aggregation)
    {
        var union = new Dictionary<string, int>();
        foreach ((int key, Dictionary<string, int> operand) in operands.Index())
        {
            foreach ((string member, int unweighted) in operand)
            {
                int score = unweighted * weights[key];
                if (union.TryGetValue(member, out int there))
                {
                    score = aggregation switch
                    {
                        "SUM" => there + score,
                        "MIN" => Math.Min(there, score),
                        _ => Math.Max(there, score),
                    };
                }

                union[member] = score;
            }
        }

        return union.OrderBy(pair => pair.Value).ThenBy(pair => pair.Key, StringComparer.Ordinal);
    }

    // A product with zero could be -0, which integers do not have.
    private static int NotZero(Random random, int most) => random.Next(1, most + 1) * (random.Next(2) == 0 ? 1 : -1);

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
