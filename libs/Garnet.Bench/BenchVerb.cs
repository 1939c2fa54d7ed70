// The command `garnet bench`. One call a process.
using Garnet.Bench.Load;
using Garnet.Bench.Options;
using Garnet.Bench.Results;
using Garnet.Bench.Servers;

namespace Garnet.Bench;

/// <summary>Generates load for a server, and prints what it measured.</summary>
internal static class BenchVerb
{
    private const int Succeeded = 0;
    private const int Failed = 1;
    private const int HadErrors = 2; // measured, but replies were errors or wrong values
    private const int Interrupted = 130;

    /// <summary>Runs the command.</summary>
    /// <param name="args">What follows the word <c>bench</c>.</param>
    /// <param name="output">Where the result goes.</param>
    /// <param name="errors">Where the line of a failure goes.</param>
    /// <returns>
    /// The exit code: 0; 1 when it could not measure, with a line on standard error; 2 when replies were errors or wrong values; 130 when
    /// it was interrupted.
    /// </returns>
    public static async Task<int> RunAsync(string[] args, TextWriter output, TextWriter errors)
    {
        try
        {
            BenchOptions options = BenchArguments.Parse(args, Environment.GetEnvironmentVariable);
            if (options.WantsHelp)
            {
                await WriteAsync(() => output.WriteAsync(BenchHelp.Build())).ConfigureAwait(false);
                return Succeeded;
            }

            return await MeasureAsync(options, output).ConfigureAwait(false);
        }
        catch (BenchException e)
        {
            await errors.WriteLineAsync($"garnet bench: {e.Message}").ConfigureAwait(false);
            return Failed;
        }
    }

    private static async Task<int> MeasureAsync(BenchOptions options, TextWriter output)
    {
        LoadLimits.Check(options);
        using var files = ResultFiles.Open(options.Output);
        var servers = new List<ControlConnection>();
        try
        {
            servers.Add(
                await ControlConnection
                    .OpenAsync(await TargetResolver.ResolveAsync(options.Target).ConfigureAwait(false))
                    .ConfigureAwait(false)
            );
            if (options.Target.Against is not null)
            {
                IReadOnlyList<ServerTarget> addresses = await TargetResolver.ResolveAgainstAsync(options.Target).ConfigureAwait(false);
                servers.Add(await ControlConnection.OpenAsync(addresses).ConfigureAwait(false));
            }

            return await MeasureAsync(options, servers, files, output).ConfigureAwait(false);
        }
        finally
        {
            foreach (ControlConnection server in servers)
                await server.DisposeAsync().ConfigureAwait(false);
        }
    }

    private static async Task<int> MeasureAsync(BenchOptions options, List<ControlConnection> servers, ResultFiles files, TextWriter output)
    {
        var named = new List<(string, string?)>();
        foreach (ControlConnection server in servers)
            named.Add((server.Server.Name, (await server.ReadInformationAsync().ConfigureAwait(false)).Product));
        using var measurer = new Measurer(options, servers, LiveLine.ForTerminal(options.Output.HidesProgress));
        BenchException? failure = await RunAsync(measurer).ConfigureAwait(false);
        // Whatever ended it, what was measured before has cost its time.
        if (measurer.Measurements.Count > 0)
        {
            var report = new BenchReport(options, named, measurer.Measurements);
            await WriteAsync(() => files.WriteAsync(report, output)).ConfigureAwait(false);
        }

        if (measurer.IsCancelled)
            return Interrupted;
        if (failure is not null)
            throw failure;
        return measurer.Measurements.Any(static measurement => measurement.HasFailures) ? HadErrors : Succeeded;
    }

    // Null where nothing failed.
    private static async Task<BenchException?> RunAsync(Measurer measurer)
    {
        ConsoleCancelEventHandler cancel = (_, press) =>
        {
            // The second time the process ends at once.
            press.Cancel = !measurer.IsCancelled;
            measurer.Cancel();
        };
        Console.CancelKeyPress += cancel;
        try
        {
            await measurer.RunAsync().ConfigureAwait(false);
            return null;
        }
        catch (BenchException e)
        {
            return e;
        }
        finally
        {
            Console.CancelKeyPress -= cancel;
        }
    }

    private static async Task WriteAsync(Func<Task> write)
    {
        try
        {
            await write().ConfigureAwait(false);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new BenchException($"the result cannot be written: {e.Message}", e);
        }
    }
}
