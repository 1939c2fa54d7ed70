// SUNION, SINTER, SDIFF and their STORE variants compared with a model; seeds are printed.
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;
using static Garnet.Server.Tests.Commands.Replies;

namespace Garnet.Server.Tests.Commands.Sets;

public sealed class SetAlgebraTests(ITestOutputHelper output) : IDisposable
{
    private readonly InProcessServer _server = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    public void Results_agree_with_a_model()
    {
        int seed = TestSeed.ChooseAnew(output);
        Random random = new(seed);
        for (int round = 0; round < 300; round++)
        {
            _server.Call("FLUSHALL");
            string[][] sets = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => RandomSet(random))];
            for (int i = 0; i < sets.Length; i++)
            {
                if (sets[i].Length > 0)
                    _server.Call(["SADD", $"k{i}", .. sets[i]]);
            }

            string[] keys = [.. Enumerable.Range(0, sets.Length).Select(i => $"k{i}")];
            Check("SUNION", keys, sets.SelectMany(set => set));
            Check("SINTER", keys, sets.Aggregate((one, other) => [.. one.Intersect(other)]));
            Check("SDIFF", keys, sets.Skip(1).Aggregate(sets[0], (one, other) => [.. one.Except(other)]));
        }
    }

    [Fact]
    public void The_result_replaces_the_value_of_the_destination()
    {
        _server.Call("SADD", "a", "1", "2", "x");
        _server.Call("SADD", "b", "2", "x");
        _server.Call("SET", "d", "v", "EX", "100");
        Assert.Equal(Integer(2), _server.Call("SINTERSTORE", "d", "a", "b"));
        Assert.Equal(-1, _server.ExpiryOf("d"));
        Assert.Equal(Integer(1), _server.Call("SDIFFSTORE", "a", "a", "b"));
        Assert.Equal(Bulks("1"), _server.Call("SMEMBERS", "a"));
        Assert.Equal(Bulk("intset"), _server.Call("OBJECT", "ENCODING", "a"));
        Assert.Equal(Integer(0), _server.Call("SDIFFSTORE", "d", "a", "a"));
        Assert.Equal(Integer(0), _server.Call("EXISTS", "d"));
        Assert.Equal(Integer(0), _server.Call("SUNIONSTORE", "d", "absent"));
    }

    [Theory]
    [InlineData("0", "SUNIONSTORE d a", "hashtable")]
    [InlineData("0", "SDIFFSTORE d a none", "hashtable")]
    [InlineData("0", "SINTERSTORE d a a", "listpack")]
    [InlineData("1", "SINTERSTORE d a b", "listpack")]
    [InlineData("2", "SINTERSTORE d a b", "intset")]
    [InlineData("2", "SUNIONSTORE d a", "hashtable")]
    [InlineData("3", "SDIFFSTORE d a none", "intset")]
    public void A_computed_set_has_the_encoding_of_the_reference(string mostIntegers, string command, string encoding)
    {
        _server.Call("CONFIG", "SET", "set-max-intset-entries", "0");
        _server.Call("SADD", "a", "1", "2", "3");
        _server.Call("SADD", "b", "2", "3", "x");
        _server.Call("CONFIG", "SET", "set-max-intset-entries", mostIntegers);
        _server.Call(command.Split(' '));
        Assert.Equal(Bulk(encoding), _server.Call("OBJECT", "ENCODING", "d"));
    }

    private static string[] RandomSet(Random random)
    {
        int most = random.Next(4) switch
        {
            0 => 5,
            1 => 40,
            2 => 400,
            _ => 2000,
        };
        bool integers = random.Next(2) == 0;
        return
        [
            .. Enumerable
                .Range(0, random.Next(most))
                .Select(_ => integers ? $"{Spread(random.Next(most * 2))}" : $"m{random.Next(most * 2)}")
                .Distinct(),
        ];
    }

    // Integers of all widths.
    private static long Spread(int number) =>
        (number % 3) switch
        {
            0 => number,
            1 => -70_000L * number,
            _ => (long)number << 40,
        };

    private void Check(string command, string[] keys, IEnumerable<string> model)
    {
        string[] expected = [.. model.Distinct().Order(StringComparer.Ordinal)];
        Assert.Equal(expected, Members(_server.Call([command, .. keys])));
        Assert.Equal(Integer(expected.Length), _server.Call([command + "STORE", "result", .. keys]));
        Assert.Equal(expected, Members(_server.Call("SMEMBERS", "result")));
        if (command == "SINTER")
            Assert.Equal(Integer(expected.Length), _server.Call(["SINTERCARD", $"{keys.Length}", .. keys]));
    }

    private static string[] Members(string reply) =>
        [.. reply.Split("\r\n").Skip(1).Where((_, i) => i % 2 == 1).Order(StringComparer.Ordinal)];
}
