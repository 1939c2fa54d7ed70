// Words and quotes in configuration files. No shared state, any order.
using System.Text;
using Garnet.Server.Configuration;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Configuration;

public sealed class ConfigurationLineTests
{
    [Theory]
    [InlineData("", new string[0])]
    [InlineData("  port\t6379  ", new[] { "port", "6379" })]
    [InlineData("a \"b c\" 'd e'", new[] { "a", "b c", "d e" })]
    [InlineData("a \"\" ''", new[] { "a", "", "" })]
    [InlineData("a \"x\\n\\r\\t\\a\\b\\\\\\\"\\q\"", new[] { "a", "x\n\r\t\a\b\\\"q" })]
    [InlineData("a \"\\x41\\xc3\\xa9\"", new[] { "a", "Aé" })]
    [InlineData("a \"\\x4\"", new[] { "a", "x4" })]
    [InlineData("a 'it\\'s \\n'", new[] { "a", "it's \\n" })]
    [InlineData("a b\"c d\"", new[] { "a", "bc d" })]
    public void Lines_split_into_words(string line, string[] words) => Assert.Equal(words, ConfigurationLine.Split(line));

    [Theory]
    [InlineData("a \"b")]
    [InlineData("a 'b")]
    [InlineData("a \"b\"c")]
    [InlineData("a \"b\\\"")]
    public void Unbalanced_quotes_are_refused(string line) => Assert.Null(ConfigurationLine.Split(line));

    [Fact]
    public void Quoted_text_round_trips()
    {
        int seed = TestSeed.ChooseAnew();
        var random = new Random(seed);
        for (int round = 0; round < 2000; round++)
        {
            var text = new StringBuilder();
            for (int length = random.Next(12); length > 0; length--)
                text.Append((char)random.Next(1, 0x300));
            string line = "requirepass " + ConfigurationLine.Quote(text.ToString());
            List<string>? words = ConfigurationLine.Split(line);
            Assert.True(words is ["requirepass", var word] && word == text.ToString(), $"seed {seed}: {line}");
        }
    }
}
