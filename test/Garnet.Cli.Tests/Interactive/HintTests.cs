// Hints for arguments, compared with valkey-cli's. One server for all.
using System.Globalization;
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Interactive;
using Garnet.Cli.Options;
using Garnet.Cli.Tests.Support;
using Garnet.Testing;
using Xunit;

namespace Garnet.Cli.Tests.Interactive;

public sealed class HintTests : IDisposable
{
    private static readonly string[] Lines =
    [
        "GET ",
        "GET k ",
        "MGET ",
        "MGET k ",
        "MGET a b ",
        "SET ",
        "SET k ",
        "SET k v ",
        "SET k v EX ",
        "SET k v EX 5 ",
        "SET k v NX ",
        "SET k v NX GET ",
        "GETRANGE k ",
        "GETRANGE k 1 ",
        "GETRANGE k x ",
        "EXPIRE k 5 ",
        "EXPIRE k 5 NX ",
        "ZADD k ",
        "ZADD k NX ",
        "ZADD k 1 m ",
        "ZADD k 1 m 2 ",
        "XADD k ",
        "XADD k NOMKSTREAM ",
        "XADD k * ",
        "XADD k * f ",
        "XADD k * f v ",
        "CONFIG GET ",
        "CONFIG SET ",
        "CONFIG SET a ",
        "CLIENT KILL ",
        "LPOP k ",
        "LPOP k 3 ",
        "SORT k ",
        "SORT k BY ",
        "SORT k BY p ",
        "SORT k LIMIT 1 ",
        "SCAN ",
        "SCAN 0 ",
        "SCAN 0 MATCH ",
        "SCAN 0 MATCH p ",
        "SCAN 0 MATCH p COUNT 5 ",
        "RESTORE k ",
        "RESTORE k 0 v REPLACE ",
        "BITCOUNT k ",
        "BITCOUNT k 1 ",
        "BITCOUNT k 1 2 ",
        "HSET k ",
        "HSET k f ",
        "HSET k f v ",
        "BLPOP ",
        "ZRANGE k 1 2 ",
        "ZRANGE k 1 2 BYSCORE ",
        "PING ",
        "ECHO ",
        "ECHO a b ",
        "nosuch ",
        "XREAD ",
        "XREAD COUNT 5 ",
        "XREAD COUNT 5 STREAMS ",
        "GEOADD k ",
        "GEOADD k 1 2 ",
        "GEOADD k 1 2 m ",
        "LMOVE a b ",
        "LMOVE a b LEFT ",
    ];

    private readonly TestServer _server = TestServer.Start();

    public void Dispose() => _server.Dispose();

    [PeerFact("valkey-cli", Optional = true)]
    public void Hints_are_those_of_valkey_cli()
    {
        var differences = new StringBuilder();
        Completer completer = Completer();
        foreach (string line in Lines)
        {
            string port = _server.EndPoint.Port.ToString(CultureInfo.InvariantCulture);
            string expected = CliRun.Theirs(Peers.Find("valkey-cli"), ["-p", port, "--test_hint", line]).Output.Trim();
            string actual = completer.Hint(line).Trim();
            if (actual != expected)
                differences.AppendLine(CultureInfo.InvariantCulture, $"'{line}': expected '{expected}', actual '{actual}'");
        }

        Assert.True(differences.Length == 0, differences.ToString());
    }

    [Theory]
    [InlineData("get", " key")]
    [InlineData("GET ", "key")]
    [InlineData("GET k", " key")]
    [InlineData("config", "")]
    [InlineData("config set ", "parameter value [parameter value ...]")]
    // valkey-cli's has a bracket too many here.
    [InlineData("SORT k GET p ", "[GET pattern ...] [BY pattern] [LIMIT offset count] [ASC|DESC] [ALPHA] [STORE destination]")]
    [InlineData("ge", "")]
    [InlineData("", "")]
    [InlineData("ECHO \"open ", "")]
    public void A_hint_goes_on_where_the_line_ends(string line, string hint) => Assert.Equal(hint, Completer().Hint(line));

    [Fact]
    public void Hints_can_be_turned_off()
    {
        Completer completer = Completer();
        completer.ShowsHints = false;
        Assert.Equal("", completer.Hint("GET "));
    }

    private Completer Completer()
    {
        using var connection = CliConnection.Open(new ConnectionOptions { Port = _server.EndPoint.Port });
        var catalog = new CommandCatalog();
        Assert.True(catalog.Load(connection));
        return new Completer(catalog);
    }
}
