// A reply of a cluster's node that names another one. A plain value; no thread owns it.
using System.Globalization;
using Garnet.Client;

namespace Garnet.Cli.Connection;

/// <summary>Where a command must be sent instead.</summary>
/// <param name="Slot">The slot of its keys.</param>
/// <param name="Host">The node's address; empty for the address that was used.</param>
/// <param name="Port">The node's port.</param>
/// <param name="IsOnce">Whether only this command goes there (ASK), after ASKING.</param>
internal sealed record Redirection(int Slot, string Host, int Port, bool IsOnce)
{
    /// <summary>Reads <c>MOVED slot host:port</c> and <c>ASK slot host:port</c>; null for other replies.</summary>
    public static Redirection? TryParse(RespValue reply)
    {
        if (!reply.IsError)
            return null;
        string[] words = reply.Text.Split(' ');
        if (words.Length < 3 || words[0] is not ("MOVED" or "ASK"))
            return null;
        int colon = words[2].LastIndexOf(':');
        return
            colon >= 0
            && int.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out int slot)
            && int.TryParse(words[2].AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int port)
            && port is > 0 and <= ushort.MaxValue
            ? new Redirection(slot, words[2][..colon], port, words[0] == "ASK")
            : null;
    }
}
