// Glob patterns compared with known results and with a recursive matcher. No shared state, any order.
using System.Text;
using Garnet.Engine.Requests;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Commands;

public sealed class GlobPatternTests
{
    [Theory]
    [InlineData("*", "abc", true)]
    [InlineData("a*c", "abbbc", true)]
    [InlineData("a*c", "abbbd", false)]
    [InlineData("a?c", "abc", true)]
    [InlineData("a?c", "ac", false)]
    [InlineData("h[ae]llo", "hello", true)]
    [InlineData("h[^e]llo", "hello", false)]
    [InlineData("h[a-c]llo", "hbllo", true)]
    [InlineData("h[c-a]llo", "hbllo", true)]
    [InlineData("h\\[x", "h[x", true)]
    [InlineData("a\\", "a\\", true)]
    [InlineData("[a", "a", true)]
    [InlineData("[^a", "b", true)]
    [InlineData("[\\]]", "]", true)]
    [InlineData("[]", "a", false)]
    [InlineData("*", "", false)]
    [InlineData("", "", true)]
    [InlineData("", "a", false)]
    [InlineData("a**", "a", true)]
    [InlineData("ABC", "abc", false)]
    [InlineData("[a-]", "a", true)]
    [InlineData("[a-]", "]", true)]
    [InlineData("[a-]", "^", true)]
    [InlineData("[\x7f-\x80]", "a", true)]
    [InlineData("[a-\xff]", "A", true)]
    [InlineData("[\xf0-\xff]", "\xf8", true)]
    [InlineData("[\xf0-\xff]", "\xef", false)]
    [InlineData("\xe9", "\xe9", true)]
    public void Patterns_match_as_in_Valkey(string pattern, string text, bool matches)
    {
        Assert.Equal(matches, GlobPattern.IsMatch(Encoding.Latin1.GetBytes(pattern), Encoding.Latin1.GetBytes(text)));
        Assert.Equal(matches, new GlobMatcher(Encoding.Latin1.GetBytes(pattern)).IsMatch(Encoding.Latin1.GetBytes(text)));
    }

    [Theory]
    [InlineData("MAX*", "maxmemory")]
    [InlineData("m[A-B]xmemory", "maxmemory")]
    public void Letter_case_can_be_ignored(string pattern, string text)
    {
        Assert.True(GlobPattern.IsMatch(Encoding.Latin1.GetBytes(pattern), Encoding.Latin1.GetBytes(text), ignoreCase: true));
        Assert.False(GlobPattern.IsMatch(Encoding.Latin1.GetBytes(pattern), Encoding.Latin1.GetBytes(text)));
    }

    [Fact]
    public void Random_patterns_agree_with_a_recursive_matcher()
    {
        int seed = TestSeed.ChooseAnew();
        var random = new Random(seed);
        for (int round = 0; round < 200_000; round++)
        {
            byte[] pattern = Pick(random, "aab*?[]^-\\", random.Next(9));
            byte[] text = Pick(random, "aab[-\\", random.Next(7));
            bool expected = text.Length == 0 ? pattern.Length == 0 : Recursive(pattern, text);
            Assert.True(
                expected == GlobPattern.IsMatch(pattern, text),
                $"seed {seed}: pattern {Encoding.Latin1.GetString(pattern)} text {Encoding.Latin1.GetString(text)} expected {expected}"
            );
            Assert.True(
                expected == new GlobMatcher(pattern).IsMatch(text),
                $"seed {seed}: prepared pattern {Encoding.Latin1.GetString(pattern)} text {Encoding.Latin1.GetString(text)} expected {expected}"
            );
        }
    }

    [Fact]
    public void Compiled_character_classes_match_the_right_bytes()
    {
        int seed = TestSeed.ChooseAnew();
        var random = new Random(seed);
        for (int round = 0; round < 2_000; round++)
        {
            byte[] inside = new byte[random.Next(12)];
            random.NextBytes(inside);
            byte[] pattern = [(byte)'[', .. inside, .. Pick(random, "-^]", random.Next(3)), (byte)']'];
            var matcher = new GlobMatcher(pattern);
            for (int value = 0; value < 256; value++)
            {
                Assert.True(
                    GlobPattern.IsMatch(pattern, [(byte)value]) == matcher.IsMatch([(byte)value]),
                    $"seed {seed}: {Convert.ToHexString(pattern)} {value:x}"
                );
            }
        }
    }

    [Theory]
    [InlineData(1000, true)]
    [InlineData(1001, false)]
    public void A_pattern_of_more_than_a_thousand_stars_before_its_end_never_matches(int stars, bool matches)
    {
        byte[] pattern = Encoding.Latin1.GetBytes(string.Concat(Enumerable.Repeat("*a", stars)));
        Assert.Equal(matches, GlobPattern.IsMatch(pattern, Enumerable.Repeat((byte)'a', 2000).ToArray()));
        Assert.Equal(matches, GlobPattern.IsMatch([.. pattern, (byte)'*'], Enumerable.Repeat((byte)'a', 2000).ToArray()));
        Assert.Equal(matches, new GlobMatcher(pattern).IsMatch(Enumerable.Repeat((byte)'a', 2000).ToArray()));
    }

    [Fact]
    public void Hostile_patterns_take_linear_time()
    {
        byte[] text = Enumerable.Repeat((byte)'a', 20_000).ToArray();
        byte[] stars = Encoding.Latin1.GetBytes(string.Concat(Enumerable.Repeat("a*", 500)) + "b");
        Assert.False(GlobPattern.IsMatch(stars, text));
        byte[] deep = Encoding.Latin1.GetBytes(string.Concat(Enumerable.Repeat("*?", 50_000)));
        Assert.False(GlobPattern.IsMatch(deep, text));
    }

    private static byte[] Pick(Random random, string alphabet, int length) =>
        Enumerable.Range(0, length).Select(_ => (byte)alphabet[random.Next(alphabet.Length)]).ToArray();

    private static bool Recursive(ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> text)
    {
        if (pattern.IsEmpty)
            return text.IsEmpty;
        if (pattern[0] == '*')
            return Recursive(pattern[1..], text) || (!text.IsEmpty && Recursive(pattern, text[1..]));
        if (text.IsEmpty)
            return false;
        int length = 1;
        bool matches = true;
        if (pattern[0] == '[')
        {
            bool negated = pattern.Length > 1 && pattern[1] == '^';
            int at = negated ? 2 : 1;
            bool found = false;
            for (; at < pattern.Length && pattern[at] != ']'; at++)
            {
                if (pattern[at] == '\\' && at + 1 < pattern.Length)
                {
                    found |= pattern[++at] == text[0];
                }
                else if (at + 2 < pattern.Length && pattern[at + 1] == '-')
                {
                    found |= text[0] >= Math.Min(pattern[at], pattern[at + 2]) && text[0] <= Math.Max(pattern[at], pattern[at + 2]);
                    at += 2;
                }
                else
                {
                    found |= pattern[at] == text[0];
                }
            }
            matches = found != negated;
            length = Math.Min(at + 1, pattern.Length);
        }
        else if (pattern[0] != '?')
        {
            length = pattern[0] == '\\' && pattern.Length > 1 ? 2 : 1;
            matches = pattern[length - 1] == text[0];
        }
        return matches && Recursive(pattern[length..], text[1..]);
    }
}
