// The same command lines for this client and for others; output and exit codes must be the same. One server for all.
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Garnet.Cli.Tests.Support;
using Garnet.Testing;
using Xunit;

namespace Garnet.Cli.Tests;

public sealed partial class BesideOtherClientsTests : IDisposable
{
    private readonly TestServer _server = TestServer.Start();

    public void Dispose() => _server.Dispose();

    [Fact]
    public void There_are_hundreds_of_command_lines() => Assert.True(Invocations.All.Count > 200);

    [PeerFact("redis-cli")]
    public void Scripts_written_for_redis_cli_work()
    {
        Compare("redis-cli", Invocations.All.Where(static each => !each.DiffersFromRedis7));
    }

    [PeerFact("valkey-cli", Optional = true)]
    public void Scripts_written_for_valkey_cli_work() => Compare("valkey-cli", Invocations.All);

    // More than a pipe holds, so that the program has ended before all of it is written.
    [PeerFact("redis-cli")]
    public void A_client_may_end_without_reading_its_input() =>
        Assert.Equal(0, CliRun.Theirs(Peers.Find("redis-cli"), ["--version"], new string('x', 1 << 20)).ExitCode);

    private void Compare(string peer, IEnumerable<Invocation> invocations)
    {
        var differences = new StringBuilder();
        int compared = 0;
        foreach (Invocation invocation in invocations)
        {
            string[] arguments = ["-p", _server.EndPoint.Port.ToString(CultureInfo.InvariantCulture), .. invocation.Arguments];
            Prepare();
            CliRun expected = Normalize(CliRun.Theirs(Peers.Find(peer), arguments, invocation.Input, invocation.Variables));
            Prepare();
            CliRun actual = Normalize(CliRun.Ours(arguments, invocation.Input, variables: invocation.Variables));
            if (actual != expected)
                differences.AppendLine($"{invocation}:").AppendLine($"  expected {expected}").AppendLine($"  actual   {actual}");
            compared++;
        }

        Assert.True(differences.Length == 0, differences.ToString());
        Assert.True(compared > 200);
    }

    private void Prepare()
    {
        using RespExchange exchange = _server.Connect();
        foreach (string[] command in Invocations.State)
            exchange.Execute(command);
    }

    // The clients name themselves and the server; ours says more about what to do.
    private static CliRun Normalize(CliRun run) =>
        run with
        {
            Error = Advice().Replace(CannotConnect().Replace(run.Error, "Could not connect at"), ""),
        };

    [GeneratedRegex(" \\(garnet cli --help lists all options\\)|: it must be .*|: % is followed .*")]
    private static partial Regex Advice();

    [GeneratedRegex("Could not connect to (Redis|Valkey|the server) at")]
    private static partial Regex CannotConnect();
}
