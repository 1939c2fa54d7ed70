// Elements of collections in packed runs, from which files and dumps are written.
using System.Text;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Lists;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Store.Tests.Collections;

public sealed class PackedRunTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(1)]
    [InlineData(40)]
    [InlineData(3000)]
    public void The_runs_of_a_list_are_its_elements(int length)
    {
        int seed = TestSeed.ChooseAnew(output);
        var random = new Random(seed);
        using var store = new HybridLogStore(new StoreOptions(), new VirtualTime());
        using var client = new CollectionClient(store);
        string[] expected = [.. Enumerable.Range(0, length).Select(_ => Element(random))];
        var list = new ListValue(client.Open("list"u8.ToArray()));
        foreach (string element in expected)
            list.PushLast(Encoding.ASCII.GetBytes(element));

        for (int round = 0; round < 20; round++)
        {
            CollectionImage image = list.Record.Contents.OpenCollection();
            List<string> seen = [];
            while (seen.Count < length)
            {
                // Single steps continue where the run ended.
                if (random.Next(4) == 0)
                {
                    Assert.True(image.MoveNext());
                    seen.Add(Encoding.ASCII.GetString(image.First.Span));
                    continue;
                }

                int most = random.Next(1, 200);
                int before = seen.Count;
                Assert.True(image.MoveToRun(most, out PackedRun run));
                foreach (PackedElement element in run)
                {
                    seen.Add(Encoding.ASCII.GetString(element.Span));
                    Assert.Equal(long.TryParse(seen[^1], out long number) && number.ToString() == seen[^1], element.IsInteger);
                }

                Assert.InRange(seen.Count - before, 1, most);
            }

            Assert.False(image.MoveToRun(1, out _));
            Assert.False(image.MoveNext());
            Assert.Equal(expected, seen);
        }

        client.EndCommand();
    }

    // Numbers of all widths, texts of all lengths, some stored outside of their leaf.
    private static string Element(Random random) =>
        random.Next(60) switch
        {
            0 => new string('x', random.Next(1000, 20_000)),
            1 => new string('y', random.Next(90, 400)),
            < 20 => (random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64)).ToString(),
            < 25 => "00" + random.Next(10),
            _ => new string('z', random.Next(30)),
        };
}
