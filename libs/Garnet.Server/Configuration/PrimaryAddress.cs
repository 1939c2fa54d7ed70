// The address of a primary as the option and REPLICAOF have it. Stateless.
using System.Buffers;
using System.Globalization;

namespace Garnet.Server.Configuration;

/// <summary>Reads <c>host port</c>.</summary>
internal static class PrimaryAddress
{
    // Of names, addresses and paths of sockets.
    private static readonly SearchValues<char> HostCharacters = SearchValues.Create(
        "%-./0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
    );

    /// <summary>Parses <c>host port</c>; false for anything else.</summary>
    public static bool TryParse(string text, out string host, out int port)
    {
        string[] words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        host = words.Length == 2 ? words[0] : "";
        port = 0;
        return words.Length == 2
            && !host.AsSpan().ContainsAnyExcept(HostCharacters)
            && int.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out port)
            && port is >= 0 and <= ushort.MaxValue;
    }
}
