// The server as a Windows service (garnet --service). Windows calls OnStart and OnStop on threads of its own; the server runs on the pool.
using System.Runtime.Versioning;
using System.ServiceProcess;

namespace Garnet.Tool;

/// <summary>
/// Runs the server for Windows' service manager, whose stop is a SIGTERM elsewhere. While a stop is under way the manager is asked for more
/// time, however long the final snapshot takes; if that cannot be saved, the service goes on, and the next stop ends it.
/// </summary>
[SupportedOSPlatform("windows")]
internal sealed class WindowsService : ServiceBase
{
    private static readonly TimeSpan Step = TimeSpan.FromSeconds(1);
    private const int PatienceMs = 30_000;

    private readonly Func<WindowsService, Task<int>> _main;
    private readonly TaskCompletionSource<Func<Task<bool>>> _stopper = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _run = Task.CompletedTask;

    private WindowsService(Func<WindowsService, Task<int>> main)
    {
        _main = main;
        ServiceName = "Garnet";
        CanShutdown = true;
    }

    /// <summary>Serves the manager until the service has stopped. An error if none has started this process.</summary>
    /// <param name="main">Runs the server; the exit code.</param>
    public static int Run(Func<WindowsService, Task<int>> main)
    {
        // A service begins in Windows' own folder, where relative paths would put the data.
        Directory.SetCurrentDirectory(AppContext.BaseDirectory);
        using var service = new WindowsService(main);
        Run(service);
        return service.ExitCode;
    }

    /// <summary>From now on the manager's stop calls this, which tells whether the server will end.</summary>
    public void StopBy(Func<Task<bool>> stopper) => _stopper.TrySetResult(stopper);

    /// <summary>Tells why the server did not start: a service has no console.</summary>
    public void Report(string problem) => EventLog.WriteEntry(problem, System.Diagnostics.EventLogEntryType.Error);

    /// <inheritdoc/>
    protected override void OnStart(string[] args)
    {
        _run = Task.Run(async () => ExitCode = await _main(this));
        // It ends by SHUTDOWN or by an error, too.
        _ = _run.ContinueWith(_ => Stop(), TaskScheduler.Default);
    }

    /// <inheritdoc/>
    protected override void OnStop()
    {
        Task<bool> stopped = EndAsync();
        while (!stopped.Wait(Step))
            RequestAdditionalTime(PatienceMs);
        if (!stopped.Result)
            throw new InvalidOperationException("The final snapshot could not be saved; the server goes on. The next stop ends it.");
    }

    /// <inheritdoc/>
    protected override void OnShutdown() => OnStop();

    private async Task<bool> EndAsync()
    {
        if (await Task.WhenAny(_run, _stopper.Task) == _stopper.Task && !_run.IsCompleted && !await (await _stopper.Task)())
            return false;
        await _run;
        return true;
    }
}
