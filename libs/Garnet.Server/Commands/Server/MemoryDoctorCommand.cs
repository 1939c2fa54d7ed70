// MEMORY DOCTOR
using System.Globalization;
using System.Text;
using Garnet.Server.Sessions;
using Garnet.Server.Statistics;
using Garnet.Store;

namespace Garnet.Server.Commands.Server;

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
        long used = store.AllocatedBytes;
        if (used < SmallBytes)
            return "The server holds very little data; there is nothing to say about its memory.\n";
        StringBuilder text = new();
        if (store.DeadRecordBytes > used / 4)
            text.Append(CultureInfo.InvariantCulture, $"* {InfoText.Human(store.DeadRecordBytes)} belong to records that were deleted or replaced. They are used again or given back as the cleaner comes to them.\n");
        if (server.Statistics.PeakMemoryBytes > used / 2 * 3)
            text.Append(CultureInfo.InvariantCulture, $"* The data took {InfoText.Human(server.Statistics.PeakMemoryBytes)} at its peak and takes {InfoText.Human(used)} now.\n");
        if (Environment.WorkingSet > used / 2 * 3)
            text.Append(CultureInfo.InvariantCulture, $"* The process takes {InfoText.Human(Environment.WorkingSet)}, the data {InfoText.Human(used)}: the rest is connections, unsent replies and the runtime. See INFO memory.\n");
        if (server.Configuration.Current.MaxMemoryBytes > 0 && used > server.Configuration.Current.MaxMemoryBytes / 10 * 9)
            text.Append("* Less than a tenth of maxmemory is left.\n");
        return text.Length == 0 ? "Nothing about the memory is unusual.\n" : text.ToString();
    }
}
