// LOLWUT [VERSION version] [argument ...]
using System.Text;
using Garnet.Server.Statistics;

namespace Garnet.Server.Commands.Server;

/// <summary>Draws something, and tells the version.</summary>
internal static class LolwutCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LOLWUT",
        Arity = -1,
        Flags = CommandFlags.ReadOnly | CommandFlags.Fast,
        Group = CommandGroup.Server,
        Categories = AclCategories.Fast | AclCategories.Read,
        Since = "5.0.0",
        Handler = Execute,
    };

    private static void Execute(ref CommandContext context)
    {
        // There is one drawing, whatever the version asked for.
        if (context.Count < 3 || !context.Is(1, "VERSION"u8) || context.TryGetInteger(2, out _))
            context.Reply.WriteVerbatim("txt"u8, Drawing);
    }

    private static readonly byte[] Drawing = Encoding.ASCII.GetBytes(
        "       ______\n"
        + "      /\\    /\\\n"
        + "     /  \\  /  \\\n"
        + "    /____\\/____\\\n"
        + "    \\    /\\    /\n"
        + "     \\  /  \\  /\n"
        + "      \\/____\\/\n"
        + "\n"
        + $"Garnet ver. {ServerVersion.Current}\n");
}
