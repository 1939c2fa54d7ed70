// Metrics of modules. Stateless; any thread.
using Garnet.Server.Modules;

namespace Garnet.Server.Statistics.Metrics;

/// <summary>Faults and waiting work of each module.</summary>
internal static class ModuleMetrics
{
    public static IReadOnlyList<Metric> All { get; } =
    [
        Of("garnet.module.exceptions", MetricKind.Counter, "Exceptions that modules have thrown.", static module => module.Exceptions),
        Of(
            "garnet.module.overruns",
            MetricKind.Counter,
            "Commands, timers and events of modules that ran for longer than busy-reply-threshold.",
            static module => module.Overruns
        ),
        Of("garnet.module.queued", MetricKind.Gauge, "Timers and events that wait for their module.", static module => module.Worker.Count),
        Of(
            "garnet.module.dropped",
            MetricKind.Counter,
            "Events dropped because more than module-max-queue, or module-max-queue-memory, waited.",
            static module => module.Worker.Dropped
        ),
    ];

    private static Metric Of(string name, MetricKind kind, string help, Func<LoadedModule, long> value) =>
        new(
            name,
            kind,
            "",
            help,
            look => [.. look.Sources.Modules.All.Select(module => MetricSample.Of(value(module), "module", module.Name))]
        );
}
