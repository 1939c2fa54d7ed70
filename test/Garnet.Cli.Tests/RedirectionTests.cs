// Nodes of a cluster that send the client elsewhere. Each test has its servers.
using System.Text;
using Garnet.Cli.Tests.Support;
using Xunit;

namespace Garnet.Cli.Tests;

public sealed class RedirectionTests
{
    [Fact]
    public void Moved_is_followed_with_the_option_and_printed_without_it()
    {
        using var target = new ScriptedServer(static request =>
            Answer(request.Contains("GET", StringComparison.Ordinal) ? "$1\r\nv\r\n" : "+OK\r\n")
        );
        using var first = new ScriptedServer(_ => Answer($"-MOVED 12182 127.0.0.1:{target.Port}\r\n"));
        Assert.Equal((0, "v\n"), Outcome(CliRun.Ours(["-p", first.Port, "-c", "GET", "foo"])));
        Assert.Equal((0, $"MOVED 12182 127.0.0.1:{target.Port}\n\n"), Outcome(CliRun.Ours(["-p", first.Port, "GET", "foo"])));
    }

    [Fact]
    public void An_empty_host_is_the_one_in_use()
    {
        using var target = new ScriptedServer(static _ => Answer(":5\r\n"));
        using var first = new ScriptedServer(_ => Answer($"-MOVED 1 :{target.Port}\r\n"));
        Assert.Equal((0, "5\n"), Outcome(CliRun.Ours(["-p", first.Port, "-c", "STRLEN", "foo"])));
    }

    [Fact]
    public void Ask_is_followed_after_asking()
    {
        var requests = new List<string>();
        using var target = new ScriptedServer(request =>
        {
            lock (requests)
                requests.Add(request.Contains("ASKING", StringComparison.Ordinal) ? "ASKING" : "GET");
            return Answer(request.Contains("ASKING", StringComparison.Ordinal) ? "+OK\r\n" : "$1\r\nv\r\n");
        });
        using var first = new ScriptedServer(_ => Answer($"-ASK 12182 127.0.0.1:{target.Port}\r\n"));
        Assert.Equal((0, "v\n"), Outcome(CliRun.Ours(["-p", first.Port, "-c", "GET", "foo"])));
        Assert.Equal(["ASKING", "GET"], requests);
    }

    [Fact]
    public void Nodes_that_name_each_other_are_given_up()
    {
        ScriptedServer? self = null;
        using var node = new ScriptedServer(_ => Answer($"-MOVED 1 127.0.0.1:{self!.Port}\r\n"));
        self = node;
        var run = CliRun.Ours(["-p", node.Port, "-c", "GET", "foo"]);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("redirect the command to each other", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("MOVED")]
    [InlineData("MOVED 1")]
    [InlineData("MOVED x 127.0.0.1:1")]
    [InlineData("MOVED 1 127.0.0.1:99999")]
    [InlineData("ASK 1 nowhere")]
    public void A_redirection_that_says_nothing_is_an_error_like_others(string reply)
    {
        using var node = new ScriptedServer(_ => Answer($"-{reply}\r\n"));
        Assert.Equal((0, reply + "\n\n"), Outcome(CliRun.Ours(["-p", node.Port, "-c", "GET", "foo"])));
    }

    [Fact]
    public void Sentinel_names_the_primary()
    {
        using var primary = new ScriptedServer(static _ => Answer("$1\r\nv\r\n"));
        using var ignorant = new ScriptedServer(static _ => Answer("*-1\r\n"));
        using var knowing = new ScriptedServer(_ => Answer($"*2\r\n$9\r\n127.0.0.1\r\n${primary.Port.Length}\r\n{primary.Port}\r\n"));
        string uri = $"sentinel://127.0.0.1:{ignorant.Port},127.0.0.1:{knowing.Port}/main";
        Assert.Equal((0, "v\n"), Outcome(CliRun.Ours(["-u", uri, "GET", "foo"])));
        var unknown = CliRun.Ours(["-u", $"sentinel://127.0.0.1:{ignorant.Port}/main", "GET", "foo"]);
        Assert.Equal(1, unknown.ExitCode);
        Assert.Contains($"127.0.0.1:{ignorant.Port}: knows no 'main'", unknown.Error, StringComparison.Ordinal);
        Assert.Equal(1, CliRun.Ours(["-u", "sentinel://127.0.0.1", "GET", "foo"]).ExitCode);
    }

    private static byte[] Answer(string text) => Encoding.Latin1.GetBytes(text);

    private static (int, string) Outcome(CliRun run) => (run.ExitCode, run.Output);
}
