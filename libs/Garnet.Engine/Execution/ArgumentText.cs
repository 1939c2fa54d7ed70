// Arguments of clients as text, for error replies, names and filters. Stateless.
using System.Text;

namespace Garnet.Engine.Execution;

/// <summary>One character per byte, so that any argument is shown as it was sent.</summary>
internal static class ArgumentText
{
    /// <summary>Whether an argument from <paramref name="first"/> on is a word, in upper case here, whatever it stands for.</summary>
    public static bool HasWord(in CommandContext context, int first, ReadOnlySpan<byte> word)
    {
        for (int i = first; i < context.Count; i++)
        {
            if (context.Is(i, word))
                return true;
        }

        return false;
    }

    /// <summary>
    /// The argument as a C string: everything before its first zero byte. Valkey reads keywords and numbers this way, though not keys and
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
    /// Whether an argument may appear in CLIENT LIST, whose fields are separated by spaces: printable ASCII without the space.
    /// </summary>
    public static bool IsPrintable(ReadOnlySpan<byte> argument) => argument.IndexOfAnyExceptInRange((byte)'!', (byte)'~') < 0;

    /// <summary>Replies with a text of one character per byte.</summary>
    public static void WriteBulk(ref CommandContext context, string text) => context.Reply.WriteBulk(Encoding.Latin1.GetBytes(text));

    /// <summary>A text of several lines as the one line that an error reply can have.</summary>
    public static string OneLine(string text) => text.Replace('\r', ' ').Replace('\n', ' ');

    /// <summary>Replies with the error for a subcommand that was called with too many arguments.</summary>
    public static void WriteSubcommandError(ref CommandContext context)
    {
        string name = Printable(context[1]);
        WriteError(
            ref context,
            $"ERR unknown subcommand or wrong number of arguments for '{(name.Length > 128 ? name[..128] : name)}'. Try {context.Command.Parent!.Descriptor.Name} HELP."
        );
    }

    /// <summary>Replies with an error whose text may contain parts created by <see cref="Printable"/>.</summary>
    public static void WriteError(ref CommandContext context, string text) => context.Reply.WriteError(Encoding.Latin1.GetBytes(text));
}
