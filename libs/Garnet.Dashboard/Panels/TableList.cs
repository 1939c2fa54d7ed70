// The panels that are tables, and what each of them asks the server. Immutable.
using Garnet.Client;

namespace Garnet.Dashboard.Panels;

/// <summary>A panel by its name: the command whose right it needs, which is also what it shows.</summary>
internal static class TableList
{
    /// <summary>What the panels run.</summary>
    public static readonly Dictionary<string, ReadOnlyMemory<byte>[]> Commands = new(StringComparer.Ordinal)
    {
        ["clients"] = Words.Of("CLIENT", "LIST"),
        ["slow"] = Words.Of("SLOWLOG", "GET", "64"),
        ["replication"] = Words.Of("INFO", "replication"),
        ["saving"] = Words.Of("INFO", "persistence"),
        ["tier"] = Words.Of("INFO", "tier"),
        ["server"] = Words.Of("INFO", "server"),
        // No command shows the log; who may see where it is may read it.
        ["log"] = Words.Of("CONFIG", "GET", "logfile"),
    };

    /// <summary>The rows of CLIENT LIST with most memory.</summary>
    public static IReadOnlyList<string> LargestClients(RespValue reply, int count)
    {
        string[] lines = (reply.AsString() ?? "").Split('\n', StringSplitOptions.RemoveEmptyEntries);
        return [.. lines.OrderByDescending(static line => Memory(line)).Take(count)];
    }

    private static long Memory(string line)
    {
        const string Field = " tot-mem=";
        int at = line.IndexOf(Field, StringComparison.Ordinal);
        if (at < 0)
            return 0;
        ReadOnlySpan<char> rest = line.AsSpan(at + Field.Length);
        int end = rest.IndexOf(' ');
        return long.TryParse(end < 0 ? rest : rest[..end], out long bytes) ? bytes : 0;
    }
}
