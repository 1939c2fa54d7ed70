// Arguments of clients as text, for error replies, names and filters. Stateless.
using System.Text;

namespace Garnet.Server.CommandModel;

/// <summary>One character a byte, so that any argument comes back as it was sent.</summary>
internal static class ArgumentText
{
    /// <summary>
    /// What a C string made of an argument holds: all before its first zero byte. Valkey reads words and signs so, though not keys and
    /// values.
    /// </summary>
    public static ReadOnlySpan<byte> UpToZero(ReadOnlySpan<byte> argument)
    {
        int end = argument.IndexOf((byte)0);
        return end < 0 ? argument : argument[..end];
    }

    /// <summary>An argument up to its first zero byte, as error replies show it.</summary>
    public static string Printable(ReadOnlySpan<byte> argument) => Encoding.Latin1.GetString(UpToZero(argument));

    /// <summary>
    /// Whether an argument can stand in CLIENT LIST, where fields are told apart by spaces: printable ASCII without the space.
    /// </summary>
    public static bool IsPrintable(ReadOnlySpan<byte> argument) => argument.IndexOfAnyExceptInRange((byte)'!', (byte)'~') < 0;

    /// <summary>Replies with an error whose text may hold parts made by <see cref="Printable"/>.</summary>
    public static void WriteError(ref CommandContext context, string text) => context.Reply.WriteError(Encoding.Latin1.GetBytes(text));
}
