// Notices commands of modules that run for too long. Called by the server's clock, one call at a time in general.
using Garnet.Engine.Execution;
using Garnet.Server.Configuration;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Modules;

/// <summary>
/// Code in .NET cannot be aborted, so a command is asked to stop (ModuleContext.ShouldStop) and named in the log, once for each call.
/// </summary>
internal sealed class ModuleWatchdog(
    ServerConfiguration configuration,
    ServerModules modules,
    CommandTable commands,
    ThreadScratchPool threads,
    ILogger log
)
{
    /// <summary>Looks at all threads. Returns whether a command has run for longer than busy-reply-threshold.</summary>
    public bool Check(long nowMs)
    {
        long thresholdMs = configuration.Current.BusyReplyThresholdMs;
        bool isOverrun = false;
        if (thresholdMs <= 0 || modules.All.Count == 0)
            return false;
        foreach (LoadedModule module in modules.All)
            module.Worker.CheckTime(thresholdMs);
        foreach (ThreadScratch thread in threads.All)
            isOverrun |= RunningModuleCommand.OfThread.Peek(thread) is { } command && Check(command, nowMs, thresholdMs);
        return isOverrun;
    }

    private bool Check(RunningModuleCommand running, long nowMs, long thresholdMs)
    {
        (long call, int id) = running.Current;
        if (id < 0)
            return false;
        if (running.Seen.Call != call)
        {
            running.Seen = (call, nowMs);
            return false;
        }

        if (nowMs - running.Seen.SinceMs < thresholdMs)
            return false;
        if (running.IsOverrun)
            return true;
        running.OnOverrun(call);
        (string what, LoadedModule? module) = Describe(id);
        module?.CountOverrun();
        log.LogWarning(
            "Slow module detected: {What} of module {Module} is still in execution after {Milliseconds} milliseconds. It was asked to stop; nothing can end it from outside.",
            what,
            module?.Name,
            nowMs - running.Seen.SinceMs
        );
        return true;
    }

    private (string What, LoadedModule? Module) Describe(int id)
    {
        if (RunningModuleCommand.FilterOf(id) is >= 0 and int filter)
            return ("a command filter", modules.Filters.ModuleOf(filter));
        Command? command = commands.Commands.FirstOrDefault(each => each.Id == id);
        return ($"the command {command?.FullName}", modules.Find(command?.Descriptor.Module ?? ""));
    }
}
