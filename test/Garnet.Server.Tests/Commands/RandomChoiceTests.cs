// SRANDMEMBER, SPOP, HRANDFIELD and ZRANDMEMBER choose uniformly, whatever the encoding of the collection. Hashes and choices are seeded,
// so that each run draws the same.
using System.Globalization;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Commands;

public sealed class RandomChoiceTests : IDisposable
{
    private const int Seed = 20_250_607;
    private const int AddedAtOnce = 1000;

    private readonly InProcessServer _server = new(hashSeed: Seed);

    // A command, the encoding of the collection, its elements, and the count argument (0: none).
    public static TheoryData<string, string, int, int> Choices =>
        new()
        {
            { "SRANDMEMBER", "intset", 10, 0 },
            { "SRANDMEMBER", "intset", 10, 3 },
            { "SRANDMEMBER", "listpack", 10, 0 },
            { "SRANDMEMBER", "listpack", 10, 3 },
            { "SRANDMEMBER", "listpack", 10, -7 },
            { "SRANDMEMBER", "hashtable", 1000, 0 },
            { "SRANDMEMBER", "hashtable", 1000, 300 },
            { "SRANDMEMBER", "hashtable", 1000, -100 },
            { "SRANDMEMBER", "hashtable", 100_000, 1000 },
            { "SRANDMEMBER", "hashtable", 100_000, -1000 },
            { "SPOP", "intset", 10, 0 },
            { "SPOP", "listpack", 10, 0 },
            { "SPOP", "listpack", 10, 3 },
            { "SPOP", "hashtable", 1000, 0 },
            { "SPOP", "hashtable", 1000, 300 },
            { "SPOP", "hashtable", 100_000, 1000 },
            { "HRANDFIELD", "listpack", 10, 0 },
            { "HRANDFIELD", "listpack", 10, 3 },
            { "HRANDFIELD", "listpack", 10, -7 },
            { "HRANDFIELD", "hashtable", 1000, 0 },
            { "HRANDFIELD", "hashtable", 1000, 300 },
            { "HRANDFIELD", "hashtable", 1000, -100 },
            { "HRANDFIELD", "hashtable", 100_000, 1000 },
            { "HRANDFIELD", "hashtable", 100_000, -1000 },
            { "ZRANDMEMBER", "listpack", 10, 0 },
            { "ZRANDMEMBER", "listpack", 10, 3 },
            { "ZRANDMEMBER", "listpack", 10, -7 },
            { "ZRANDMEMBER", "skiplist", 1000, 0 },
            { "ZRANDMEMBER", "skiplist", 1000, 300 },
            { "ZRANDMEMBER", "skiplist", 1000, -100 },
            { "ZRANDMEMBER", "skiplist", 100_000, 1000 },
            { "ZRANDMEMBER", "skiplist", 100_000, -1000 },
        };

    public void Dispose() => _server.Dispose();

    [Theory]
    [MemberData(nameof(Choices))]
    public void Elements_are_chosen_uniformly(string command, string encoding, int elements, int count)
    {
        SeededChoice.Begin(Seed);
        string prefix = encoding == "intset" ? "" : "m";
        Add(command, [.. Enumerable.Range(0, elements).Select(i => string.Create(CultureInfo.InvariantCulture, $"{prefix}{i}"))]);
        Assert.Equal($"${encoding.Length}\r\n{encoding}\r\n", _server.Call("OBJECT", "ENCODING", "k"));
        string[] question = count == 0 ? [command, "k"] : [command, "k", count.ToString(CultureInfo.InvariantCulture)];
        long draws =
            elements
            * (
                elements == 10 ? 500L
                : elements == 1000 ? 20
                : 5
            );
        int[] counts = new int[elements];
        long drawn = 0;
        while (drawn < draws)
        {
            string[] chosen = Elements(_server.Call(question));
            Assert.Equal(count == 0 ? 1 : Math.Abs(count), chosen.Length);
            if (count > 0)
                Assert.Equal(count, chosen.Distinct().Count());
            foreach (string element in chosen)
                counts[int.Parse(element.AsSpan(prefix.Length), CultureInfo.InvariantCulture)]++;
            drawn += chosen.Length;
            if (command == "SPOP")
                Add(command, chosen);
        }

        Uniformity.AssertUniform(counts, drawn);
    }

    private static string[] Elements(string reply)
    {
        string[] lines = reply.Split("\r\n");
        return [.. lines.Where((_, i) => i > 0 && lines[i - 1].StartsWith('$'))];
    }

    private void Add(string command, string[] elements)
    {
        foreach (string[] some in elements.Chunk(AddedAtOnce))
        {
            _server.Call(
                command[0] switch
                {
                    'H' => ["HSET", "k", .. some.SelectMany(field => new[] { field, "v" })],
                    'Z' => ["ZADD", "k", .. some.SelectMany(member => new[] { "1", member })],
                    _ => ["SADD", "k", .. some],
                }
            );
        }
    }
}
