// What a server says about itself in INFO. Stateless; any thread.
using System.Globalization;

namespace Garnet.Testing;

/// <summary>Reads numbers of INFO through a client's connection.</summary>
internal static class ServerReadings
{
    /// <summary>A numeric field of INFO.</summary>
    public static long InfoNumber(this RespExchange client, string field)
    {
        string line = client
            .ExecuteText("INFO", "everything")
            .Split("\r\n")
            .First(each => each.StartsWith(field + ":", StringComparison.Ordinal));
        return long.Parse(line[(field.Length + 1)..], CultureInfo.InvariantCulture);
    }

    /// <summary>Waits until a section of INFO has a line.</summary>
    /// <exception cref="TimeoutException">It did not within the given time.</exception>
    public static void AwaitInfo(this RespExchange client, string section, string line, TimeSpan timeout)
    {
        if (!SpinWait.SpinUntil(() => client.ExecuteText("INFO", section).Contains(line + "\r\n", StringComparison.Ordinal), timeout))
            throw new TimeoutException($"{section} lacks {line}");
    }

    /// <summary>Bytes of the managed heap after a collection of garbage.</summary>
    public static long ManagedHeapBytes(this RespExchange client)
    {
        client.ExecuteText("MEMORY", "PURGE");
        return client.InfoNumber("managed_heap_bytes");
    }
}
