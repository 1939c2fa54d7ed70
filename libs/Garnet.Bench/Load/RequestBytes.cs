// Writes requests that are sent once. Stateless; any thread.
using System.Buffers;
using System.Globalization;
using System.Text;

namespace Garnet.Bench.Load;

/// <summary>A command in the form that servers read: an array of bulk strings.</summary>
internal static class RequestBytes
{
    /// <summary>Appends a command.</summary>
    public static void Write(IBufferWriter<byte> target, IReadOnlyList<string> command)
    {
        Append(target, $"*{command.Count.ToString(CultureInfo.InvariantCulture)}\r\n");
        foreach (string argument in command)
            Append(target, $"${Encoding.UTF8.GetByteCount(argument).ToString(CultureInfo.InvariantCulture)}\r\n{argument}\r\n");
    }

    private static void Append(IBufferWriter<byte> target, string text) => Encoding.UTF8.GetBytes(text, target);
}
