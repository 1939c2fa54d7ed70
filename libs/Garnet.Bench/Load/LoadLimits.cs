// What a load would take, before it begins. Pure functions.
using Garnet.Bench.Options;
using Garnet.Bench.Workloads;

namespace Garnet.Bench.Load;

/// <summary>Refuses what this machine could not hold, and what would fill a server unasked.</summary>
internal static class LoadLimits
{
    private const long MaxPreparedBytes = 1024 * 1024 * 1024;
    private const long BytesPerMebibyte = 1024 * 1024;
    private const int BytesPerPendingRequest = 24;
    private const int BytesPerConnection = 16 * 1024; // the socket, its state, and its place in the queues
    private const int BytesPerTlsConnection = 64 * 1024;
    private const int BytesPerHistogram = 512 * 1024;

    /// <summary>Checks what the options ask for.</summary>
    /// <exception cref="BenchException">It is too much; the message says of what, and what raises the limit.</exception>
    public static void Check(BenchOptions options)
    {
        foreach (Workload workload in WorkloadPlan.Create(options))
        {
            CheckMemory(options, workload);
            CheckPreparation(options, workload);
        }
    }

    /// <summary>The most memory that a workload may need in bytes: where the server stops reading, connections keep what is left.</summary>
    public static long MemoryOf(BenchOptions options, Workload workload)
    {
        long request = workload.Commands.Max(static command => command.Template.MaxBytes);
        long kept = LoadThread.BatchBytes + request;
        long connection =
            BytesPerConnection
            + (options.Target.UsesTls ? BytesPerTlsConnection + kept : 0)
            + (long)options.Load.Pipeline * BytesPerPendingRequest
            + kept;
        long thread = LoadThread.BatchBytes * 2 + request + (long)workload.Commands.Count * BytesPerHistogram;
        return options.Load.Clients * connection + options.Load.Threads * thread + options.Values.Largest;
    }

    private static void CheckMemory(BenchOptions options, Workload workload)
    {
        long most = options.Load.MaxMemory ?? GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 2;
        long needed = MemoryOf(options, workload);
        if (needed <= most)
            return;
        string limit = options.Load.MaxMemory is null ? "half of this machine's" : "--max-memory";
        throw new BenchException(
            $"the load may need {Mebibytes(needed)} MiB of memory, more than {Mebibytes(most)} MiB, {limit}: "
                + "take fewer --clients, a smaller --pipeline or --data-size, or raise --max-memory"
        );
    }

    private static void CheckPreparation(BenchOptions options, Workload workload)
    {
        if (workload.Preparation is not { Times: null } step || options.Commands.PreparedKeys is not null)
            return;
        Int128 bytes = (Int128)options.Keys.Count * step.Template.MaxBytes;
        if (bytes > MaxPreparedBytes)
        {
            throw new BenchException(
                $"-t {workload.Name} would first write {options.Keys.Count} keys, {bytes / BytesPerMebibyte} MiB: take fewer (-r), or say how many "
                    + "to write (--prepare)"
            );
        }
    }

    private static long Mebibytes(long bytes) => bytes / BytesPerMebibyte;
}
