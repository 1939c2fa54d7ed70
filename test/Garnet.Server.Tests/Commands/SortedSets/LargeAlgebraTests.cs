// Intersections and differences of large sorted sets and sets, mixed with small ones, compared with a model. One thread.
using System.Globalization;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.SortedSets;

public sealed class LargeAlgebraTests(ITestOutputHelper output) : IDisposable
{
    // More than two batches of members that are looked up together.
    private const int Members = 20_000;

    private readonly InProcessServer _server = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    public void Results_agree_with_a_model()
    {
        var random = new Random(TestSeed.ChooseAnew(output));
        Dictionary<string, long>[] operands = [.. Enumerable.Range(0, 6).Select(key => Fill(random, $"k{key}", isSet: key % 3 == 2))];
        for (int round = 0; round < 25; round++)
        {
            int[] keys = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => random.Next(operands.Length))];
            string[] names = [$"{keys.Length}", .. keys.Select(key => $"k{key}")];
            (string Member, long Score)[] shared =
            [
                .. operands[keys[0]]
                    .Keys.Where(member => keys.All(key => operands[key].ContainsKey(member)))
                    .Select(member => (member, keys.Sum(key => operands[key][member]))),
            ];
            (string Member, long Score)[] others =
            [
                .. operands[keys[0]]
                    .Where(pair => keys.Skip(1).All(key => !operands[key].ContainsKey(pair.Key)))
                    .Select(pair => (pair.Key, pair.Value)),
            ];
            Assert.Equal(InOrder(shared), _server.Call(["ZINTER", .. names, "WITHSCORES"]));
            Assert.Equal(InOrder(others), _server.Call(["ZDIFF", .. names, "WITHSCORES"]));
            Assert.Equal(Integer(shared.Length), _server.Call(["ZINTERCARD", .. names]));
            int limit = random.Next(1, 1_000);
            Assert.Equal(Integer(Math.Min(limit, shared.Length)), _server.Call(["ZINTERCARD", .. names, "LIMIT", $"{limit}"]));
            Assert.Equal(Integer(shared.Length), _server.Call(["ZINTERSTORE", "d", .. names]));
            Assert.Equal(InOrder(shared), _server.Call("ZRANGE", "d", "0", "-1", "WITHSCORES"));
        }
    }

    [Fact]
    public void Results_of_sets_agree_with_a_model()
    {
        var random = new Random(TestSeed.ChooseAnew(output));
        HashSet<string>[] operands = [.. Enumerable.Range(0, 7).Select(key => Fill(random, $"k{key}", isSet: true).Keys.ToHashSet())];
        for (int round = 0; round < 25; round++)
        {
            int[] keys = [.. Enumerable.Range(0, random.Next(1, 8)).Select(_ => random.Next(operands.Length))];
            string[] names = [.. keys.Select(key => $"k{key}")];
            string[] shared = [.. operands[keys[0]].Where(member => keys.All(key => operands[key].Contains(member)))];
            string[] others = [.. operands[keys[0]].Where(member => keys.Skip(1).All(key => !operands[key].Contains(member)))];
            Assert.Equal(Integer(shared.Length), _server.Call(["SINTERCARD", $"{keys.Length}", .. names]));
            Assert.Equal(Integer(shared.Length), _server.Call(["SINTERSTORE", "d", .. names]));
            CheckStored(shared);
            Assert.Equal(Integer(others.Length), _server.Call(["SDIFFSTORE", "d", .. names]));
            CheckStored(others);
        }
    }

    private void CheckStored(string[] members)
    {
        Assert.Equal(Integer(members.Length), _server.Call("SCARD", "d"));
        if (members.Length > 0)
        {
            string found = _server.Call(["SMISMEMBER", "d", .. members]);
            Assert.DoesNotContain(":0", found[found.IndexOf('\n', StringComparison.Ordinal)..], StringComparison.Ordinal);
        }
    }

    // Members of all kinds: short and long texts, integers, empty. Scores that follow the names, that do not, and that many members share.
    private Dictionary<string, long> Fill(Random random, string key, bool isSet)
    {
        Dictionary<string, long> members = [];
        int count = random.Next(4) == 0 ? random.Next(1, 200) : Members + random.Next(Members);
        int first = random.Next(Members);
        int kind = random.Next(3);
        for (int i = first; i < first + count; i++)
        {
            long score = isSet
                ? 1
                : kind switch
                {
                    0 => i,
                    1 => i * 7_919L % 1_000_003 - 500_000,
                    _ => i % 50,
                };
            members[Name(i)] = score;
        }

        foreach (KeyValuePair<string, long>[] part in members.Chunk(5_000))
        {
            _server.Call(
                isSet
                    ? ["SADD", key, .. part.Select(pair => pair.Key)]
                    : ["ZADD", key, .. part.SelectMany(pair => new[] { pair.Value.ToString(CultureInfo.InvariantCulture), pair.Key })]
            );
        }

        return members;
    }

    private static string Name(int i) =>
        (i % 7) switch
        {
            0 => i.ToString(CultureInfo.InvariantCulture),
            1 when i % 500 == 1 => $"{i}" + new string('l', 5_000),
            _ => $"member:{i}",
        };

    private static string InOrder((string Member, long Score)[] members)
    {
        System.Array.Sort(
            members,
            static (one, other) =>
                one.Score != other.Score ? one.Score.CompareTo(other.Score) : string.CompareOrdinal(one.Member, other.Member)
        );
        return Bulks([.. members.SelectMany(pair => new[] { pair.Member, pair.Score.ToString(CultureInfo.InvariantCulture) })]);
    }
}
