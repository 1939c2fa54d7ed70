// The same load by this generator and by others, on one server: all count alike. Rates and latencies are printed beside each other, and
// never asserted. Each test has its server.
using System.Globalization;
using System.Text.Json;
using System.Text.RegularExpressions;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Bench.Tests;

public sealed partial class BesideOtherGeneratorsTests(ITestOutputHelper output) : IDisposable
{
    private const int Requests = 20_000;
    private const int Clients = 20;
    private const int Keys = 100; // each is drawn 200 times, so none is missed
    private static readonly string[] Commands = ["SET", "GET"];

    private readonly TestServer _server = TestServer.Start();

    public void Dispose() => _server.Dispose();

    [PeerFact("redis-benchmark")]
    public async Task Redis_benchmark_counts_as_this_one()
    {
        foreach (int pipeline in (int[])[1, 8])
        {
            string[] load = ["-n", $"{Requests}", "-c", $"{Clients}", "-P", $"{pipeline}", "-r", $"{Keys}", "-t", "set,get"];
            Dictionary<string, Figures> theirs = OfRedisBenchmark(Counted(() => Theirs("redis-benchmark", load)));
            // The keys are there: that the same are asked for is seen below.
            BenchRun run = await CountedAsync(() => OursAsync([.. load, "--prepare", "1"]));
            Compare("redis-benchmark", pipeline, theirs, Commands.Select((name, test) => (name, run.Command(0, test))));
            Assert.Equal((0, 0), (run.Count("nulls", 0, test: 1), run.Count("errors", 0, test: 1)));
        }

        using RespExchange client = _server.Connect();
        Assert.InRange(client.InfoNumber("keyspace_hits"), 4 * Requests, long.MaxValue);
        Assert.Equal($":{Keys}\r\n", client.ExecuteText("DBSIZE"));
    }

    // Debian has no package of it.
    [PeerFact("memtier_benchmark", Optional = true)]
    public async Task Memtier_counts_as_this_one()
    {
        string folder = Directory.CreateTempSubdirectory("garnet-bench-").FullName;
        try
        {
            foreach (int pipeline in (int[])[1, 8])
            {
                string file = Path.Combine(folder, $"{pipeline}.json");
                string[] range = ["--ratio", "1:1", "--pipeline", $"{pipeline}", "--key-minimum", "1", "--key-maximum", $"{Keys}"];
                string[] each = ["--threads", "1", "-c", $"{Clients}", "-n", $"{2 * Requests / Clients}"];
                Counted(() => Theirs("memtier_benchmark", [.. range, .. each, "--hide-histogram", "--json-out-file", file]));
                Dictionary<string, Figures> theirs = OfMemtier(await File.ReadAllTextAsync(file));
                BenchRun run = await CountedAsync(() => OursAsync([.. range, "-c", $"{Clients}", "-n", $"{2 * Requests}"]));
                Compare("memtier_benchmark", pipeline, theirs, Commands.Select((name, command) => (name, run.Command(command))));
            }
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private void Compare(
        string peer,
        int pipeline,
        Dictionary<string, Figures> theirs,
        IEnumerable<(string Name, JsonElement Figures)> ours
    )
    {
        foreach ((string name, JsonElement command) in ours)
        {
            var own = new Figures(
                command.GetProperty("requests").GetInt64(),
                command.GetProperty("requests_per_second").GetDouble(),
                command.GetProperty("p50_ms").GetDouble(),
                command.GetProperty("p99_ms").GetDouble()
            );
            Figures other = theirs[name];
            Assert.Equal((Requests, Requests), (own.Requests, other.Requests));
            Assert.InRange(own.P50, 0, own.P99);
            output.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"garnet bench beside {peer}, {name}, pipeline {pipeline}: {own.Rate:F0} and {other.Rate:F0} requests/s, "
                        + $"p50 {own.P50:F3} and {other.P50:F3} ms, p99 {own.P99:F3} and {other.P99:F3} ms"
                )
            );
        }
    }

    // What the server has counted is what was asked of the generator.
    private T Counted<T>(Func<T> load) => CountedAsync(() => Task.FromResult(load())).GetAwaiter().GetResult();

    private async Task<T> CountedAsync<T>(Func<Task<T>> load)
    {
        using RespExchange client = _server.Connect();
        long[] before = Array.ConvertAll(Commands, name => CallsOf(client, name));
        T result = await load();
        Assert.Equal(
            Array.ConvertAll(Commands, static name => (name, Calls: (long)Requests)),
            Commands.Select((name, index) => (name, Calls: CallsOf(client, name) - before[index] - Prepared(name, result)))
        );
        return result;
    }

    // One key is written before GETs are measured.
    private static int Prepared<T>(string command, T result) =>
        command == "SET" && result is BenchRun run && run.Json.GetProperty("tests").GetArrayLength() == 2 ? 1 : 0;

    private static long CallsOf(RespExchange client, string command)
    {
        Match line = Regex.Match(client.ExecuteText("INFO", "commandstats"), $"cmdstat_{command.ToLowerInvariant()}:calls=([0-9]+)");
        return line.Success ? long.Parse(line.Groups[1].ValueSpan, CultureInfo.InvariantCulture) : 0;
    }

    private async Task<BenchRun> OursAsync(string[] arguments)
    {
        BenchRun run = await BenchRun.RunAsync(["-p", $"{_server.EndPoint.Port}", "--json", .. arguments]);
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        return run;
    }

    private string Theirs(string peer, string[] arguments)
    {
        var run = ClientProcess.Run(Peers.Find(peer), ["-p", $"{_server.EndPoint.Port}", .. arguments]);
        Assert.True(run.ExitCode == 0, run.Output);
        return run.Output;
    }

    private static Dictionary<string, Figures> OfRedisBenchmark(string text) =>
        RedisBenchmarkReport()
            .Matches(text)
            .ToDictionary(
                static each => each.Groups[1].Value,
                static each => new Figures(Number(each, 2), Number(each, 3), Number(each, 4), Number(each, 5))
            );

    private static Dictionary<string, Figures> OfMemtier(string text)
    {
        using var report = JsonDocument.Parse(text);
        JsonElement all = report.RootElement.GetProperty("ALL STATS");
        return Commands.ToDictionary(
            static name => name,
            name =>
            {
                JsonElement stats = all.GetProperty(name == "SET" ? "Sets" : "Gets");
                JsonElement percentiles = stats.GetProperty("Percentile Latencies");
                return new Figures(
                    stats.GetProperty("Count").GetInt64(),
                    stats.GetProperty("Ops/sec").GetDouble(),
                    percentiles.GetProperty("p50.00").GetDouble(),
                    percentiles.GetProperty("p99.00").GetDouble()
                );
            }
        );
    }

    private static double Number(Match match, int group) => double.Parse(match.Groups[group].ValueSpan, CultureInfo.InvariantCulture);

    [GeneratedRegex(
        @"====== (\w+) ======.*?([0-9]+) requests completed.*?throughput summary: ([0-9.]+) requests.*?\n +avg[^\n]*\n +[0-9.]+ +[0-9.]+ +([0-9.]+) +[0-9.]+ +([0-9.]+)",
        RegexOptions.Singleline
    )]
    private static partial Regex RedisBenchmarkReport();

    private readonly record struct Figures(double Requests, double Rate, double P50, double P99);
}
