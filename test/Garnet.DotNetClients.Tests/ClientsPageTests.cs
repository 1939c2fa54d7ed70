// docs/clients.md: which clients are tried in which version. Made from the versions that the tests use, so that it cannot fall behind them.
using System.Text;
using System.Text.Json;
using System.Xml.Linq;
using Garnet.Testing;
using Xunit;

namespace Garnet.DotNetClients.Tests;

public sealed class ClientsPageTests
{
    private const string WriteSwitch = "GARNET_WRITE_DOCS";

    private static readonly (string Name, string Package, string What, string Missing)[] DotNet =
    [
        (
            "StackExchange.Redis",
            "StackExchange.Redis",
            "typed calls of every family over RESP2 and RESP3, transactions with conditions, batches, administration, passwords, TLS, reconnects",
            "`GetSubscriber()`, `ScriptEvaluate`"
        ),
        (
            "ASP.NET distributed cache and session state on it",
            "Microsoft.Extensions.Caching.StackExchangeRedis",
            "set, get, refresh, remove; absolute and sliding expiry; sessions",
            ""
        ),
        ("ASP.NET output cache on it", "Microsoft.AspNetCore.OutputCaching.StackExchangeRedis", "set, get, eviction by tag", ""),
        ("ASP.NET data protection on it", "Microsoft.AspNetCore.DataProtection.StackExchangeRedis", "keys shared by applications", ""),
        (
            "HybridCache",
            "Microsoft.Extensions.Caching.Hybrid",
            "over Garnet's own cache in the process and over RESP, and over StackExchange.Redis: one call of the loader for 1,000 callers, second level, removal by key and tag",
            ""
        ),
    ];

    [Fact]
    public void The_page_is_what_the_tests_use()
    {
        string path = RepositoryRoot.Combine("docs", "clients.md");
        string text = Page();
        if (Environment.GetEnvironmentVariable(WriteSwitch) == "1")
            File.WriteAllText(path, text);
        Assert.True(
            File.ReadAllText(path) == text,
            $"docs/clients.md is not what the tests use. {WriteSwitch}=1 dotnet test test/Garnet.DotNetClients.Tests --filter ClientsPage writes it."
        );
    }

    private static string Page()
    {
        var text = new StringBuilder();
        text.Append(
            """
            # Clients

            Tests run these clients against the server, unmodified, in the versions named here; they are part of every run of the tests.
            Any other client of Redis or Valkey should work as well, as far as it uses what is there:
            [compatibility.md](compatibility.md) lists every command. Pub/sub, scripts and cluster are not there yet.

            | .NET | version | what is tried | not there yet |
            |---|---|---|---|

            """
        );
        var versions = XDocument
            .Load(RepositoryRoot.Combine("Directory.Packages.props"))
            .Descendants("PackageVersion")
            .ToDictionary(static row => row.Attribute("Include")!.Value, static row => row.Attribute("Version")!.Value);
        foreach ((string name, string package, string what, string missing) in DotNet)
            text.Append($"| {name} | {versions[package]} | {what} | {missing} |\n");
        text.Append("\n| other languages | version | what is tried |\n|---|---|---|\n");
        using var node = JsonDocument.Parse(File.ReadAllText(RepositoryRoot.Combine("test", "clients", "node", "package-lock.json")));
        JsonElement packages = node.RootElement.GetProperty("packages");
        foreach (JsonProperty package in packages.GetProperty("").GetProperty("dependencies").EnumerateObject())
        {
            text.Append(
                $"| {package.Name} (Node.js) | {packages.GetProperty("node_modules/" + package.Name).GetProperty("version").GetString()} | every family and type, RESP2 and RESP3 |\n"
            );
        }

        text.Append("| redis-py | Debian 12's python3-redis | every family and type |\n");
        text.Append("| redis-cli, redis-benchmark | Debian 12's redis-tools | scripts of commands, loading, scans |\n");
        return text.ToString();
    }
}
