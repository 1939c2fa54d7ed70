// The command filters of all modules. Changed under the barrier; used by any thread that executes commands.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Rules;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Modules;

/// <summary>
/// Lets each filter see a request before its command is looked up, in the order in which the filters were added. While there are none,
/// commands are looked up ahead of their execution; while there are, sessions leave that to <see cref="ApplyOnce"/>.
/// </summary>
internal sealed class CommandFilters(CommandTable commands, ModuleLoggers loggers)
{
    private volatile ModuleFilter[] _all = [];
    private long _generation;

    /// <summary>Whether there are any.</summary>
    public bool AreOn => _all.Length > 0;

    /// <summary>The filters follow what modules have. Under the barrier, unless the server has not started.</summary>
    public void Follow(IEnumerable<LoadedModule> modules)
    {
        _all = [.. modules.SelectMany(static module => module.Filters)];
        Interlocked.Increment(ref _generation);
    }

    /// <summary>Which filters there are; another number after each change.</summary>
    public long Generation => Interlocked.Read(ref _generation);

    /// <summary>
    /// Passes a client's request through the filters, unless it has passed them before it waited: what they make of it is what the client
    /// has sent. False as for <see cref="Apply(ref CommandContext, FilteredRequest, CommandOrigin, ref Command?)"/>.
    /// </summary>
    public bool ApplyOnce(ref CommandContext context, FilteredRequest request, long generation, ref Command? found)
    {
        if (!request.TryRestore(ref context, generation))
            return Apply(ref context, request, CommandOrigin.Client, ref found);
        found = commands.Find(context[0]);
        return true;
    }

    /// <summary>
    /// Passes a request through the filters. False when one has rejected it or has failed: the error is written, and an open transaction
    /// aborted.
    /// </summary>
    /// <param name="context">The request.</param>
    /// <param name="request">What becomes of it.</param>
    /// <param name="origin">Who makes it.</param>
    /// <param name="found">Its command, which is looked up again if a filter has changed the request.</param>
    public bool Apply(ref CommandContext context, FilteredRequest request, CommandOrigin origin, ref Command? found)
    {
        request.Begin(origin);
        ModuleFilter[] filters = _all;
        for (int i = 0; i < filters.Length && request.Error is null; i++)
        {
            if (filters[i].Sees(ref context, origin))
                Apply(ref context, filters[i], i, request);
        }

        if (request.IsChanged)
            found = commands.Find(context[0]);
        if (request.Error is null)
            return true;
        Refused.Reply(ref context, found ?? commands.Find(context[0]), new Refusal(RefusalKind.Custom, request.Error));
        return false;
    }

    /// <summary>The module of the filter that a thread runs; null when there is no such filter any more.</summary>
    public LoadedModule? ModuleOf(int index)
    {
        ModuleFilter[] filters = _all;
        return index < filters.Length ? filters[index].Module : null;
    }

    // What a filter is for is not known here: if it fails, the request does not pass.
    private void Apply(ref CommandContext context, ModuleFilter filter, int index, FilteredRequest request)
    {
        RunningModuleCommand running = RunningModuleCommand.OfThread.Of(context.Scratch);
        bool isOuter = running.BeginFilter(index);
        try
        {
            filter.Code(ref context, request);
        }
        catch (Exception e)
        {
            filter.Module.CountException();
            loggers.For(filter.Module.Name).LogError(e, "A command filter of module {Module} failed", filter.Module.Name);
            string error = $"ERR {e.GetType().Name} in a command filter of the module '{filter.Module.Name}'";
            request.Error = Encoding.UTF8.GetBytes(error);
        }

        running.End(isOuter);
    }

    /// <summary>As <see cref="Batch.Execute"/>, for a client's request while modules filter requests.</summary>
    public Admission Execute(ref Batch batch, Command? found, FilteredRequest request)
    {
        long generation = Generation;
        if (!ApplyOnce(ref batch.Context, request, generation, ref found))
            return Admission.Reject;
        Admission admission = batch.Execute(found);
        // Also of a command that was let in and put off when it was to run alone.
        if (admission == Admission.Wait)
            request.Keep(generation);
        return admission;
    }
}
