// Splitting of command lines.
using Garnet.Bench.Workloads;
using Xunit;

namespace Garnet.Bench.Tests.Workloads;

public sealed class CommandWordsTests
{
    [Theory]
    [InlineData("GET a", "GET|a")]
    [InlineData("  GET\t a  ", "GET|a")]
    [InlineData("EVAL \"return redis.call('GET','x')\" 0", "EVAL|return redis.call('GET','x')|0")]
    [InlineData("ECHO 'a \"b\"'", "ECHO|a \"b\"")]
    [InlineData("ECHO \"a \\\"b\\\" \\\\ \\n\"", "ECHO|a \"b\" \\ \n")]
    [InlineData("ECHO a'b c'd", "ECHO|ab cd")]
    [InlineData("ECHO ''", "ECHO|")]
    public void Words_are_split(string text, string expected) => Assert.Equal(expected.Split('|'), CommandWords.Split(text));

    [Theory]
    [InlineData("")]
    [InlineData("  ")]
    [InlineData("ECHO \"\\xff\"")]
    [InlineData("ECHO 'a")]
    [InlineData("ECHO \"a\\\"")]
    public void What_is_no_command_is_refused(string text) => Assert.Throws<BenchException>(() => CommandWords.Split(text));
}
