// MEMORY DOCTOR
using System.Globalization;
using System.Text;
using Garnet.Server.CommandModel;
using Garnet.Server.Eviction;
using Garnet.Server.Sessions;
using Garnet.Server.Statistics;
using Garnet.Store;
using Garnet.Store.Eviction;

namespace Garnet.Server.Commands.Memory;

/// <summary>Names what is unusual about memory, in words.</summary>
internal static class MemoryDoctorCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DOCTOR",
        Arity = 2,
        Flags = CommandFlags.None,
        Group = CommandGroup.Server,
        Categories = AclCategories.Slow,
        Since = "4.0.0",
        Tips = ["nondeterministic_output", "request_policy:all_shards", "response_policy:special"],
        Handler = Execute,
    };

    private const long SmallBytes = 5 << 20;

    private static void Execute(ref CommandContext context) =>
        context.Reply.WriteVerbatim("txt"u8, Encoding.ASCII.GetBytes(Report(context.Server)));

    private static string Report(RespServer server)
    {
        StoreStatistics store = server.Store.Statistics;
        var memory = MemoryFigures.Of(server);
        long used = memory.Used;
        long limit = server.Configuration.Current.MaxMemoryBytes;
        if (used < SmallBytes)
            return "The server holds very little data; there is nothing to say about its memory.\n";
        StringBuilder text = new();
        if (store.DeadRecordBytes > used / 4)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"* {InfoText.Human(store.DeadRecordBytes)} belong to records that were deleted or replaced. They are used again or given back as the cleaner comes to them.\n"
            );
        }

        if (memory.Peak > used / 2 * 3)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"* The data took {InfoText.Human(memory.Peak)} at its peak and takes {InfoText.Human(used)} now.\n"
            );
        }

        if (memory.Resident > used / 2 * 3)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"* The process takes {InfoText.Human(memory.Resident)}, the data {InfoText.Human(used)}: the rest is the program and the runtime. See INFO memory.\n"
            );
        }

        if (limit > 0 && store.LimitBytes < limit / 4 * 3)
        {
            text.Append(
                CultureInfo.InvariantCulture,
                $"* Of maxmemory only {InfoText.Human(store.LimitBytes)} are left to the data, because the rest of the process takes so much. A larger maxmemory is used better.\n"
            );
        }

        if (limit > 0 && store.LiveBytes > store.LimitBytes / 10 * 9 && server.Store.Eviction.Policy == EvictionPolicy.NoEviction)
            text.Append("* Less than a tenth of maxmemory is left, and the policy noeviction will refuse writes.\n");
        if (limit == 0 && MachineMemory.LimitBytes > 0 && used > MachineMemory.LimitBytes / 4 * 3)
            text.Append("* There is no maxmemory, and the data takes more than three quarters of the memory there is.\n");
        return text.Length == 0 ? "Nothing about the memory is unusual.\n" : text.ToString();
    }
}
