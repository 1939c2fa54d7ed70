// Formats bytes for test output. Stateless; any thread.
using System.Text;

namespace Garnet.EndToEnd.Tests.Differential;

internal static class RespText
{
    private const int MaxShown = 600;

    /// <summary>Escapes non-printable bytes; truncates long values.</summary>
    public static string Quote(byte[] bytes)
    {
        var text = new StringBuilder();
        bool plain = bytes.Length > 0;
        foreach (byte b in bytes.AsSpan(0, Math.Min(bytes.Length, MaxShown)))
        {
            plain &= b is > 32 and < 127 and not (byte)'"' and not (byte)'\\';
            text.Append(
                b switch
                {
                    (byte)'"' => "\\\"",
                    (byte)'\\' => "\\\\",
                    (byte)'\r' => "\\r",
                    (byte)'\n' => "\\n",
                    < 32 or >= 127 => $"\\x{b:x2}",
                    _ => ((char)b).ToString(),
                }
            );
        }

        if (bytes.Length > MaxShown)
            text.Append($"...({bytes.Length} bytes)");
        return plain ? text.ToString() : $"\"{text}\"";
    }

    /// <summary>A reply, or a note that the connection was closed instead.</summary>
    public static string Reply(byte[] reply) => reply.Length == 0 ? "(connection closed)" : Quote(reply);
}
