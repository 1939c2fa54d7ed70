// Carries out what the options ask for: prepares data, repeats tests, alternates between servers. One caller.
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
internal sealed class Measurer : IDisposable
{
    private const int ComparisonRounds = 5;
    private const int FillPipeline = 32;
    private const int PreparationBatch = 1000;

    // How long a server is still waited for after the measurement was cancelled.
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(1);

    private readonly BenchOptions _options;
    private readonly IReadOnlyList<ControlConnection> _servers;
    private readonly LiveLine? _live;
    private readonly ValuePool _pool;
    private readonly List<Measurement> _measurements = [];
    private readonly CancellationTokenSource _end = new();
    private LoadPlan? _current;
    private volatile bool _isCancelled;

    /// <summary>Prepares to measure.</summary>
    /// <param name="options">What is measured.</param>
    /// <param name="servers">One, or two that are compared.</param>
    /// <param name="live">Shows the progress, or null.</param>
    public Measurer(BenchOptions options, IReadOnlyList<ControlConnection> servers, LiveLine? live)
    {
        (_options, _servers, _live) = (options, servers, live);
        _pool = new ValuePool(options);
        foreach (ControlConnection server in servers)
            server.Cancellation = _end.Token;
    }

    /// <summary>What has been measured so far, failures included.</summary>
    public IReadOnlyList<Measurement> Measurements => _measurements;

    /// <summary>Whether it was cancelled.</summary>
    public bool IsCancelled => _isCancelled;

    /// <summary>Ends early; what has been measured so far is kept. Any thread.</summary>
    public void Cancel()
    {
        _isCancelled = true;
        Volatile.Read(ref _current)?.Stop();
        _end.CancelAfter(Grace);
    }

    /// <summary>Measures everything.</summary>
    /// <exception cref="BenchException">A server is of no use; what was measured before is kept.</exception>
    public async Task RunAsync()
    {
        IReadOnlyList<Workload> workloads = WorkloadPlan.Create(_options);
        if (_options.Commands.Fills)
            await FillAsync().ConfigureAwait(false);
        foreach (Workload workload in workloads)
        {
            if (!_isCancelled)
                await MeasureAsync(workload).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _end.Dispose();

    private async Task FillAsync()
    {
        foreach (ControlConnection server in _servers)
        {
            var plan = new LoadPlan(_options, server.Server, WorkloadPlan.Fill(_options), _pool)
            {
                Pipeline = FillPipeline,
                Requests = _options.Keys.Count,
                Time = null,
                WarmUp = TimeSpan.Zero,
                Rate = null,
                KeepsAlive = true,
            };
            LoadResult result = await RunAsync(plan, server, "fill").ConfigureAwait(false);
            if (result.Commands[0].FirstError is { } error)
                throw server.Server.Failed($"--fill: the server replied: {error}");
        }
    }

    private async Task MeasureAsync(Workload workload)
    {
        foreach (ControlConnection server in _servers)
            await PrepareAsync(workload, server).ConfigureAwait(false);
        List<LoadResult>[] results = [.. _servers.Select(static _ => new List<LoadResult>())];
        try
        {
            await MeasureAsync(workload, results).ConfigureAwait(false);
        }
        finally
        {
            Keep(workload, results);
        }
    }

    private async Task MeasureAsync(Workload workload, List<LoadResult>[] results)
    {
        int rounds = _options.Load.Rounds ?? (_servers.Count > 1 ? ComparisonRounds : 1);
        for (int round = 0; round < rounds; round++)
        {
            for (int turn = 0; turn < _servers.Count && !_isCancelled; turn++)
            {
                int index = round % 2 == 0 ? turn : _servers.Count - 1 - turn;
                ControlConnection server = _servers[index];
                string title = rounds == 1 ? workload.Name : $"{workload.Name} {round + 1}/{rounds} {server.Server.Name}";
                var plan = new LoadPlan(_options, server.Server, workload, _pool);
                LoadResult result = await RunAsync(plan, server, title).ConfigureAwait(false);
                if (result.Requests > 0)
                    results[index].Add(result);
                else if (!_isCancelled)
                    throw server.Server.Failed($"{workload.Name}: not one request was measured; measure longer (--test-time)");
            }
        }
    }

    // Of servers that are compared, the rounds that all have; none is nothing to show.
    private void Keep(Workload workload, List<LoadResult>[] results)
    {
        int rounds = results.Min(static each => each.Count);
        if (rounds == 0)
            return;
        for (int i = 0; i < results.Length; i++)
            _measurements.Add(new Measurement(workload.Name, _servers[i].Server.Name, results[i][..rounds]));
    }

    private async Task<LoadResult> RunAsync(LoadPlan plan, ControlConnection server, string title)
    {
        if (_live is not null)
            _live.Title = title;
        Volatile.Write(ref _current, plan);
        if (_isCancelled)
            plan.Stop();
        try
        {
            using var run = new LoadRun(plan, server, _live);
            return await run.RunAsync().ConfigureAwait(false);
        }
        finally
        {
            _live?.Clear();
        }
    }

    // Errors are the test's business: it will show them.
    private async Task PrepareAsync(Workload workload, ControlConnection server)
    {
        if (workload.Preparation is not { } step)
            return;
        if (step.Times is not { } times)
        {
            await PrepareEachAsync(workload, step, server).ConfigureAwait(false);
            return;
        }

        var source = new RequestSource(_options, _pool, thread: 0);
        for (int left = times; left > 0 && !_isCancelled; left -= PreparationBatch)
            await server.SendAsync(step.Template, source, _options.Keys, Math.Min(left, PreparationBatch)).ConfigureAwait(false);
    }

    // One thread, so that counting up meets each number once.
    private async Task PrepareEachAsync(Workload workload, PreparationStep step, ControlConnection server)
    {
        long count = Math.Min(_options.Commands.PreparedKeys ?? long.MaxValue, _options.Keys.Count);
        if (count == 0)
            return;
        var plan = new LoadPlan(_options, server.Server, WorkloadPlan.Prepare(step), _pool)
        {
            Pipeline = FillPipeline,
            Requests = count,
            Time = null,
            WarmUp = TimeSpan.Zero,
            Rate = null,
            KeepsAlive = true,
            Threads = 1,
            CountsUp = true,
        };
        await RunAsync(plan, server, $"{workload.Name}: preparation").ConfigureAwait(false);
    }
}
