// Commands that the dashboard writes itself. Stateless; any thread.
using System.Globalization;
using System.Text;

namespace Garnet.Dashboard;

/// <summary>Makes commands of text, numbers and bytes.</summary>
internal static class Words
{
    /// <summary>A command of words.</summary>
    public static ReadOnlyMemory<byte>[] Of(params ReadOnlySpan<string> words)
    {
        var command = new ReadOnlyMemory<byte>[words.Length];
        for (int i = 0; i < words.Length; i++)
            command[i] = Bytes(words[i]);
        return command;
    }

    /// <summary>A text as an argument.</summary>
    public static byte[] Bytes(string text) => Encoding.UTF8.GetBytes(text);

    /// <summary>A number as an argument.</summary>
    public static byte[] Bytes(long number) => Bytes(Text(number));

    /// <summary>A number's digits.</summary>
    public static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}
