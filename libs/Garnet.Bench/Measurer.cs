// Carries out what the options ask for: prepares data, repeats tests, alternates between servers. One caller.
using System.Globalization;
using Garnet.Bench.Load;
using Garnet.Bench.Options;
using Garnet.Bench.Results;
using Garnet.Bench.Servers;
using Garnet.Bench.Workloads;

namespace Garnet.Bench;

/// <summary>
/// Measures each workload for a number of rounds. With two servers each round measures both, in alternating order, so that what else
/// happens on the machine meets both alike.
/// </summary>
internal sealed class Measurer(BenchOptions options, IReadOnlyList<ControlConnection> servers, LiveLine? live)
{
    private const int ComparisonRounds = 5;
    private const int FillPipeline = 32;
    private const int PreparationBatch = 1000;

    private readonly ValuePool _pool = new(options);
    private LoadPlan? _current;
    private volatile bool _isCancelled;

    /// <summary>Whether it was cancelled.</summary>
    public bool IsCancelled => _isCancelled;

    /// <summary>Ends early; what has been measured so far is kept. Any thread.</summary>
    public void Cancel()
    {
        _isCancelled = true;
        Volatile.Read(ref _current)?.Stop();
    }

    /// <summary>Measures everything.</summary>
    /// <exception cref="BenchException">A server is of no use.</exception>
    public async Task<IReadOnlyList<Measurement>> RunAsync()
    {
        IReadOnlyList<Workload> workloads = WorkloadPlan.Create(options);
        if (options.Commands.Fills)
            await FillAsync().ConfigureAwait(false);
        var measurements = new List<Measurement>();
        foreach (Workload workload in workloads)
        {
            if (_isCancelled)
                break;
            measurements.AddRange(await MeasureAsync(workload).ConfigureAwait(false));
        }

        return measurements;
    }

    private async Task FillAsync()
    {
        foreach (ControlConnection server in servers)
        {
            var plan = new LoadPlan(options, server.Server, WorkloadPlan.Fill(options), _pool)
            {
                Pipeline = FillPipeline,
                Requests = options.Keys.Count,
                Time = null,
                WarmUp = TimeSpan.Zero,
                Rate = null,
            };
            LoadResult result = await RunAsync(plan, server, "fill").ConfigureAwait(false);
            if (result.Commands[0].FirstError is { } error)
                throw server.Server.Failed($"--fill: the server replied: {error}");
        }
    }

    private async Task<IReadOnlyList<Measurement>> MeasureAsync(Workload workload)
    {
        int rounds = options.Load.Rounds ?? (servers.Count > 1 ? ComparisonRounds : 1);
        List<LoadResult>[] results = [.. servers.Select(static _ => new List<LoadResult>())];
        foreach (ControlConnection server in servers)
            await PrepareAsync(workload, server).ConfigureAwait(false);
        for (int round = 0; round < rounds && !_isCancelled; round++)
        {
            for (int turn = 0; turn < servers.Count && !_isCancelled; turn++)
            {
                int index = round % 2 == 0 ? turn : servers.Count - 1 - turn;
                string title = rounds == 1 ? workload.Name : $"{workload.Name} {round + 1}/{rounds} {servers[index].Server.Name}";
                var plan = new LoadPlan(options, servers[index].Server, workload, _pool);
                results[index].Add(await RunAsync(plan, servers[index], title).ConfigureAwait(false));
            }
        }

        return results.All(static each => each.Count > 0)
            ? [.. results.Select((each, index) => new Measurement(workload.Name, servers[index].Server.Name, each))]
            : [];
    }

    private async Task<LoadResult> RunAsync(LoadPlan plan, ControlConnection server, string title)
    {
        if (live is not null)
            live.Title = title;
        Volatile.Write(ref _current, plan);
        if (_isCancelled)
            plan.Stop();
        try
        {
            using var run = new LoadRun(plan, server, live);
            return await run.RunAsync().ConfigureAwait(false);
        }
        finally
        {
            live?.Clear();
        }
    }

    // A command's first word may be how often it is sent. Errors are the test's business: it will show them.
    private async Task PrepareAsync(Workload workload, ControlConnection server)
    {
        var source = new RequestSource(options, _pool, thread: 0);
        foreach (string[] words in workload.Preparation)
        {
            bool isRepeated = int.TryParse(words[0], NumberStyles.None, CultureInfo.InvariantCulture, out int times);
            var template = CommandTemplate.Compile(isRepeated ? words[1..] : words, options);
            for (int left = isRepeated ? times : 1; left > 0; left -= PreparationBatch)
                await server.SendAsync(template, source, options.Keys, Math.Min(left, PreparationBatch)).ConfigureAwait(false);
        }
    }
}
