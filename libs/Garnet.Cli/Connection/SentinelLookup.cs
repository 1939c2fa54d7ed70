// Asks Sentinels for the primary of a service. Stateless; any thread.
using System.Globalization;
using Garnet.Cli.Options;
using Garnet.Client;

namespace Garnet.Cli.Connection;

/// <summary>The first Sentinel that answers decides.</summary>
internal static class SentinelLookup
{
    /// <summary>Stores the address of the primary.</summary>
    /// <exception cref="ConnectionLostException">No Sentinel knows it.</exception>
    public static void Apply(ConnectionOptions target)
    {
        SentinelService service = target.Sentinel!;
        string problem = "";
        foreach ((string host, int port) in service.Sentinels)
        {
            var sentinel = new ConnectionOptions
            {
                Host = host,
                Port = port,
                Timeout = target.Timeout,
                Family = target.Family,
                Tls = target.Tls,
            };
            try
            {
                using var connection = CliConnection.Open(sentinel);
                RespValue reply = connection.Call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", service.Name);
                if (TryRead(reply, target))
                    return;
                problem += $"; {sentinel.Address}: {(reply.IsError ? reply.Text : $"knows no '{service.Name}'")}";
            }
            catch (ConnectionLostException e)
            {
                problem += $"; {sentinel.Address}: {e.Message}";
            }
        }

        throw new ConnectionLostException($"no Sentinel names the primary of '{service.Name}'{problem}", canReconnect: true);
    }

    private static bool TryRead(RespValue reply, ConnectionOptions target)
    {
        if (reply.Kind != RespKind.Array || reply.Children.Count != 2)
            return false;
        if (!int.TryParse(reply[1].Text, NumberStyles.None, CultureInfo.InvariantCulture, out int port) || port > ushort.MaxValue)
            return false;
        target.Host = reply[0].Text;
        target.Port = port;
        return true;
    }
}
