// The life of the stand-alone server: started, announced, stopped by a signal or a client. One caller; signals come on a thread of their
// own.
using System.Runtime.InteropServices;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Shutdown;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Tool;

/// <summary>Runs a server until SIGTERM, SIGINT (Ctrl+C), SHUTDOWN or a service's stop, then lets its sessions finish.</summary>
/// <param name="server">The server.</param>
/// <param name="loggers">Its logs.</param>
/// <param name="offerStop">Receives what a service manager calls to end the server; the call tells whether it will end.</param>
internal sealed class ServerProcess(GarnetServer server, ILoggerFactory loggers, Action<Func<Task<bool>>>? offerStop = null) : IDisposable
{
    // What is being answered is answered within this time; a client that does not read its replies is not waited for longer.
    private static readonly TimeSpan DrainTimeout = TimeSpan.FromSeconds(5);

    // An abandoned snapshot ends after its current write.
    private static readonly TimeSpan AbandonTimeout = TimeSpan.FromSeconds(1);

    // What the compiler leaves behind as the server warms up; a trim that finds nothing takes some microseconds.
    private static readonly TimeSpan TidyPeriod = TimeSpan.FromSeconds(10);

    // The service manager hears this often from a server that loads or saves, and waits this long for the next word.
    private static readonly TimeSpan BusyPeriod = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan ManagerPatience = TimeSpan.FromSeconds(60);

    private readonly ILogger _log = loggers.CreateLogger("Garnet");
    private readonly ServiceNotifier _manager = new(loggers.CreateLogger("Garnet"), server.Configuration.Current.Supervised);
    private readonly PidFile _pidFile = new(server.Configuration.Current, loggers.CreateLogger("Garnet"));
    private readonly OomScore _oomScore = new(loggers.CreateLogger("Garnet"), () => server.Resp.Replication.IsReplica);
    private readonly TaskCompletionSource<string> _stop = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _hasRefused;
    private volatile bool _isInsisted;

    /// <summary>The version, and of a native build that it is one.</summary>
    public static string Version { get; } = ServerVersion.IsNative ? $"{ServerVersion.Current} native" : ServerVersion.Current;

    /// <summary>Runs until the server has ended. The exit code: 1 when it ended without the snapshot it was to save.</summary>
    public async Task<int> RunAsync()
    {
        using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal);
        using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal);
        server.Resp.Identity.IsSupervised = _manager.IsActive;
        _oomScore.Follow(server.Configuration);
        _pidFile.Write();
        offerStop?.Invoke(() => EndAsync("Service stop", server.Configuration.Current.ShutdownOnSigTerm));
        server.Resp.Shutdown.Requested += () => _stop.TrySetResult("SHUTDOWN");
        using var starting = new CancellationTokenSource();
        Task started = server.StartAsync(starting.Token);
        await using (Report(() => server.NotReadyReason ?? "loaded"))
        {
            if (await Task.WhenAny(started, _stop.Task) == _stop.Task)
                await starting.CancelAsync();
        }
        try
        {
            await started;
            Announce();
            ProcessMemory.GiveBackAll();
        }
        catch (OperationCanceledException) when (starting.IsCancellationRequested)
        {
            _log.LogInformation("Loading was abandoned");
        }

        await using ITimer tidying = TimeProvider.System.CreateTimer(
            _ =>
            {
                ProcessMemory.GiveBackScratch();
                _oomScore.FollowRole(server.Configuration.Current);
            },
            null,
            TidyPeriod,
            TidyPeriod
        );
        string reason = await _stop.Task;
        _manager.Stopping($"{reason}: finishing the commands that clients have sent");
        _log.LogInformation("Shutting down: finishing the commands that clients have sent");
        using var patience = new CancellationTokenSource(DrainTimeout);
        await server.StopAsync(patience.Token);
        if (server.Resp.FinalSave.IsMissing && _isInsisted)
        {
            _log.LogWarning("Ended without a final snapshot: changes since the last one are lost");
            // The abandoned snapshot may wait for a disk that does not respond; then it ends with the process.
            var freed = Task.Run(async () => await server.DisposeAsync());
            if (await Task.WhenAny(freed, Task.Delay(AbandonTimeout)) != freed)
            {
                _pidFile.Dispose();
                loggers.Dispose();
                Environment.Exit(1);
            }

            return 1;
        }
        _log.LogInformation("Bye");
        return 0;
    }

    public void Dispose()
    {
        _manager.Dispose();
        _pidFile.Dispose();
    }

    // Handled here, because the runtime's default would end the process in the middle of clients' commands.
    private void OnSignal(PosixSignalContext context)
    {
        context.Cancel = true;
        GarnetOptions options = server.Configuration.Current;
        string reason = context.Signal.ToString();
        _log.LogInformation("{Signal} received", reason);
        // As in Valkey: a second Ctrl+C does not wait for the snapshot that the first one began.
        if (context.Signal == PosixSignal.SIGINT && server.Resp.FinalSave.Abandon())
        {
            _isInsisted = true;
            _stop.TrySetResult(reason);
            return;
        }
        _ = EndAsync(reason, context.Signal == PosixSignal.SIGINT ? options.ShutdownOnSigInt : options.ShutdownOnSigTerm);
    }

    // When the data cannot be saved the server goes on, as Valkey does and as after SHUTDOWN: the only copy is in its memory. A second
    // signal tries once more, and ends the server whether the data is saved or not.
    // The result: whether the server ends.
    private async Task<bool> EndAsync(string reason, ShutdownModifiers how)
    {
        bool isForced = how.HasFlag(ShutdownModifiers.Force) || _hasRefused;
        if (_hasRefused)
            _isInsisted = true;
        await using (Report(static () => "waiting for replicas, and saving the final snapshot"))
        {
            ShutdownMode mode =
                how.HasFlag(ShutdownModifiers.Save) ? ShutdownMode.Save
                : how.HasFlag(ShutdownModifiers.NoSave) ? ShutdownMode.NoSave
                : ShutdownMode.BySchedule;
            bool isImmediate = how.HasFlag(ShutdownModifiers.Now);
            if (await server.Resp.FinalSave.PrepareAsync(mode, isForced, isImmediate))
            {
                _stop.TrySetResult(reason);
                return true;
            }

            if (server.Resp.FinalSave.IsDone)
                return true;
            Refuse(reason);
            return false;
        }
    }

    private void Refuse(string reason)
    {
        _hasRefused = true;
        _log.LogWarning(
            "{Reason} refused. Let the snapshot be written, or send the signal again: the next one ends the server, saved or not",
            reason
        );
        _manager.Status("the final snapshot could not be saved; the server goes on");
    }

    // Keeps telling the manager, from now until disposed.
    private ITimer? Report(Func<string> status) =>
        _manager.IsActive
            ? TimeProvider.System.CreateTimer(_ => _manager.Busy(status(), ManagerPatience), null, TimeSpan.Zero, BusyPeriod)
            : null;

    // Where a container would end the process, a limit is better set.
    private static string NoLimit() =>
        MachineMemory.IsContainer
            ? $"no memory limit (the container has {MachineMemory.LimitBytes >> 20} MB; --maxmemory 75% leaves a margin)"
            : "no memory limit";

    private void Announce()
    {
        GarnetOptions options = server.Configuration.Current;
        string memory = options.MaxMemoryBytes == 0 ? NoLimit() : $"at most {MemorySize.Format(options.MaxMemoryBytes)} of memory";
        (string transport, int threads) = server.Transport;
        _log.LogInformation("Garnet {Version}, process {ProcessId}, .NET {Runtime}", Version, Environment.ProcessId, Environment.Version);
        _log.LogInformation(
            "Transport {Transport} with {Threads} I/O thread(s), {Memory}, {Databases} databases",
            transport,
            threads,
            memory,
            options.Databases
        );
        if (HostSystem.IsPlaying)
        {
            _log.LogWarning(
                "{Variable}: this process uses the code paths of {System}, for testing",
                HostSystem.Variable,
                HostSystem.Played
            );
        }

        if (ProcessSignals.IsInterruptIgnored)
        {
            _log.LogInformation(
                "SIGINT (Ctrl+C) is ignored, because this process was started in the background (with &): stop it with SIGTERM"
            );
        }

        string endpoints = string.Join(", ", server.EndPointTexts);
        _log.LogInformation("Ready to accept connections on {EndPoints}", endpoints);
        _manager.Ready($"Ready to accept connections on {endpoints}");
    }
}
