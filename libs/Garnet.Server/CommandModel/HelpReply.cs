// The reply of every HELP subcommand. Stateless.
using System.Text;

namespace Garnet.Server.CommandModel;

/// <summary>Writes a container's help in Valkey's format: a heading, the subcommands, and HELP itself.</summary>
internal static class HelpReply
{
    /// <summary>Writes one simple string per line; the heading and the lines for HELP are added here.</summary>
    public static void Write(ref CommandContext context, ReadOnlySpan<string> lines)
    {
        Command container = context.Command.Parent ?? context.Command;
        context.Reply.WriteArray(lines.Length + 3);
        WriteLine(ref context, $"{container.Descriptor.Name} <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
        foreach (string line in lines)
            WriteLine(ref context, line);
        WriteLine(ref context, "HELP");
        WriteLine(ref context, "    Print this help.");
    }

    private static void WriteLine(ref CommandContext context, string line) =>
        context.Reply.WriteSimpleString(Encoding.ASCII.GetBytes(line));
}
