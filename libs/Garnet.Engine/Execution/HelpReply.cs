// The HELP subcommand of every container, made from the help in the container's descriptor. Stateless.
using System.Text;
using Garnet.Engine.Requests;

namespace Garnet.Engine.Execution;

/// <summary>Answers HELP in Valkey's format: a heading, the subcommands, and HELP itself.</summary>
internal static class HelpReply
{
    private const string Name = "HELP";

    /// <summary>A container's subcommands; if it has help, with HELP at its place in the alphabet.</summary>
    public static IEnumerable<CommandDescriptor> SubcommandsOf(CommandDescriptor container)
    {
        CommandDescriptor[] own = container.Subcommands;
        if (container.Help is not { } help || own.Length == 0)
            return own;
        int place = Array.FindIndex(own, static sub => string.CompareOrdinal(sub.Name, Name) > 0);
        if (place < 0)
            place = own.Length;
        return [.. own[..place], Describe(container, help), .. own[place..]];
    }

    /// <summary>Writes the help of the command or its container, one simple string per line.</summary>
    public static void Write(ref CommandContext context)
    {
        CommandDescriptor container = (context.Command.Parent ?? context.Command).Descriptor;
        string[] lines = container.Help!.Lines;
        context.Reply.WriteArray(lines.Length + 3);
        WriteLine(ref context, $"{container.Name} <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
        foreach (string line in lines)
            WriteLine(ref context, line);
        WriteLine(ref context, Name);
        WriteLine(ref context, "    Print this help.");
    }

    private static CommandDescriptor Describe(CommandDescriptor container, CommandHelp help) =>
        new()
        {
            Name = Name,
            Arity = 2,
            Flags = CommandFlags.Loading | CommandFlags.Stale,
            Group = container.Group,
            Categories = help.Categories,
            Since = help.Since,
            Handler = Write,
        };

    private static void WriteLine(ref CommandContext context, string line) =>
        context.Reply.WriteSimpleString(Encoding.ASCII.GetBytes(line));
}
