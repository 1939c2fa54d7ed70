// MEMORY DOCTOR
using System.Globalization;
using System.Text;
using Garnet.Engine.Counters;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Basics;
using Garnet.Server.Configuration;
using Garnet.Server.Eviction;
using Garnet.Server.Statistics;
using Garnet.Server.Tiering;
using Garnet.Store;
using Garnet.Store.Tiering;

namespace Garnet.Server.Commands.Memory;

/// <summary>Describes unusual memory usage in words.</summary>
internal sealed class MemoryDoctorCommand(MemoryAccount memory, ServerStatistics statistics, ServerConfiguration configuration)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DOCTOR",
        Arity = 2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Server,
        Since = "4.0.0",
        Tips = ["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
        MakeHandler = static parts =>
            new MemoryDoctorCommand(parts.Get<MemoryAccount>(), parts.Get<ServerStatistics>(), parts.Get<ServerConfiguration>()).Execute,
    };

    private const long SmallBytes = 5 << 20;

    private void Execute(ref CommandContext context) =>
        context.Reply.WriteVerbatim(
            "txt"u8,
            Encoding.ASCII.GetBytes(
                Report(context.Store.Store, MemoryFigures.Of(context.Store.Store, memory, statistics), configuration.Current.MaxMemoryBytes)
            )
        );

    private static string Report(HybridLogStore data, MemoryFigures memory, long limit)
    {
        StoreStatistics store = data.Statistics;
        long used = memory.Used;
        if (used < SmallBytes)
            return "The server holds too little data for a meaningful report.\n";
        StringBuilder text = new();
        if (store.DeadRecordBytes > used / 4)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"* {InfoText.Human(store.DeadRecordBytes)} are taken by deleted and replaced records. Compaction reuses this memory or returns it to the operating system.\n"
            );
        }

        if (memory.Peak > used / 2 * 3)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"* Peak memory was {InfoText.Human(memory.Peak)}; current memory is {InfoText.Human(used)}.\n"
            );
        }

        if (memory.Resident > used / 2 * 3)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"* Resident memory is {InfoText.Human(memory.Resident)}, of which the data takes {InfoText.Human(used)}; the rest is the program and the runtime. See INFO memory.\n"
            );
        }

        if (limit > 0 && store.LimitBytes < limit / 4 * 3)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"* Only {InfoText.Human(store.LimitBytes)} of maxmemory are available to data; the rest of the process takes the remainder. With a larger maxmemory, the share available to data increases.\n"
            );
        }

        bool isNearlyFull = limit > 0 && store.LiveBytes > store.LimitBytes / 10 * 9;
        // With a tier that takes values memory is always nearly full.
        if (isNearlyFull && data.Eviction.Policy == EvictionPolicy.NoEviction && data.Tier is not { IsTaking: true })
        {
            text.Append(
                "* Less than a tenth of maxmemory is free. The policy is noeviction, so writes will be refused when it runs out.\n"
            );
        }

        if (data.Tier is { } tier)
            AppendTier(text, data, tier, isNearlyFull);
        if (limit == 0 && MachineMemory.LimitBytes > 0 && used > MachineMemory.LimitBytes / 4 * 3)
            text.Append("* maxmemory is not set, and the data takes more than three quarters of the available memory.\n");
        return text.Length == 0 ? "No memory problems detected.\n" : text.ToString();
    }

    private static void AppendTier(StringBuilder text, HybridLogStore data, ColdTier tier, bool isNearlyFull)
    {
        if (tier.IsFailing)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"* Writes to the disk tier fail ({TierWatch.TextOf(tier.Statistics.LastError)}), so values stay in memory. See INFO tier and the log.\n"
            );
        }

        if (tier.Segments.IsFull)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"* The disk tier is full: {InfoText.Human(tier.Segments.LiveBytes)} of {InfoText.Human(tier.Segments.Capacity)} are values in use; {TierWatch.Consequence(data)}.\n"
            );
        }

        long keys = Enumerable.Range(0, data.Databases.Count).Sum(data.Databases.KeyCount);
        long cold = tier.Statistics.ColdKeys;
        if (isNearlyFull && cold > keys / 10 * 9)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"* Memory is full of keys: the values of {cold} of {keys} keys are on disk already, and keys stay in memory. More keys need a larger maxmemory, or fewer keys with larger values.\n"
            );
        }
    }
}
