// Payloads as bytes. Stateless.
using System.Text;

namespace Garnet.Server.Tests.Commands.Keys;

/// <summary>Reads payloads from a server and converts them for RESTORE.</summary>
internal static class Dumps
{
    /// <summary>The payload of a key.</summary>
    public static byte[] Of(InProcessServer server, string key)
    {
        string reply = server.Call("DUMP", key);
        int start = reply.IndexOf("\r\n", StringComparison.Ordinal) + 2;
        return Encoding.Latin1.GetBytes(reply[start..^2]);
    }

    /// <summary>A payload as an argument.</summary>
    public static string Text(byte[] payload) => Encoding.Latin1.GetString(payload);
}
