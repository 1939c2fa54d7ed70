// Generates docs/clients.md from the client versions that the tests use, and checks that the committed page is up to date.
using System.Text;
using System.Text.Json;
using System.Xml.Linq;
using Garnet.Testing;
using Xunit;

namespace Garnet.DotNetClients.Tests;

public sealed class ClientsPageTests
{
    private static readonly (string Name, string Package, string What, string Missing)[] DotNet =
    [
        (
            "StackExchange.Redis",
            "StackExchange.Redis",
            "typed calls of every command family over RESP2 and RESP3, transactions with conditions, batches, pub/sub, keyspace notifications, scripts by text, by hash and prepared with named parameters, functions, administration, passwords, TLS, reconnects and subscriptions after CLIENT KILL",
            "a transaction with conditions as the first call after connecting: the client's reader and its writer can wait for each other until a timeout, whatever the server; await a `PingAsync` before it"
        ),
        (
            "ASP.NET distributed cache and session state on it",
            "Microsoft.Extensions.Caching.StackExchangeRedis",
            "set, get, refresh, remove; absolute and sliding expiry; sessions",
            ""
        ),
        ("ASP.NET output cache on it", "Microsoft.AspNetCore.OutputCaching.StackExchangeRedis", "set, get, eviction by tag", ""),
        ("ASP.NET data protection on it", "Microsoft.AspNetCore.DataProtection.StackExchangeRedis", "keys shared between applications", ""),
        (
            "HybridCache",
            "Microsoft.Extensions.Caching.Hybrid",
            "over Garnet's own cache (in-process and over RESP) and over StackExchange.Redis: one loader call for 1,000 callers, second level, removal by key and tag",
            ""
        ),
        (
            "ASP.NET SignalR's backplane",
            "Microsoft.AspNetCore.SignalR.StackExchangeRedis",
            "two hosts: all clients, groups, users and single connections get every message once and in order (48 connections; 2,000 in `.ci/run --clients`); killed connections",
            ""
        ),
        (
            "FusionCache with its Redis backplane and locks",
            "ZiggyCreatures.FusionCache.Backplane.StackExchangeRedis",
            "two caches: what one sets, removes or drops by tag the other no longer serves; a value that four caches lack is computed once",
            ""
        ),
        (
            "DistributedLock.Redis",
            "DistributedLock.Redis",
            "locks, semaphores and reader-writer locks between two clients: contended, extended, lost",
            ""
        ),
        (
            "Orleans' grain storage",
            "Microsoft.Orleans.Persistence.Redis",
            "state read, written and cleared by version; conflicting versions",
            "a whole silo"
        ),
        ("FreeRedis", "FreeRedis", "pub/sub, caching in the client, scripts, locks", ""),
        ("Hangfire", "Hangfire.Redis.StackExchange", "queued, delayed, recurring and failing jobs", ""),
    ];

    private static readonly (string Package, string What)[] Node =
    [
        (
            "@socket.io/redis-adapter",
            "two socket.io hosts: rooms, broadcasts, questions to all hosts; on node-redis (also sharded channels) and on ioredis"
        ),
        ("ioredis", "every command family and type, pub/sub, notifications and invalidations, RESP2 and RESP3"),
        ("redis", "every command family and type, pub/sub, notifications, RESP2 and RESP3; caching in the client"),
        ("bullmq", "2,000 jobs with delays and priorities, each once; retries, flows, rate limits, schedulers, deduplication"),
        ("bull", "200 jobs with delays, priorities and retries"),
        ("bee-queue", "100 jobs with delays and retries"),
        ("rate-limiter-flexible", "limits, rewards, bursts"),
        ("redlock", "locks of one and several keys, extended and contended"),
    ];

    // The line that .ci/run --clients writes.
    private const string RunStart = "Last run of `.ci/run --clients`: ";

    [Fact]
    public void The_page_is_what_the_tests_use()
    {
        string path = RepositoryRoot.Combine("docs", "clients.md");
        string text = Page(File.ReadLines(path).Single(static line => line.StartsWith(RunStart, StringComparison.Ordinal)));
        Assert.True(
            GeneratedDocument.WriteAndRead(path, text) == text,
            GeneratedDocument.Remedy(path, "Garnet.DotNetClients.Tests", nameof(ClientsPageTests))
        );
    }

    private static string Page(string lastRun)
    {
        var text = new StringBuilder();
        text.Append(
            """
            # Clients

            Every test run uses these clients, unmodified and in these versions, against the server. Any other Redis or Valkey client should
            work too, as long as it uses only implemented commands, which [compatibility.md](compatibility.md) lists. Cluster mode
            is not implemented yet.

            | .NET | version | what is tested | not tested |
            |---|---|---|---|

            """
        );
        var versions = XDocument
            .Load(RepositoryRoot.Combine("Directory.Packages.props"))
            .Descendants("PackageVersion")
            .ToDictionary(static row => row.Attribute("Include")!.Value, static row => row.Attribute("Version")!.Value);
        foreach ((string name, string package, string what, string missing) in DotNet)
            text.Append($"| {name} | {versions[package]} | {what} | {missing} |\n");
        text.Append("\n| other languages | version | what is tested |\n|---|---|---|\n");
        using var node = JsonDocument.Parse(File.ReadAllText(RepositoryRoot.Combine("test", "clients", "node", "package-lock.json")));
        JsonElement packages = node.RootElement.GetProperty("packages");
        foreach ((string name, string what) in Node)
        {
            string? version = packages.GetProperty("node_modules/" + name).GetProperty("version").GetString();
            text.Append($"| {name} (Node.js) | {version} | {what} |\n");
        }

        text.Append(
            "| redis-py | Debian 12's python3-redis | every command family and type, pub/sub, notifications, invalidations, users |\n"
        );
        text.Append(
            "| Celery | Debian 12's python3-celery | tasks, retries, chains, groups and chords, delayed tasks, commands to workers |\n"
        );
        text.Append("| RQ | Debian 12's python3-rq | jobs, dependencies, priorities, scheduled jobs, commands to workers |\n");
        text.Append("| redis-cli, redis-benchmark | Debian 12's redis-tools | command scripts, bulk loading, scans |\n");
        text.Append($"\n{lastRun}\n");
        return text.ToString();
    }
}
