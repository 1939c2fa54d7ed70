// Requests to a target of MIGRATE. Stateless.
using System.Text;

namespace Garnet.Server.Migration;

/// <summary>Encodes requests of short words, which have one character per byte.</summary>
internal static class TargetRequest
{
    /// <summary>The request's bytes.</summary>
    public static byte[] Of(params string[] words)
    {
        StringBuilder text = new($"*{words.Length}\r\n");
        foreach (string word in words)
            text.Append(System.Globalization.CultureInfo.InvariantCulture, $"${word.Length}\r\n{word}\r\n");
        return Encoding.Latin1.GetBytes(text.ToString());
    }
}
