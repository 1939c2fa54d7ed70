// Servers that lie in COMMAND DOCS. Each test has its server.
using System.Globalization;
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Interactive;
using Garnet.Cli.Options;
using Garnet.Cli.Tests.Support;
using Xunit;

namespace Garnet.Cli.Tests.Interactive;

public sealed class LyingDocsTests
{
    private const string Evil = "\u001b[31m";

    [Fact]
    public void Help_does_not_command_the_terminal()
    {
        var output = new CapturedOutput();
        string docs = $"*2\r\n+set\r\n*6\r\n+summary\r\n+{Evil}1\r\n+since\r\n+{Evil}2\r\n+group\r\n+{Evil}3\r\n";
        new HelpPrinter(Load(docs), output, hasColors: false).Print(["set"]);
        string help = Encoding.Latin1.GetString(output.Bytes);
        Assert.DoesNotContain(Evil, help, StringComparison.Ordinal);
        Assert.Contains("summary: \\x1b[31m1\n  since: \\x1b[31m2\n  group: \\x1b[31m3\n", help, StringComparison.Ordinal);
    }

    // While a hint is sought, no key is read: the session could not be ended.
    [Fact]
    public async Task A_repeated_argument_without_parts_has_a_hint()
    {
        string docs = $"*2\r\n+set\r\n*2\r\n+arguments\r\n*1\r\n{Block}";
        Assert.Equal(" [ ...]", await HintAsync(Load(docs)));
    }

    [Fact]
    public async Task Arguments_that_are_nested_deeply_have_a_hint()
    {
        string parts = "*0\r\n";
        for (int depth = 0; depth < 40; depth++)
            parts = $"*1\r\n{Block.Replace("*4", "*6", StringComparison.Ordinal)}+arguments\r\n{parts}";
        await HintAsync(Load($"*2\r\n+set\r\n*2\r\n+arguments\r\n{parts}"));
    }

    private const string Block = "*4\r\n+type\r\n+block\r\n+flags\r\n*1\r\n+multiple\r\n";

    private static Task<string> HintAsync(CommandCatalog catalog) =>
        Task.Run(() => new Completer(catalog).Hint("set a b ") + new Completer(catalog).Hint("set ")).WaitAsync(TimeSpan.FromMinutes(2));

    private static CommandCatalog Load(string docs)
    {
        using var server = ScriptedServer.Once(Encoding.Latin1.GetBytes(docs));
        using var connection = CliConnection.Open(new ConnectionOptions { Port = int.Parse(server.Port, CultureInfo.InvariantCulture) });
        var catalog = new CommandCatalog();
        Assert.True(catalog.Load(connection));
        return catalog;
    }
}
