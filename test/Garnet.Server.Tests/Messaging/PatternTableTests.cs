// The index of patterns finds what comparing every pattern finds.
using System.Text;
using Garnet.Engine.Requests;
using Garnet.Server.Messaging;
using Garnet.Store.Memory;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Messaging;

public sealed class PatternTableTests(ITestOutputHelper output)
{
    private static readonly string[] Parts =
    [
        "a",
        "b",
        "ab",
        "*",
        "?",
        "[ab]",
        "[^a]",
        "\\*",
        "long-literal-beyond-the-indexed-prefix",
        "",
    ];

    [Fact]
    public void Random_patterns_match_as_if_each_were_tried()
    {
        Random random = new(TestSeed.Choose(output, 812));
        PatternTable table = new(new KeyHash(1));
        Dictionary<string, Topic> held = [];
        for (int step = 0; step < 3000; step++)
        {
            string pattern = Word(random);
            byte[] bytes = Encoding.Latin1.GetBytes(pattern);
            if (held.Remove(pattern, out Topic? topic))
                table.Remove(topic);
            else
                held[pattern] = table.GetOrAdd(bytes, table.Topics.HashOf(bytes));
            byte[] channel = Encoding.Latin1.GetBytes(Word(random));
            List<Topic> matches = [];
            table.Match(channel, matches);
            Assert.Equal(
                held.Values.Where(each => GlobPattern.IsMatch(each.Name, channel))
                    .Select(each => Encoding.Latin1.GetString(each.Name))
                    .Order(),
                matches.Select(each => Encoding.Latin1.GetString(each.Name)).Order()
            );
            Assert.Equal(held.Count, table.Topics.Count);
        }
    }

    private static string Word(Random random) =>
        string.Concat(Enumerable.Range(0, random.Next(4)).Select(_ => Parts[random.Next(Parts.Length)]));
}
