// What listeners in the same process receive: instruments and activities. Each test has its own server and ignores all others.
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Net;
using Garnet.Hosting.Metrics;
using Garnet.Server.Basics;
using Garnet.Server.Statistics.Metrics;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Metrics;

public sealed class ListenerTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-listeners-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Instruments_report_the_servers_counters()
    {
        await using GarnetServer server = await StartAsync(new GarnetOptions());
        var seen = new ConcurrentDictionary<string, double>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Meter.Name == ServerMeter.MeterName && instrument.Meter.Scope == server.Resp.Identity)
                    self.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<double>(
            (instrument, value, tags, _) =>
            {
                string labels = string.Join(',', tags.ToArray().Select(static tag => $"{tag.Key}={tag.Value}"));
                seen[$"{instrument.Name}[{labels}]{instrument.Unit}"] = value;
            }
        );
        listener.Start();
        using var client = RespExchange.Connect(server.EndPoints[0]);
        client.ExecuteText("SET", "k", "v");
        client.ExecuteText("GET", "k");
        listener.RecordObservableInstruments();
        Assert.Equal(2, seen["garnet.commands[family=string]"]);
        Assert.Equal(1, seen["garnet.keyspace.hits[]"]);
        Assert.Equal(2, seen["garnet.command.duration.bucket[family=string,le=+Inf]"]);
        Assert.Equal(2, seen["garnet.command.duration.count[family=string]"]);
        Assert.True(seen["garnet.command.duration.sum[family=string]s"] > 0);
        Assert.True(seen["garnet.memory.used[kind=index]By"] > 0);
        Assert.Equal(1, seen["garnet.connections[]"]);
    }

    [Fact]
    public async Task Every_metric_is_on_the_page_and_among_the_instruments()
    {
        await using GarnetServer server = await StartAsync(new GarnetOptions());
        var names = new ConcurrentBag<string>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (instrument.Meter.Scope == server.Resp.Identity)
                    names.Add(instrument.Name);
            },
        };
        listener.Start();
        foreach (Metric metric in server.Metrics.All)
            Assert.Contains(names, name => name == metric.Name || name == metric.Name + ".bucket");
        Assert.Equal(server.Metrics.All.Count, server.Metrics.All.Select(PrometheusText.NameOf).Distinct().Count());
    }

    [Fact]
    public async Task Saving_rewriting_loading_and_slow_commands_are_activities_and_others_are_not()
    {
        var all = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == ServerActivities.SourceName,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = all.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        var options = new GarnetOptions
        {
            Dir = _folder,
            AppendOnly = true,
            EnableDebugCommand = CommandAccess.Yes,
            SlowerThanMicroseconds = -1,
        };
        await using (GarnetServer server = await StartAsync(options))
        {
            using var client = RespExchange.Connect(server.EndPoints[0]);
            // Servers of other tests in this process are observed as well.
            IEnumerable<Activity> activities = all.Where(activity =>
                Equals(activity.GetTagItem("garnet.run_id"), server.Resp.Identity.RunId)
            );
            client.ExecuteText("SET", "k", "v");
            Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
            // Every command counts as slow only from here on, because a first call of anything may be slow too.
            Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "commandlog-execution-slower-than", "20000"));
            client.ExecuteText("DEBUG", "SLEEP", "0.05");
            client.ExecuteText("BGREWRITEAOF");
            await UntilAsync(() => activities.Any(static activity => activity.OperationName == "garnet.aof_rewrite"), "the rewrite");
            Activity saved = Assert.Single(activities, static activity => activity.OperationName == "garnet.checkpoint");
            Assert.StartsWith(_folder, (string)saved.GetTagItem("garnet.path")!, StringComparison.Ordinal);
            Assert.Equal(1L, saved.GetTagItem("garnet.keys"));
            Assert.Equal(ActivityStatusCode.Unset, saved.Status);
            Activity slow = Assert.Single(
                activities,
                activity => activity.OperationName == "garnet.slow_command" && (string?)activity.GetTagItem("garnet.command") == "debug"
            );
            Assert.True(slow.Duration >= TimeSpan.FromMilliseconds(45), $"The slow command took {slow.Duration}.");
            Assert.Contains(activities, static activity => activity.OperationName == "garnet.load");
            Assert.DoesNotContain(activities, static activity => (string?)activity.GetTagItem("garnet.command") == "set");
        }
    }

    private static async Task<GarnetServer> StartAsync(GarnetOptions options)
    {
        GarnetServer server = new GarnetServerBuilder { Options = options }
            .Listen(new IPEndPoint(IPAddress.Loopback, 0))
            .Build();
        await server.StartAsync();
        return server;
    }

    private static async Task UntilAsync(Func<bool> condition, string what)
    {
        DateTime deadline = DateTime.UtcNow + TimeSpan.FromMinutes(2);
        while (!condition())
        {
            Assert.True(DateTime.UtcNow < deadline, $"Waited too long for: {what}");
            await Task.Delay(10);
        }
    }
}
